"""Recorded points: read from files, identified by name, set upright in metres, and scaled to another body."""
