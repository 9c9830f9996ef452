"""What the add-on does, seen with two checkouts side by side."""
