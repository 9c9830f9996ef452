"""The order in which the add-on's parts come and go."""

from . import cli, engine_link, menus, operators, panels, preferences, properties, trainer
from .neural_pose import live as neural_pose
from .neural_pose import selection as target_selection
from .retarget import link as retarget_link
from .walk import live, profile_curves

# Properties first: everything else reads them.  Handlers after what they call, the command line last.
PARTS = (
    properties,
    preferences,
    operators,
    profile_curves,
    panels,
    menus,
    live,
    retarget_link,
    neural_pose,
    target_selection,
    engine_link,
    trainer,
    cli,
)


def register() -> None:
    """Register every part."""
    for part in PARTS:
        part.register()


def unregister() -> None:
    """Unregister every part, the last first."""
    for part in reversed(PARTS):
        part.unregister()
