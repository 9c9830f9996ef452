"""Several characters: one's walk on others, paths and times from other programs, who waits for whom."""
