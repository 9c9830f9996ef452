"""An action of the animator's over the walk."""
