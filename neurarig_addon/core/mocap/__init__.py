"""Recorded points: read from files, known by name, set upright in metres, and brought to another body's size."""
