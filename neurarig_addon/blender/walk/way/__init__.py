"""Where a walk leads, and where it faces and looks: path, markers, objects."""
