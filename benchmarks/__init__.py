"""How fast, and how human: measurements of the walk that print a table (see
docs/internals/development.md)."""
