"""What every motion of a body needs, whoever makes it: a limb that ends at a point, and the seam by which one
is left for another."""
