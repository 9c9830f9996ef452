"""Where a walk leads: from the metres that the root has gone to its place and heading."""
