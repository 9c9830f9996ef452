"""Rotations, two-bone IK and near points on arrays, independent of any rig."""
