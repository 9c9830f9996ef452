"""Networks in numpy: their files, checked to the last byte, and the layers that run them."""
