"""The pose network: its inputs, its layers in numpy, its weights file."""
