"""The pose network: what it is shown, its layers in numpy, its weights file."""
