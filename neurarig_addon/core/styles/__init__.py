"""Styles: manners of walking learned from clips; what they are, how they are learned and played."""
