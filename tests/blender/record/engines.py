"""What goes on beside Blender: a link to a game engine, ticked by hand, and training in another Python, here a few lines of shell."""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import bpy
import numpy as np

from examples.link_client import Client
from neurarig_addon.blender import api
from neurarig_addon.blender.engine import link as engine_link
from neurarig_addon.blender.interface import screen
from neurarig_addon.blender.walk.manner import gait_source, trainer
from neurarig_addon.blender.walk.show import live
from neurarig_addon.core.logic.profile import FOLDER
from tests.blender.record.characters import hero, walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

PATIENCE = 400  # looks at what arrives
WEIGHTS = sorted(FOLDER.parent.glob("**/*.safetensors"))


def link(obj: bpy.types.Object, mode: str, seen: Seen) -> Client:
    """Start a link on free ports, and return a client of it."""
    make_active(obj)
    at = engine_link.start(obj, mode, port=0, debug_port=0)
    seen.note("listens", at.partition(", port")[0])
    return Client(port=engine_link.server().address[1])


def frame(speed: float, t_cycle: float) -> np.ndarray:
    """Return the inputs of one frame of a walk."""
    side = (0.43, 0.43, 0.0, 0.1)
    return np.array([speed, *side, 0.43, 0.43, 0.5, 0.1, t_cycle, t_cycle + 10.0])


def ticked(seen: Seen, name: str, until: Callable[[], object] = lambda: True) -> None:
    """Let the timer come round until something has come, and look at bones as they are now."""
    found: object = None
    for _ in range(PATIENCE):
        answer = engine_link._tick()
        if answer is None or ((found := until()) is not None and found is not False):
            break
        time.sleep(0.002)
    seen.note(name, [answer, engine_link.is_running(), engine_link.status() if answer is None else ""])
    seen.note(f"{name} came", None if found is None or isinstance(found, bool) else np.asarray(found, dtype=float))
    for obj in bpy.context.scene.objects:
        if obj.type == "ARMATURE":
            shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            seen.note(f"{name} {obj.name}", np.array([bone.matrix for bone in shown.pose.bones]))


def driven(profile: str, seen: Seen) -> None:
    """Have an engine drive a character by frames, and stop."""
    obj = walker("other", **({"profile": profile} if profile else {}))
    with link(obj, "DRIVE", seen) as client:
        seen.ask(engine_link.start, obj, "STREAM", port=0, debug_port=0)
        seen.panels("linked")
        seen.note("live", [live.is_walking(obj), obj.neurarig.walk.live])
        for number, t_cycle in enumerate((0.05, 0.4, 0.4, 0.8)):
            client.send(frame(1.2, t_cycle))
            before = engine_link._link.served
            ticked(seen, f"frame {number}", lambda before=before: engine_link._link.served is not before)
        bpy.context.scene.frame_set(9)
        ticked(seen, "scrubbed")
        if profile:
            constant = obj.neurarig.walk.profile_constants["lift_share"]
            constant.value *= 2.0
            client.send(frame(1.2, 0.4))
            before = engine_link._link.served
            ticked(seen, "another constant", lambda: engine_link._link.served is not before)
        obj.name = "Renamed"
        ticked(seen, "renamed")
        with patch.object(engine_link, "monotonic", lambda: engine_link._link.due - 0.1):
            engine_link._link.line = "as it was"
            engine_link._tick()
            seen.note("not yet", engine_link.status())
        engine_link._link.due = 0.0
        engine_link._tick()
        seen.note("told", bool(engine_link.status()))
    seen.press("stop_link")
    seen.press("stop_link")
    seen.look(1, 9)


def streamed(profile: str, seen: Seen) -> None:
    """Stream a walk out, with a listener and without, and end it by what spoils it."""
    obj = walker("other", **({"profile": profile} if profile else {}))
    with link(obj, "STREAM", seen) as client:
        seen.note("live", live.is_walking(obj))
        ticked(seen, "nobody hears")
        client.handshake({}, 0.0)
        client.outputs = len(engine_link.server().teacher.profile.outputs)
        client.ping()
        ticked(seen, "first", lambda: client.receive(0.0))
        ticked(seen, "the same", lambda: client.receive(0.0) is not None or True)
        for number in (4, 11.5):
            bpy.context.scene.frame_set(int(number), subframe=number % 1)
            ticked(seen, f"frame {number}", lambda: client.receive(0.0))
        obj.neurarig.walk.speed = 1.6
        bpy.context.view_layer.update()
        ticked(seen, "faster", lambda: client.receive(0.0))
        if profile:
            obj.neurarig.walk.profile = "{}"
        else:
            seen.ask(api.remove_walk, obj)
        ticked(seen, "spoilt", lambda: None)
    seen.panels("ended")
    seen.look(1)


