"""Few keys in place of many, judged by the resulting pose of the character."""
