"""Rotations about and along bones: bone-aligned frames, six numbers, twist, turns from directions, fast products of vectors."""
