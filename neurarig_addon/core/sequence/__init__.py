"""Motion that goes on by itself: the next second from the last half second, the last stride, and what is
wished."""
