"""Writing solved channels onto pose bones: property by property, or what many bones have by one name as one
array.

An array spans all bones of the pose, so it is read first: bones that are not driven get back what they have.
That pays where most bones of
an armature are driven, as on game rigs and puppets.
"""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from bpy.types import Object

from ...core.posing.channels import Channels, Property

_BONES_A_PROPERTY = 4  # in the time of one property, so many bones of an array are read and written
_BONES_A_CALL = 8  # what the calls for an array cost, in bones
_POSE = {"DATA"}  # what of an object has to be evaluated again


def apply_row(obj: Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`."""
    _write(obj, channels, channels.views[row], changed=False)


def put_row(obj: Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as `apply_row`, without comparing with their present pose: for a pose known to
    differ."""
    _write(obj, channels, channels.views[row], changed=True)


def apply(obj: Object, channels: Channels, values: Sequence[float] | np.ndarray) -> None:
    """Pose the driven bones by a row of values `(n,)`; if all are equal already nothing is set, which saves
    an evaluation."""
    _write(obj, channels, np.asarray(values, dtype=np.float32).data, changed=False)


def _write(obj: Object, channels: Channels, numbers: memoryview, changed: bool) -> None:
    """Set bones' properties to their columns of `numbers` `(n,)`; compared only until the first that differs,
    not at all if `changed`.

    Missing bones are skipped: `controls.rig_table` names them.
    """
    resolve = obj.pose.path_resolve
    for path, columns in channels.paths:
        try:
            now = resolve(path, False)
        except ValueError:  # its bone is missing
            continue
        value = numbers[columns]
        if changed or now[:] != tuple(value):
            now.foreach_set(value)
            changed = True
    if changed:
        obj.update_tag(refresh=_POSE)  # one tag costs Blender a fraction of an update per property


class _Array(NamedTuple):
    """A property of all bones of a pose: its name, the driven numbers' places in the array, in rising order,
    their columns in a row in
    that order, and room for the array.  `run`: the places as a slice, where they lie side by side.

    The room is no numpy array, as Blender takes longer to get at the memory of one.
    """

    name: str
    places: np.ndarray
    columns: np.ndarray
    room: array
    run: slice | None


class Slots(NamedTuple):
    """Where the pose of an armature takes the values of `properties`; valid until its bones are edited or it
    has another armature.

    `arrays`, `paths`: the properties written at once, and one by one.
    """

    properties: tuple[Property, ...]
    arrays: tuple[_Array, ...]
    paths: tuple[tuple[str, slice], ...]

    @classmethod
    def of(cls, obj: Object, channels: Channels) -> "Slots":
        """Find the slots of all channels; bones that are missing are left out."""
        number = {bone.name: at for at, bone in enumerate(obj.pose.bones)}
        there = [at for at, prop in enumerate(channels.properties) if prop.bone in number]
        arrays, single = [], set(there)
        for name in dict.fromkeys(prop.name for prop in channels.properties):
            rows = [at for at in there if channels.properties[at].name == name]
            if _BONES_A_PROPERTY * len(rows) > len(number) + _BONES_A_CALL:
                arrays.append(_array(number, [channels.properties[at] for at in rows]))
                single.difference_update(rows)
        return cls(channels.properties, tuple(arrays), tuple(channels.paths[at] for at in sorted(single)))

    def filled(self, channels: Channels) -> "Filled":
        """Return the rows of `channels`, which have these properties, ready to be written."""
        return Filled(channels.views, tuple(_sorted(whole, channels) for whole in self.arrays), self.paths)


class _Sorted(NamedTuple):
    """The rows of an array: the property's name, room for the array and its memory, where a row goes there,
    and the rows.

    A row that goes to one piece of the memory is a memoryview, as numpy takes longer for so few numbers;
    others are arrays.
    """

    name: str
    room: array
    taker: np.ndarray | memoryview
    where: np.ndarray | slice
    rows: tuple


class Filled(NamedTuple):
    """Rows of channels for the slots of a pose: whole rows, sorted for each array, and the properties written
    one by one."""

    views: tuple[memoryview, ...]
    arrays: tuple[_Sorted, ...]
    paths: tuple[tuple[str, slice], ...]

    def put(self, obj: Object, row: int) -> None:
        """Pose the driven bones by a row, as `write_pose.put_row` does."""
        pose = obj.pose
        bones = pose.bones
        for name, room, taker, where, rows in self.arrays:
            bones.foreach_get(name, room)
            taker[where] = rows[row]
            bones.foreach_set(name, room)
        numbers, resolve = self.views[row], pose.path_resolve
        for path, columns in self.paths:
            try:
                resolve(path, False).foreach_set(numbers[columns])
            except ValueError:  # a script has renamed its bone, of which Blender has not told yet
                continue
        obj.update_tag(refresh=_POSE)


def _sorted(whole: _Array, channels: Channels) -> _Sorted:
    rows = np.ascontiguousarray(channels.stored[:, whole.columns])
    if whole.run is None:
        return _Sorted(
            whole.name, whole.room, np.frombuffer(whole.room, dtype=np.float32), whole.places, tuple(rows)
        )
    return _Sorted(whole.name, whole.room, memoryview(whole.room), whole.run, tuple(map(memoryview, rows)))


def _array(number: dict[str, int], properties: list[Property]) -> _Array:
    """Return the array for properties of one name; `number`: each bone's place in the pose."""
    in_place = sorted(properties, key=lambda prop: number[prop.bone])
    width = properties[0].columns.stop - properties[0].columns.start
    places = np.concatenate([width * number[prop.bone] + np.arange(width) for prop in in_place])
    columns = np.concatenate([np.arange(prop.columns.start, prop.columns.stop) for prop in in_place])
    room = array("f", bytes(4 * width * len(number)))
    is_run = places[-1] - places[0] == len(places) - 1
    return _Array(
        properties[0].name,
        places,
        columns,
        room,
        slice(int(places[0]), int(places[-1]) + 1) if is_run else None,
    )
