"""The walk's panels."""
