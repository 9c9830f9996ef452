"""What may happen to a file: bytes change, parts go, come twice or a thousand times, and words turn up that
nobody expects."""

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any

from neurarig_addon.core.files.json_text import is_finite

Words = Sequence[bytes]
INFLATED = 60_000  # bytes that a part may grow by
NUMBERS = (
    b"nan",
    b"-inf",
    b"1e999",
    b"1e-320",
    b"-0",
    b"9" * 400,
    b"1_0",
    b"2147483648",
    b"18446744073709551616",
    b"0x1F",
    "٣".encode(),
)
BREAKS = (b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b" " * 99)
SIGNS = (*BREAKS, *(bytes([sign]) for sign in b"\"'\\[]{}():|"))
TEXTS = (
    *NUMBERS,
    *SIGNS,
    b",",
    b";",
    b"null",
    b"true",
    "ü😀﷽".encode(),
    b"FBXASC032",
    b"_x",
    b"[X]",
    b"\xed\xa0\x80",
    b"a " * 40,
)
PATTERNS = (
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\0\0\xc0\x7f",
    b"\0\0\x80\x7f",
    b"\x7f\x80\0\0",
    b"\1\0",
)
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1e308, 10**30, 10**400, [], {}, [[]], {"a": {}}, 2**31, 0.5),
    *(
        "",
        "x",
        "_pi",
        "(" * 60,
        "sum(" + "1," * 900 + "1)",
        "2^2^2^2^2^2",
        "\ud800",
        "1/0",
        "é" * 3000,
        "9" * 400,
    ),
)
FORMULAS = (
    b"(",
    b")",
    b"?",
    b"^",
    b"* *",
    b"sin(",
    b"fmod(",
    b"max()",
    b"1/0",
    b"((((((((",
    b"phase",
    b"_pi",
    b"-",
    b"1e999",
    b"__class__",
)
_PACKINGS = (*[zipfile.ZIP_DEFLATED] * 6, *[zipfile.ZIP_STORED] * 3, zipfile.ZIP_BZIP2)
_SEPARATORS = b' ,\n\t:{}[];"'


def spoiled(rng: Random, content: bytes, words: Words = TEXTS) -> bytes:
    """Return a file with one to eight things wrong; `words`: what may stand where something else should."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _spoil(rng, data, words)
    return bytes(data)


def _spoil(rng: Random, data: bytearray, words: Words) -> None:
    if not data:
        return
    at = rng.randrange(len(data))
    end = min(at + rng.choice((1, 2, 4, 20, 200)), len(data))
    other = rng.randrange(len(data))
    kind = rng.randrange(9)
    if kind == 0:
        data[at] = rng.randrange(256)
    elif kind == 1:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 2:
        del data[at:end]
    elif kind == 3:
        data[at:at] = data[other : other + end - at]
    elif kind == 4:
        data[at:at] = rng.choice(words)
    elif kind == 5:
        data[at : at + 4] = rng.choice(PATTERNS)
    elif kind == 6:  # a word by another
        while end < len(data) and data[end] not in _SEPARATORS:
            end += 1
        data[at:end] = rng.choice(words)
    elif kind == 7 and rng.random() < 0.3:
        del data[at:]
    elif kind == 8:  # far too much of something
        part = rng.choice((bytes(data[at:end]), rng.choice(words) or b"\0"))
        data[at:at] = part * rng.randint(1, max(INFLATED // len(part), 1))


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return every place of JSON data as its owner and key."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [place for key in keys for place in ((data, key), *places(data[key]))]


def spoiled_json(rng: Random, content: bytes) -> bytes:
    """Return JSON with other values, entries that are missing, repeated or renamed, and texts that are
    spoiled."""
    data = json.loads(content)
    for _ in range(rng.randint(1, 3)):
        owner, key = rng.choice(places(data) or [({"": 0}, "")])
        kind = rng.random()
        if kind < 0.4 and is_finite(owner[key]):
            owner[key] *= rng.uniform(-3.0, 3.0)
        elif kind < 0.4 and isinstance(owner[key], str):
            owner[key] = spoiled(
                rng, owner[key].encode("utf-8", "surrogatepass"), (*TEXTS, *FORMULAS)
            ).decode("utf-8", "surrogateescape")
        elif kind < 0.7:
            owner[key] = deepcopy(rng.choice(VALUES))
        elif kind < 0.8:
            del owner[key]
        elif isinstance(owner, dict):
            owner[rng.choice(("", "é", "Size", "Rules", "x" * 5000))] = owner.pop(key)
        else:
            owner[key:key] = [deepcopy(owner[rng.randrange(len(owner))])] * rng.choice((1, 1, 300))
    return json.dumps(data).encode("utf-8", "surrogatepass")


def spoiled_weights(rng: Random, content: bytes) -> bytes:
    """Return a safetensors file spoiled anywhere, or in its header, whose length is then mostly right."""
    if rng.random() < 0.3:
        return spoiled(rng, content, PATTERNS)
    size = int.from_bytes(content[:8], "little")
    header = content[8 : 8 + size]
    header = spoiled_json(rng, header) if rng.random() < 0.5 else spoiled(rng, header)
    told = len(header) if rng.random() < 0.9 else rng.choice((0, 7, 2**40, 2**63))
    return told.to_bytes(8, "little") + header + content[8 + size :]


def spoiled_archive(rng: Random, content: bytes) -> bytes:
    """Return a zip file spoiled anywhere, or packed again with spoiled, inflated and renamed entries."""
    if rng.random() < 0.3:
        return spoiled(rng, content, PATTERNS)
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(io.BytesIO(content)) as old:
        warnings.simplefilter("ignore")  # the same name twice
        names = old.namelist()
        hit = rng.sample(names, min(rng.choice((0, 1, 1, 1, 2, 3)), len(names)))
        with zipfile.ZipFile(packed, "w", rng.choice(_PACKINGS)) as new:
            for name in names:
                kind = rng.randrange(5) if name in hit else -1
                entry = old.read(name)
                if kind in (0, 1, 2):
                    entry = spoiled(rng, entry[:160]) + entry[160:]
                elif kind == 3:
                    entry = claimed(rng)
                if kind != 4 or rng.random() < 0.5:
                    new.writestr(rng.choice([*names, "../x.npy", "é.npy"]) if kind == 4 else name, entry)
    return packed.getvalue()


def claimed(rng: Random) -> bytes:
    """Return an array of .npy whose header claims other numbers than there are, or very many zeros."""
    kind = rng.choice(
        ("<f8", "|u1", "|b1", "<U9", ">f4", "<f2", "|S3", "<U200000", "|O", "<M8[s]", "<c16", "<f16", "<U0")
    )
    shape = rng.choice(
        (
            "()",
            "(8,)",
            "(8, 66)",
            "(8, 11, 3)",
            "(4000000, 11, 3)",
            "(1000000000000, 3)",
            "(0, 3)",
            "(3, -1)",
            "(2, 2L)",
        )
    )
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header = spoiled(rng, header) if rng.random() < 0.3 else header
    version = rng.choice((1, 1, 1, 2, 3, 9))
    length = struct.pack(
        "<H" if version == 1 else "<I",
        min(len(header), 0xFFFF) if rng.random() < 0.9 else rng.choice((0, 0xFFFF)),
    )
    return (
        b"\x93NUMPY"
        + bytes([version, 0])
        + length
        + header
        + bytes(rng.choice((0, 1, 64, 704, 2112, 4224, 8_000_000)))
    )
