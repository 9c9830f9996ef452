"""The walk's buttons; each is one undo step and works without a window."""
