"""The buttons of Neural Pose; each is one undo step and works without a window."""
