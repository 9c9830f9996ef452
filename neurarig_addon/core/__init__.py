"""The walk as plain numbers: standard library and numpy only, no bpy, no torch."""
