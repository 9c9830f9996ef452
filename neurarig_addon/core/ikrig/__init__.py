"""IK Rig: poses as the parameters of six IK chains, independent of proportions, bone count, bone roll, rest
pose and position."""
