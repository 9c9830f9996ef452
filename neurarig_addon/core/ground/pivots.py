"""The points of a sole that a foot can stand on."""

SWING, HEEL, FLAT, BALL, TOE = range(5)
