"""What every motion of a body needs, whoever makes it: so far the seam by which one motion is left for another."""
