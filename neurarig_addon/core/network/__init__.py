"""Neural networks in numpy: their files, checked to the last byte, and their layers."""
