"""Probing: moving a rig's bones to see what they do, on a hidden copy."""
