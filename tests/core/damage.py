"""Files of weights, damaged."""

import numpy as np

HEADER_BYTES = 3000  # where most of what can go wrong is written


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Return the file with some bytes changed, cut out, repeated or swapped for text that a header might
    hold."""
    data = bytearray(content)
    for _ in range(rng.integers(1, 6)):
        end = len(data) if rng.random() < 0.3 else min(HEADER_BYTES, len(data))
        place, size = int(rng.integers(0, max(end, 1))), int(rng.integers(1, 40))
        kind = rng.integers(0, 5)
        if kind == 0:
            data[place : place + 1] = bytes([rng.integers(0, 256)])
        elif kind == 1:
            del data[place : place + size]
        elif kind == 2:
            data[place:place] = data[place : place + size]
        elif kind == 3:
            data[place : place + 4] = [b"null", b"1e99", b"[[[[", b"-1,0", b"\xff\xff\xff\xff"][
                rng.integers(0, 5)
            ]
        else:
            del data[int(rng.integers(0, len(data) + 1)) :]
    return bytes(data)
