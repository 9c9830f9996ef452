"""Shared by operators and panels: base classes, menus, and reports as text."""
