"""Where a walk leads: from the root's distance to its place and heading."""
