"""What the body does above the feet."""
