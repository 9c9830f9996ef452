"""A whole pose from a few points: the points and rotations, the analytic pose, its refinement, and exact
reach."""
