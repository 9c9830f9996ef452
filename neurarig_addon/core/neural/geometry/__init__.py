"""Rotations of bones: bone-aligned frames, six numbers, swing and twist, rotations from directions, fast products of vectors."""
