"""Walks for scripts; `blender.api` hands these on."""
