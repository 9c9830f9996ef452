"""Damaged and inflated files of every kind that is read: each is refused in one sentence or read, in little
time and memory."""
