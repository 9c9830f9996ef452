"""The hand poses of a walk."""
