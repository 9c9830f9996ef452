"""Writing one row of channels at once: what many bones have by one name goes in as one array, the rest property by property.

An array spans all bones of the pose, so it is read first: bones that are not driven get back what they have.  That pays where most bones of
an armature are driven, as on game rigs and puppets.
"""

from typing import NamedTuple

import bpy
import numpy as np

from ...core.posing.channels import Channels, Property

BONES_A_PROPERTY = 4  # in the time of one property, so many bones of an array are read and written
BONES_A_CALL = 8  # what the calls for an array cost, in bones


class _Array(NamedTuple):
    """A property of all bones of a pose: its name, the driven numbers in the array and their columns in a row, and room for the array."""

    name: str
    places: np.ndarray
    columns: slice
    room: np.ndarray


class Slots(NamedTuple):
    """Where the pose of an armature takes the values of `properties`; valid until its bones are edited or it has another armature."""

    properties: tuple[Property, ...]
    arrays: tuple[_Array, ...]
    paths: tuple[tuple[str, slice], ...]

    @classmethod
    def of(cls, obj: bpy.types.Object, channels: Channels) -> "Slots":
        """Find the slots of all channels; bones that are missing are left out."""
        number = {bone.name: at for at, bone in enumerate(obj.pose.bones)}
        there = [at for at, prop in enumerate(channels.properties) if prop.bone in number]
        arrays, single = [], set(there)
        for name in dict.fromkeys(prop.name for prop in channels.properties):
            rows = [at for at in there if channels.properties[at].name == name]
            if BONES_A_PROPERTY * len(rows) > len(number) + BONES_A_CALL:
                found = _array(number, [channels.properties[at] for at in rows])
                arrays += [found] if found else []
                single.difference_update(rows if found else ())
        return cls(channels.properties, tuple(arrays), tuple(channels.paths[at] for at in sorted(single)))

    def put(self, obj: bpy.types.Object, channels: Channels, row: int) -> None:
        """Pose the driven bones by a row of `channels`, which has these properties, as `write_pose.put_row` does."""
        pose = obj.pose
        for name, places, columns, room in self.arrays:
            bones = pose.bones
            bones.foreach_get(name, room)
            room[places] = channels.stored[row, columns]
            bones.foreach_set(name, room)
        numbers, resolve = channels.views[row], pose.path_resolve
        for path, columns in self.paths:
            try:
                resolve(path, False).foreach_set(numbers[columns])
            except ValueError:  # a script has renamed its bone, of which Blender has not told yet
                continue
        obj.update_tag(refresh={"DATA"})


def _array(number: dict[str, int], properties: list[Property]) -> _Array | None:
    """Return the array for properties of one name, None if they are not side by side in a row; `number`: each bone's place in the pose."""
    in_row = sorted(properties, key=lambda prop: prop.columns.start)
    columns = slice(in_row[0].columns.start, in_row[-1].columns.stop)
    width = in_row[0].columns.stop - in_row[0].columns.start
    if columns.stop - columns.start != width * len(in_row):
        return None
    places = np.concatenate([width * number[prop.bone] + np.arange(width) for prop in in_row])
    return _Array(in_row[0].name, places, columns, np.empty(width * len(number), dtype=np.float32))
