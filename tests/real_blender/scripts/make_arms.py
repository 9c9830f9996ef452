"""Save a file with a trunk, arms and no legs: make_arms.py -- FILE.blend."""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests import rigs

bpy.ops.wm.read_homefile(use_empty=True)
rigs.build(rigs.arms_only())
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
