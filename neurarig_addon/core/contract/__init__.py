"""What runs through the pipeline and over the wire: the eleven inputs of a walk and the 46 channels of a pose, declared once."""
