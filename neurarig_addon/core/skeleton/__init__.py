"""Bones as they are at rest, what they are called and which play which role; clips of them."""
