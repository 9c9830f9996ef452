"""Save a file with one plain biped: make_character.py -- FILE.blend."""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests import rigs

bpy.ops.wm.read_homefile(use_empty=True)
rigs.build(rigs.biped(arm_drop_deg=45.0))
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
