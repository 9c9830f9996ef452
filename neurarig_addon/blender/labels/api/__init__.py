"""Labelled motions for scripts; `blender.api` hands these on."""
