"""From a walk into an action of the animator's, and back: matched on a foot that stands, joined with offsets
that fade."""
