"""Reading files at a cost in proportion to their size, and writing them completely or not at all."""
