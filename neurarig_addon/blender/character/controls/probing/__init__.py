"""Moving a rig's bones to see what they do, on a copy that nobody sees."""
