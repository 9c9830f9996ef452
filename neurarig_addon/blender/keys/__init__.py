"""Few keys in place of many, judged by what they make of the character."""
