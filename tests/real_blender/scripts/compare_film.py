"""See in the rendered pictures that the hand is where it was when scrubbed: compare_film.py -- FILE.blend."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.blender.filming import NEAR, rendered_at

file = Path(sys.argv[-1])
off = np.abs(rendered_at(str(file.with_suffix("")) + "_") - np.load(file.with_suffix(".npy"))).max()
print(f"at most {off / NEAR:.2f} of what can be told")
assert off < NEAR
