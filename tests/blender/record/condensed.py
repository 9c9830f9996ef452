"""Two numbers for the numbers in each part of what was seen, and two for its words: no value can change unseen."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from tests.core.record.condensed import ENDLESS, NOT_A_NUMBER

GOLDEN = 0.5 * (5.0**0.5 - 1.0)  # its multiples are spread evenly
WORDS = " words"
CHECKOUT = str(Path(__file__).resolve().parents[3])
# What is another each time: names of free places and ports, times of day and what something took; lines of code in a traceback; numbers
# that are stored to their last bit.
EACH_TIME = re.compile(
    r"neurarig-[0-9a-f]{16}|\bn\w{8}(?=/python)|(?<=port )\d{5}\b|\b\d\d:\d\d[:.][\d.]+|(?<=in )\d+\.\d+ s\w*|(?<=, line )\d+"
    r"|(?<=\d:)[A-Za-z0-9+/=]{40,}"
)
Condensed = dict[str, tuple[float, float]]


def condensed(parts: dict[str, dict[str, Any]], folder: str) -> Condensed:
    """Return for each part the weighted sum of its numbers and the root of the sum of their squares; and the sum of its words' checksums.

    `folder`: what files were written into, which has another name each time.
    """
    found: Condensed = {}
    for part, values in parts.items():
        total = squares = 0.0
        words = 0
        for path, value in leaves(values, folder):
            if isinstance(value, np.ndarray):
                known = np.where(np.isnan(value), NOT_A_NUMBER, np.clip(value, -ENDLESS, ENDLESS) if np.isinf(value).any() else value)
                total += float(known @ _weights(path, len(known)))
                squares += float(known @ known)
            else:
                words += crc32(f"{path}={value}".encode())
        found[part] = total, max(squares**0.5, 1.0)
        found[part + WORDS] = (words % 2**32) / 2**32, 1.0
    return found


def leaves(values: dict[str, Any], folder: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path of each value with its numbers as an array `(n,)`, or as a word; JSON is taken apart."""
    for path, value in values.items():
        path = path.replace(folder, "<folder>") if folder else path
        if isinstance(value, bool | int):
            yield path, value
            continue
        if isinstance(value, str) and value[:1] in "{[" and (read := _read(value)) is not None:
            value = read
        if isinstance(value, dict):
            yield from leaves({f"{path}.{name}": each for name, each in value.items()}, folder)
        elif isinstance(value, float | np.floating):
            yield path, np.array([float(value)])
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
            yield f"{path} {value.shape}", value.reshape(-1).astype(float)
        elif isinstance(value, list | tuple):
            if value and all(type(each) in (float, int) for each in value):
                yield f"{path} {len(value)}", np.array(value, dtype=float)
            else:
                yield f"{path} count", len(value)
                yield from leaves({f"{path}.{number}": each for number, each in enumerate(value)}, folder)
        else:
            yield path, _each_time_the_same(str(value), folder)


def _each_time_the_same(words: str, folder: str) -> str:
    """Return words without what is another each time, or in another checkout."""
    words = words.replace(folder, "<folder>") if folder else words
    return EACH_TIME.sub("<each time>", words.replace(CHECKOUT, "<checkout>"))


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _weights(path: str, count: int) -> np.ndarray:
    """Return weights of 0.5 to 1.5 `(count,)` that no other path has."""
    return 0.5 + (crc32(path.encode()) / 2**32 + GOLDEN * np.arange(count)) % 1.0
