"""What is applied over a walk or a clip: the targets of hands, chest and head, read on each frame."""
