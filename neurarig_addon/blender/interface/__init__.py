"""Shared by operators and panels: base classes, menus, preferences, and reports as text."""
