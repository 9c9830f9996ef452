"""From a character's settings to its walk, remembered while nothing changes."""
