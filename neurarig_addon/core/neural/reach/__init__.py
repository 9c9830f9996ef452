"""Locked points reached exactly: which bones bend for them, limbs in closed form, the trunk iteratively."""
