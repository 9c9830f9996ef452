"""The walk in Blender: settings, the source of its motion, live and baked, reports and panels."""
