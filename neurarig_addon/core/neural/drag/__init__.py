"""How a body follows an animator's drag: what is dragged and what is held stays, the rest gives way by how easily people move it."""
