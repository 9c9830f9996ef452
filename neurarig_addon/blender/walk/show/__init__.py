"""The walk while it plays: who is posed when, the object carried, the bones written."""
