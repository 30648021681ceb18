"""Space: twist of a body = velocity of its mass centre in the world, angular velocity in its principal axes."""
