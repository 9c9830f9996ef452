"""Files read in proportion to their size, and written whole or not at all."""
