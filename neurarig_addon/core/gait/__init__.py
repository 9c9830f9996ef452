"""When and where the feet land, and what the body does meanwhile."""
