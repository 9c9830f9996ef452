"""A whole pose from a few points: what the points and rotations are, the analytic answer, its refinement, and exact reach."""
