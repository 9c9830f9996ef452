"""The data of the pipeline and the wire, declared once: the eleven inputs of a walk and the 46 channels of a
pose."""
