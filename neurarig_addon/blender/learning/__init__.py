"""What is learned of a clip of any source: its style, and a walk that can be edited."""
