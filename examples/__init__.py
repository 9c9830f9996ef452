"""The engine's side of the link: to be read, rewritten and copied."""
