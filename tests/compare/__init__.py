"""What the add-on does, seen with two checkouts side by side."""

DEFINITIONS = "words, definitions"  # the scenario that is always played
