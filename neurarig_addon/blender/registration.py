"""The order in which the add-on's parts are registered."""

from . import cli, properties
from .crowd import operators as crowd_operators
from .crowd import panel as crowd_panel
from .engine import link
from .engine import operators as engine_operators
from .engine import panel as engine_panel
from .hands import operators as hands_operators
from .interface import exporters, menus, work
from .keys import operators as keys_operators
from .learning import operators as learning_operators
from .live import handlers
from .neural_pose import draw as targets_draw
from .neural_pose import live as neural_pose_live
from .neural_pose import operators as neural_pose_operators
from .neural_pose import over_live as targets_over
from .neural_pose import panel as neural_pose_panel
from .neural_pose import selection as target_selection
from .retarget import live as retarget_live
from .retarget import operators as retarget_operators
from .retarget import panel as retarget_panel
from .rig import operators as rig_operators
from .rig import panel as rig_panel
from .sets import operators as sets_operators
from .walk.show import live as walk_live
from .walk.ui import operators as walk_operators
from .walk.ui import pictures, print_drawing
from .walk.ui.panel import walk as walk_panel

# Properties first: everything else reads them.  Handlers after what they call, the command line last.
PARTS = (
    properties,
    work,
    exporters,
    *(
        rig_operators,
        keys_operators,
        hands_operators,
        walk_operators,
        crowd_operators,
        learning_operators,
        retarget_operators,
        neural_pose_operators,
        sets_operators,
        engine_operators,
    ),
    pictures,
    print_drawing,
    targets_draw,
    # in their order in the tab
    *(walk_panel, crowd_panel, retarget_panel, neural_pose_panel, rig_panel, engine_panel),
    menus,
    handlers,
    *(walk_live, retarget_live, neural_pose_live, targets_over),
    target_selection,
    link,
    cli,
)


def register() -> None:
    """Register every part."""
    for part in PARTS:
        part.register()


def unregister() -> None:
    """Unregister every part, in reverse order."""
    for part in reversed(PARTS):
        part.unregister()
