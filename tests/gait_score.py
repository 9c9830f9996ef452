"""How human a BVH walk is, by the gait judge of the shared data (see tests/shared_data.py)."""

import json
import sys
from importlib import util
from pathlib import Path
from types import ModuleType

from tests.shared_data import find_shared


def load_judge() -> ModuleType | None:
    """Return the judge as a module, or None where the shared data is missing."""
    path = find_shared("tools", "gait_eval.py")
    if path is None:
        return None
    spec = util.spec_from_file_location("gait_eval", path)
    assert spec and spec.loader
    module = util.module_from_spec(spec)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = bytecode
    return module


def score_walk(judge: ModuleType, path: Path) -> dict:
    """Return the judge's report on a BVH file: `score_0_100`, `group_z`, `worst` and the measured numbers."""
    positions, rotations, fps, joints, _, _ = judge.load(str(path))
    gait = judge.analyse(positions, fps, joints, rotations)
    reference = json.loads(Path(judge.__file__).with_name("gait_ref_train.json").read_text())
    return judge.evaluate(gait, reference)
