"""Bones at rest, their names and roles; clips of them."""
