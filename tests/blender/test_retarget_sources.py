"""Clips from files, of other frame rates, and from linked characters."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.retarget import api
from neurarig_addon.core.ikrig import storage
from tests.blender.retargeting import FIRST, LAST, actor, hero, report_of
from tests.blender.walking import played, seen_now
from tests.rigs import make_active

SHOWN = (1, FIRST, 20, 33.5, LAST, 12)
SAME = 1e-5  # metres between a link and its bake


def test_a_clip_travels_through_a_file(tmp_path: Path) -> None:
    source, action = actor()
    make_active(source)
    assert bpy.ops.neurarig.encode_action(filepath=str(tmp_path / "walk.npz")) == {"FINISHED"}
    assert len(storage.load(tmp_path / "walk.npz")) == LAST - FIRST + 1
    obj = hero()
    direct = api.retarget(obj, source=source, action=action, check=False, frame_start=1)
    shown = played(obj, SHOWN)
    filed = api.retarget(obj, file=tmp_path / "walk.npz")
    assert filed.name == "walk" and tuple(filed.frame_range) == tuple(direct.frame_range)
    assert np.abs(played(obj, SHOWN) - shown).max() < 1e-4 and report_of(obj)["past_limits"] == []


def test_a_clip_of_another_frame_rate_keeps_its_time(tmp_path: Path) -> None:
    source, action = actor()
    api.encode_action(source, tmp_path / "walk.npz", action)
    obj = hero()
    scene = bpy.context.scene
    at_24 = api.retarget(obj, file=tmp_path / "walk.npz", check=False)
    scene.render.fps = 60
    at_60 = api.retarget(obj, file=tmp_path / "walk.npz")
    assert np.ptp(at_60.frame_range) / 60.0 == pytest.approx(np.ptp(at_24.frame_range) / 24.0, abs=1.0 / 60.0)
    assert report_of(obj)["past_limits"] == []


def test_a_linked_source_is_fine(tmp_path: Path) -> None:
    actor()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "actor.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "actor.blend"), link=True) as (_, wanted):
        wanted.objects = ["Actor"]
    source = wanted.objects[0]
    bpy.context.scene.collection.objects.link(source)
    obj = hero()
    api.retarget(obj, source=source)
    assert report_of(obj)["past_limits"] == []


def test_seen_by_everyone_afterwards() -> None:
    """What is baked needs nothing of ours: it plays the same with the add-on's handlers gone."""
    import neurarig_addon

    source, action = actor()
    obj = hero()
    api.retarget(obj, source=source, action=action, root="OBJECT", check=False)
    shown = played(obj, SHOWN)
    neurarig_addon.unregister()
    try:
        assert np.abs(played(obj, SHOWN) - shown).max() < SAME
    finally:
        neurarig_addon.register()
    assert seen_now(obj) is not None
