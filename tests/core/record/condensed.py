"""A few numbers that tell of anything: sums over all values in it, each with a weight of its own, so that none can change unseen."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from zlib import crc32

import numpy as np

NOT_A_NUMBER, ENDLESS = 12.345, 678.9  # stand for what cannot be added up
Answer = Mapping[str, object]


def condensed(answer: Answer) -> dict[str, tuple[float, float]]:
    """Return for each part of an answer the weighted sum of all in it, and its size: the root of the sum of their squares."""
    found = {}
    for name, part in answer.items():
        sums = [_sum(path, np.asarray(leaf)) for path, leaf in _leaves("", part)]
        found[name] = (float(sum(total for total, _ in sums)), float(np.sqrt(sum(size for _, size in sums))))
    return found


def _sum(path: str, values: np.ndarray) -> tuple[float, float]:
    """Return the weighted sum of a leaf, and the sum of the squares; the weights are drawn by where it is found."""
    if values.dtype.kind in "USO":
        values = np.array([crc32(str(text).encode()) / 2.0**32 for text in values.reshape(-1)])
    values = np.append(values.astype(float).reshape(-1), np.shape(values))  # the shape too
    values = np.where(np.isnan(values), NOT_A_NUMBER, np.clip(values, -ENDLESS, ENDLESS) if np.isinf(values).any() else values)
    weights = np.random.default_rng(crc32(path.encode())).uniform(0.5, 1.5, len(values))
    return float(weights @ values), float(values @ values)


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield what has no parts with where it is found: arrays, numbers, texts; of sets and mappings, by their sorted names."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _leaves(f"{path}.{field.name}", getattr(value, field.name))
    elif isinstance(value, Mapping):
        for name in sorted(value, key=str):
            yield from _leaves(f"{path}.{name}", value[name])
    elif isinstance(value, set | frozenset):
        yield path, np.array(sorted(map(str, value)))
    elif isinstance(value, list | tuple):
        yield f"{path}.count", len(value)
        for number, each in enumerate(value):
            yield from _leaves(f"{path}.{number}", each)
    elif isinstance(value, bytes):
        yield path, np.frombuffer(value, np.uint8)
    elif value is None or isinstance(value, slice | str | bool | int | float | np.generic | np.ndarray):
        yield path, repr(value) if value is None or isinstance(value, slice) else value
    else:
        raise TypeError(f"{path}: {type(value).__name__} has no numbers in it")
