"""Training on a character's profile in a separate Python while Blender keeps running: started, watched by a timer, cancelled, finished.

PyTorch is never loaded into Blender.  The other process gets a profile and a folder of its own, and reports progress as lines of
JSON in a file there; nothing here waits for it.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import bpy
from bpy.app.handlers import persistent

from ....core.errors import NeuraRigError
from ...animation.deletion import object_of
from ...interface import screen
from ...live import handlers
from ..changes import changes
from . import gait_source

INTERVAL_S = 0.25
PACKAGE = Path(__file__).resolve().parents[3]  # neurarig_addon
NEEDED = "torch numpy"
_CHECK = "import numpy, torch; print(torch.__version__)"
_STOP_WITHIN_S = 2.0


@dataclass
class _Run:
    """A running training; the character is known by its identity, as Blender's Python objects do not survive undo."""

    uid: int
    name: str
    python: str
    made_for: str
    folder: tempfile.TemporaryDirectory
    options: list[str]
    process: subprocess.Popen
    learns: bool = False  # the Python is checked first, then it trains
    share: float = 0.0
    text: str = "Starting PyTorch"

    def file(self, name: str) -> Path:
        """Return a file of this run."""
        return Path(self.folder.name) / name


_run: _Run | None = None
_said = ""
_asked = "python3"


def is_running() -> bool:
    """Return whether a training is running."""
    return _run is not None


def progress() -> tuple[float, str]:
    """Return the share done and its text; without a training, 0 and how the last one ended."""
    return (_run.share, _run.text) if _run else (0.0, _said)


def pip_line() -> str:
    """Return the command that installs what the last checked Python needs for training."""
    return f'"{_asked}" -m pip install {NEEDED}'


def start(obj: bpy.types.Object, python: str, steps: int, seed: int) -> None:
    """Start training on a character's profile with its constants as set; raises NeuraRigError if it cannot start."""
    global _run, _said, _asked
    if _run is not None:
        raise NeuraRigError(f"Training for '{_run.name}' is running; cancel it or wait until it ends.")
    if not python or not Path(python).is_file():
        raise NeuraRigError(f"There is no Python '{python}' to train with; set Training Python in NeuraRig's preferences.")
    gait_source.profile_gait(obj.neurarig.walk)
    text = gait_source.profile_of(obj.neurarig.walk).to_json()
    folder = tempfile.TemporaryDirectory(prefix="neurarig-", ignore_cleanup_errors=True)
    (Path(folder.name) / "profile.json").write_text(text, encoding="utf-8")
    options = ["--steps", str(steps), "--seed", str(seed)]
    process = _started(folder.name, [python, "-c", _CHECK])
    _run = _Run(obj.session_uid, obj.name, python, gait_source.digest(text), folder, options, process)
    _said, _asked = "", python
    bpy.app.timers.register(_look, first_interval=INTERVAL_S, persistent=True)


def cancel(why: str = "Training cancelled; nothing was changed") -> None:
    """End the other process; the character keeps its weights."""
    if _run is not None:
        _end(why)


def _started(folder: str, command: list[str]) -> subprocess.Popen:
    """Start a process that writes to files in the folder and finds this package, but nothing of Blender's own Python."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    environment["PYTHONPATH"] = str(PACKAGE.parent)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {}
    try:
        with Path(folder, "out").open("wb") as out, Path(folder, "err").open("wb") as err:
            return subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, **hidden)
    except OSError as problem:
        raise NeuraRigError(f"'{command[0]}' cannot be started ({problem.strerror}); set another Training Python.") from problem


def _look() -> float | None:
    """Check the training; called by Blender's timer."""
    if _run is None:
        return None
    try:
        ended = _run.process.poll()
        if ended is None:
            _show_progress()
        elif ended != 0:
            _end(_failure())
        elif not _run.learns:
            _learn()
        else:
            _finish()
    except Exception as error:
        reason = str(error) if isinstance(error, NeuraRigError) else f"internal error, {type(error).__name__}: {error}"
        _end(f"The training failed: {reason}")
    screen.redraw()
    return INTERVAL_S if _run is not None else None


def _learn() -> None:
    """Proceed from the check of the Python to the training."""
    arguments = ["learn", "--profile", "profile.json", "--out", "rig_model.pt", "--json", *_run.options]
    _run.process = _started(_run.folder.name, [_run.python, "-m", f"{PACKAGE.name}.training.trainee", *arguments])
    _run.learns, _run.text = True, "Checking the profile"


def _show_progress() -> None:
    lines = _run.file("out").read_text(encoding="utf-8", errors="replace").splitlines() if _run.learns else []
    for line in reversed(lines):
        try:
            progress = json.loads(line)
            _run.share = progress["step"] / max(progress["steps"], 1)
            _run.text = f"Error {progress['best']:.1e}, {progress['seconds_left']:.0f} s left"
            return
        except (ValueError, KeyError, TypeError):  # a partly written line
            continue


def _finish() -> None:
    """Store the trained weights in the character's settings."""
    weights = _run.file("rig_model.safetensors").read_bytes()
    obj = object_of(_run.uid)
    if obj is None:
        _end(f"'{_run.name}' is gone, so the trained weights were dropped.")
        return
    _show_progress()
    settings = obj.neurarig.walk
    said = f"Trained on '{settings.profile_name}'. {_run.text.partition(',')[0]} (m, rad)"
    with changes.as_one(obj):
        settings.profile_weights = base64.b64encode(weights).decode("ascii")
        settings.profile_weights_for = f"{_run.made_for}:{hashlib.sha256(weights).hexdigest()}"
        settings.use_trained = True
    _end(said)


def _failure() -> str:
    """Return, in one sentence, why the other process failed."""
    lines = _run.file("err").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    last = lines[-1] if lines else "no reason was given"
    if not _run.learns and "No module named" in last:
        return f"'{_run.python}' has no {last.rpartition(' ')[2]}. Install it in a terminal: {pip_line()}"
    return f"The training failed: {last}"


def _end(why: str) -> None:
    global _run, _said
    ended, _run = _run, None
    _said = why
    if ended.process.poll() is None:
        ended.process.terminate()
        try:
            ended.process.wait(_STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            ended.process.kill()
            ended.process.wait()
    ended.folder.cleanup()
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)


@persistent
def _on_load(_path=None, _=None) -> None:
    cancel("Another file was opened, so the training was cancelled")


_HANDLERS = ((bpy.app.handlers.load_pre, _on_load),)


def register() -> None:
    """Start watching for another file being opened."""
    handlers.add(_HANDLERS)


def unregister() -> None:
    """End a training and stop watching."""
    global _said
    cancel()
    _said = ""
    handlers.remove(_HANDLERS)
