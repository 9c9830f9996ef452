"""From a pose to a rig: tables of bones, their links, and the channels that are written."""
