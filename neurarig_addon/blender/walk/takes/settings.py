"""The recorded walk of a character: `Object.neurarig.walk.take`."""

from bpy.props import StringProperty

from ...character.changes import OVERRIDABLE, STATE
from ..changes import changed


class TakeSettings:
    """The recorded walk; stored whole, so that the file needs no clip."""

    take: StringProperty(name="Recorded Walk", description="The recorded walk; empty without one", options=STATE, override=OVERRIDABLE)
    # Identifies the recorded walk without reading it; set last, when everything else is in place.
    take_digest: StringProperty(name="Recorded Walk's Digest", options=STATE, override=OVERRIDABLE, update=changed)
