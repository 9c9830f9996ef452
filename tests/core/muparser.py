"""The muParser library of the system, to compare formulas with: Debian and Ubuntu have it as
libmuparser2v5."""

import ctypes
import ctypes.util
import os
from collections.abc import Mapping

import numpy as np
import pytest

_DOUBLE = ctypes.c_double
_ARRAY = ctypes.POINTER(_DOUBLE)
_CLAMP = ctypes.CFUNCTYPE(_DOUBLE, _DOUBLE, _DOUBLE, _DOUBLE)
_VOLATILE = 0  # do not fold calls on constants: the functions below are all the same to muParser


class MuParser:
    """A parser with the functions that NeuraRig adds to muParser's own."""

    def __init__(self):
        """Load the library; the calling test is skipped where it is missing."""
        path, maths = ctypes.util.find_library("muparser"), ctypes.util.find_library("m")
        if not (path and maths):
            pytest.skip("muParser is missing (apt-get install libmuparser2v5)")
        # Its threads would mostly wait for one another.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        self._library = ctypes.CDLL(path)
        self._library.mupCreate.restype = ctypes.c_void_p
        self._library.mupGetErrorMsg.restype = ctypes.c_char_p
        self._library.mupDefineBulkVar.argtypes = ctypes.c_void_p, ctypes.c_char_p, _ARRAY
        self._parser = ctypes.c_void_p(self._library.mupCreate(0))
        # Without a handler of ours the library prints errors.
        self._silent = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda parser: None)
        self._library.mupSetErrorHandler(self._parser, self._silent)
        c = ctypes.CDLL(maths)
        self._library.mupDefineFun2(self._parser, b"fmod", c.fmod, _VOLATILE)
        self._library.mupDefineFun2(self._parser, b"pow", c.pow, _VOLATILE)
        self._clamp = _CLAMP(lambda value, low, high: low if value < low else high if high < value else value)
        self._library.mupDefineFun3(self._parser, b"clamp", self._clamp, _VOLATILE)

    def evaluate(self, formula: str, values: Mapping[str, np.ndarray], rows: int) -> np.ndarray:
        """Return a formula's values `(rows,)` for named values `(rows,)`; raises ValueError with muParser's
        message."""
        columns = {
            name: np.array(np.broadcast_to(value, rows), dtype=float) for name, value in values.items()
        }
        found = np.zeros(rows)
        self._library.mupClearVar(self._parser)
        for name, column in columns.items():
            self._library.mupDefineBulkVar(self._parser, name.encode(), column.ctypes.data_as(_ARRAY))
        self._library.mupSetExpr(self._parser, formula.encode())
        self._library.mupEvalBulk(self._parser, found.ctypes.data_as(_ARRAY), rows)
        if self._library.mupError(self._parser):
            raise ValueError(self._library.mupGetErrorMsg(self._parser).decode())
        return found
