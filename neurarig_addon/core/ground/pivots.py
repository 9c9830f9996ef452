"""On which point of its sole a foot stands."""

SWING, HEEL, FLAT, BALL, TOE = range(5)
