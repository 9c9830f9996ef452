"""Rotations and two-bone IK on arrays, independent of any rig."""
