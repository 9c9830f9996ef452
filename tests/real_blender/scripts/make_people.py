"""Save a file with Rigify humans in a row, with a skin each: make_people.py -- FILE.blend."""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests import rigs, skins

bpy.ops.wm.read_homefile(use_empty=True)
for number in range(3):
    rig = rigs.rigify_human()
    rig.location.x = 2.0 * number
    skins.dressed(rig)
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
