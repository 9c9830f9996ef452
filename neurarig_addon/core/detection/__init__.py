"""Finding which bone plays which role: the evidence that `detect` combines."""
