"""The link between a game engine and NeuraRig: UDP packets, the server that learns from them, and a
client."""
