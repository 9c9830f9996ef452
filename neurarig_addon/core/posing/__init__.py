"""How a rig takes a pose: its bones' tables, how they are linked, and the channels that are written."""
