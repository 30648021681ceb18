"""The plane: twist of a body = (x', y', phi') of its mass centre."""
