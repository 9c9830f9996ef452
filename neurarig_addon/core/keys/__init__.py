"""Keys worth editing: curves through few keys, as near to those through many as asked."""
