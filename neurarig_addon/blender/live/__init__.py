"""Posing live: who is posed, when, and what happens where one cannot be."""
