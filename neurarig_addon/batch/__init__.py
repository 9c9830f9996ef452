"""Many walks, clips, sets and data sets from one job file, each made by a Blender of its own; run from the
repository, not in Blender."""
