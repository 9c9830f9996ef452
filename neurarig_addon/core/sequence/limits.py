"""How far a clip can be continued."""

LONGEST_S = 3600.0
FASTEST = 3.0  # times the clip's own speed
SHARPEST_DEG = 180.0  # a second
