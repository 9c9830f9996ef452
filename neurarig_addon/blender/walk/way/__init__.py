"""Where a walk leads, faces and looks: path, markers, objects."""
