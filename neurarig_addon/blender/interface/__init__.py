"""What buttons and panels share: their bases, menus, preferences, and reports in words."""
