"""What a gait is, as a value, and the kinds of it: walk, run, skip, a profile; by speed, in any direction."""