def ended(seen: Seen) -> None:
    """End links by opening a file, by deleting the character, and by an error; and buttons that refuse."""
    redrawn: list[str] = []
    areas = [SimpleNamespace(type=kind, tag_redraw=partial(redrawn.append, kind)) for kind in ("VIEW_3D", "OUTLINER", "VIEW_3D")]
    manager = SimpleNamespace(windows=[SimpleNamespace(screen=SimpleNamespace(areas=areas))])
    with patch.object(screen, "bpy", SimpleNamespace(context=SimpleNamespace(window_manager=manager))):
        screen.redraw()
    seen.note("redrawn", redrawn)
    obj = walker()
    for mode in ("STREAM", "DRIVE"):
        seen.press("start_link", mode=mode, port=0, debug_port=0)
        seen.press("start_link", mode=mode, port=0, debug_port=0)
        seen.note("timer", bpy.app.timers.is_registered(engine_link._tick))
        engine_link._on_load()
        seen.note("ended", [engine_link.status(), engine_link.is_running(), bpy.app.timers.is_registered(engine_link._tick)])
        seen.panels(mode)
        seen.look(1)
    with link(obj, "DRIVE", seen), patch.object(engine_link, "_drive", partial(_raises, ValueError("a bug"))):
        seen.ask(engine_link._tick)
        seen.note("ended", engine_link.status())
    with link(obj, "DRIVE", seen):
        bpy.data.objects.remove(obj)
        seen.ask(engine_link._tick)
        seen.note("ended", engine_link.status())
    bpy.context.view_layer.update()
    hero()
    seen.press("start_link")
    engine_link.unregister()
    engine_link.register()
    seen.note("forgotten", engine_link.status())


def _raises(problem: Exception, *_: object) -> None:
    raise problem


def shell(folder: Path, script: str) -> str:
    """Return a program that takes the place of the Python that trains."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def looked(seen: Seen, name: str, until: Callable[[], bool] = lambda: not trainer.is_running()) -> None:
    """Let the timer come round until the training has ended."""
    for _ in range(PATIENCE):
        answer = trainer._look()
        if until():
            break
        time.sleep(0.01)
    seen.note(name, [answer, trainer.is_running(), *trainer.progress(), bpy.app.timers.is_registered(trainer._look)])


def trained(seen: Seen) -> None:
    """Train by what stands in for Python: without PyTorch, failing, to the end, cancelled; and what cannot begin."""
    if sys.platform == "win32":
        return
    obj = walker()
    make_active(obj)
    seen.press("train_profile", python="/nowhere")
    seen.ask(api.use_profile, obj, "Plain Biped")
    seen.press("train_profile", python="/nowhere")
    looked(seen, "none")
    seen.press("cancel_training")
    learns = 'case "$1" in -c) exit 0;; esac\n'
    scripts = {
        "no torch": "echo one >&2; echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1",
        "silent": "exit 3",
        "fails": f"{learns}echo \"No module named 'x'\" >&2; exit 1",
        "makes nothing": f"{learns}: > rig_model.safetensors",
        "makes": learns + 'echo "$@" > /dev/null; printf \'{"step": 3, "steps": 4, "best": 0.00012, "seconds_left": 7}\\n{"st\' \n'
        f'cp "{WEIGHTS[0]}" rig_model.safetensors' if WEIGHTS else "exit 0",
    }  # fmt: skip
    for name, script in scripts.items():
        seen.press("train_profile", python=shell(seen.folder, script), steps=4)
        looked(seen, name)
        seen.note("line", trainer.pip_line())
        seen.press("copy_pip_line")
        if name == "makes":
            walk = obj.neurarig.walk
            seen.note("weights", [len(walk.profile_weights), walk.profile_weights_for, walk.use_trained, gait_source.is_trained(walk)])
            seen.bones("trained", (1, 9))
            walk.profile_constants["lift_share"].value *= 1.1
            seen.panels("other constants")
            seen.note("trained", gait_source.is_trained(walk))
    going = shell(seen.folder, learns + 'printf \'{"step": 1, "steps": 4, "best": 0.5, "seconds_left": 9}\\nhalf\'; exec sleep 60')
    for name in ("cancelled", "opened", "stubborn"):
        seen.press("train_profile", python=going, steps=4)
        seen.press("train_profile", python=going)
        seen.ask(trainer.start, obj, going, 4, 0)
        looked(seen, name, lambda: trainer.progress()[0] > 0.0)
        folder = Path(trainer._run.folder.name)
        seen.note("profile", (folder / "profile.json").exists())
        if name == "cancelled":
            seen.press("cancel_training")
        else:
            trainer._on_load()
        looked(seen, name)
        seen.note("left", folder.exists())
    seen.press("train_profile", python=shell(seen.folder, scripts["makes"]), steps=4)
    bpy.data.objects.remove(obj)
    looked(seen, "gone")
    trainer.unregister()
    trainer.register()
    seen.note("forgotten", trainer.progress())


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"driven {profile or 'by people'}": partial(driven, profile) for profile in ("", "Plain Biped")},
        **{f"streamed {profile or 'of people'}": partial(streamed, profile) for profile in ("", "Stalking Wader")},
        "ended": ended,
        "trained": trained,
    }
