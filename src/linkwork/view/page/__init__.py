"""The page: a motion as one HTML file that plays, offline; made from the same scene as drawings and films."""
