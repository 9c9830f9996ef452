"""The recorded walk of a character: `Object.neurarig.walk.take`."""

from bpy.props import StringProperty

from ...character.changes import OVERRIDABLE, STATE
from ..changes import changed


class TakeSettings:
    """The recorded walk; kept here whole, so that the file needs no clip."""

    take: StringProperty(name="Recorded Walk", description="The recorded walk; empty without one", options=STATE, override=OVERRIDABLE)
    # What tells recorded walks apart without reading them; set last, so that all is there when others hear of it.
    take_digest: StringProperty(name="Recorded Walk's Digest", options=STATE, override=OVERRIDABLE, update=changed)
