"""The link between Blender and a game engine: an engine drives a character, or Blender streams its walk out.

A timer polls the server for a few milliseconds at a time, so the window never waits. One link at a time,
never saved with a file: it
ends when stopped, when another file is opened, when its character is gone, and when the add-on is disabled.
"""

from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy.types import Object, Scene

from ...core.contract.channels import CHANNELS
from ...core.contract.inputs import legs_of
from ...core.errors import NeuraRigError
from ...core.gait.contract_pose import outputs_of, posed, resized
from ...core.gait.kinds.profile_gait import ProfileGait
from ...core.human.gait_network import GaitNetwork, HumanContract
from ...link.brains import OnlineBrains
from ...link.handshake import LOOPBACK
from ...link.server import Served, Server, Status
from ...link.sessions import NewBrain
from ..animation.objects import object_of
from ..animation.write_pose import apply_row
from ..character import record
from ..interface import screen
from ..walk.manner.gait_source import PROFILE, profile_gait, source_key
from ..walk.show import live
from ..walk.source import source as walk_source

DRIVE, STREAM = "DRIVE", "STREAM"
INTERVAL_S = 1.0 / 120.0
# a packet may take longer, up to four times; then Blender has the more time before the next ones
BUDGET_S = 0.004
LONGEST_REST_S = 0.1
STATUS_S = 0.5


@dataclass
class _Link:
    """A running link; the character is kept by name and identity, since Blender's objects do not outlive
    undo."""

    server: Server
    status: Status
    mode: str
    name: str
    uid: int
    contract: ProfileGait | HumanContract  # converts inputs and outputs to channels
    taught_from: tuple  # the key of the gait source that the server teaches
    line: str = ""
    due: float = 0.0
    served: Served | None = None
    streamed: tuple = ()

    def character(self) -> Object | None:
        """Return the character, or None if it is gone or has no walk."""
        obj = bpy.data.objects.get(self.name)
        if obj is None or obj.session_uid != self.uid:
            obj = object_of(self.uid)
        return obj if obj is not None and record.holds(obj, record.WALK) else None


_link: _Link | None = None
_last_line = ""


def is_running() -> bool:
    """Return whether there is a link."""
    return _link is not None


def status() -> str:
    """Return the link's status, or why it ended."""
    return _link.line if _link else _last_line


def server() -> Server | None:
    """Return the server of the running link, for scripts and tests."""
    return _link.server if _link else None


def start(obj: Object, mode: str, port: int = 6003, debug_port: int | None = 6004) -> str:
    """Start serving a walking character and return the address; raises NeuraRigError if ports are taken or
    the profile cannot be served.

    Blender listens on this computer only; `python -m neurarig_addon.link`, from the repository, can listen
    elsewhere.

    DRIVE: frames of inputs are answered, and the newest answer poses the character instead of its own walk.
    STREAM: every frame that Blender shows is sent as an answer to every client.
    """
    global _link
    if _link is not None:
        raise NeuraRigError(f"'{_link.name}' is linked to an engine already. Stop that link first.")
    walk_source.source_of(obj)
    contract, profile, brains = _contract(obj, mode)
    server = Server(profile, brains, LOOPBACK, port, debug_port)
    _link = _Link(
        server, Status(server), mode, obj.name, obj.session_uid, contract, source_key(obj.neurarig.walk)
    )
    if mode == DRIVE:
        live.pause(obj)
    bpy.app.timers.register(_tick, first_interval=INTERVAL_S, persistent=True)
    _link.line = "Waiting for an engine"
    return f"Listening on {server.address[0]}, port {server.address[1]}."


def stop(why: str = "") -> None:
    """End the link and free its ports; the character goes back to its own walk."""
    global _link, _last_line
    if _link is None:
        return
    ended, _link = _link, None
    ended.server.close()
    _last_line = why
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    obj = ended.character()
    live.go_on(ended.uid)
    if obj is not None:
        live.refresh(obj)


def _contract(obj: Object, mode: str) -> tuple[ProfileGait | HumanContract, Any, NewBrain | None]:
    """Return the converter of inputs and outputs to channels, what the server teaches, and its brains: None
    if Blender's walk answers."""
    if obj.neurarig.walk.gait_source != PROFILE:
        human = HumanContract(GaitNetwork.load())
        return human, human, human if mode == DRIVE else None
    gait = profile_gait(obj.neurarig.walk)
    return gait, gait.profile, OnlineBrains.of(gait.profile) if mode == DRIVE else None


def _tick() -> float | None:
    """Answer what has arrived, and pose the character or send its pose; called by Blender's timer."""
    try:
        obj = _link.character()
        if obj is None:
            stop(f"'{_link.name}' no longer has a walk, so its link ended.")
            return None
        _follow_gait_source(obj)
        begun = perf_counter()
        _link.server.poll(BUDGET_S)
        rest = (perf_counter() - begun) * (INTERVAL_S / BUDGET_S - 1.0)
        scene = bpy.context.scene
        if _link.mode == DRIVE:
            _drive(obj, scene)
        else:
            _stream(obj, scene)
        _show_status()
    except Exception as error:
        reason = (
            str(error)
            if isinstance(error, NeuraRigError)
            else f"internal error, {type(error).__name__}: {error}"
        )
        print(f"NeuraRig: the link ended: {reason}")
        stop(f"The link ended: {reason}")
        return None
    return min(max(INTERVAL_S, rest), LONGEST_REST_S)


def _follow_gait_source(obj: Object) -> None:
    """Switch the server to another profile or other constants, if they changed."""
    key = source_key(obj.neurarig.walk)
    if key != _link.taught_from:
        _link.contract, profile, brains = _contract(obj, _link.mode)
        _link.server.set_profile(profile, brains)
        _link.taught_from = key


def _drive(obj: Object, scene: Scene) -> None:
    """Pose the character by the newest frame: by its answer, or by the teacher's targets while there is
    none."""
    served = _link.server.newest
    if served is None or served is _link.served:
        return
    _link.served = served
    outputs = served.outputs if served.outputs is not None else _link.server.teacher.targets(served.inputs)
    source = walk_source.source_of(obj, scene)
    inputs = np.asarray(served.inputs, dtype=float)[None]
    values = _link.contract.channels_of(inputs, np.asarray(outputs, dtype=float)[None])
    legs = float(legs_of(inputs)[0])
    pose = posed(source.body, resized(values, source.body.leg_length / legs))
    apply_row(obj, source.solve_alone(pose), 0)


def _stream(obj: Object, scene: Scene) -> None:
    """Send the shown frame, if it, the walk or the clients have changed."""
    source = walk_source.source_of(obj, scene)
    frame = scene.frame_current_final
    clients = tuple(_link.server.sessions.addresses())
    now = frame, id(source), clients
    if not clients or now == _link.streamed:
        return
    _link.streamed = now
    sent = dict(zip(CHANNELS, outputs_of(source.body, source.pose(np.array([frame])))[0], strict=False))
    _link.server.publish(np.array([sent.get(name, 0.0) for name in _link.server.teacher.profile.outputs]))


def _show_status() -> None:
    if monotonic() < _link.due:
        return
    _link.due = monotonic() + STATUS_S
    _link.line = _link.status.line()
    screen.redraw()


@persistent
def _on_load(_path=None, _=None) -> None:
    stop("Another file was opened, so the link ended.")


HANDLERS = ((bpy.app.handlers.load_pre, _on_load),)


def unregister() -> None:
    """End the link."""
    global _last_line
    stop()
    _last_line = ""
