"""IK Rig: poses as the parameters of six IK chains, free of proportions, bone count, bone rolls, rest pose and place."""
