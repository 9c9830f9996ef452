"""The command line of training: the gait network, the trainee for any rule, whole poses, styles and acts."""

import argparse
import sys

from ..core.errors import NeuraRigError
from .acts.commands import add_acts
from .gait.commands import add_gait
from .pose.commands import add_pose
from .sequence.commands import add_sequence
from .styles.commands import add_styles
from .trainee.commands import add_trainee


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except NeuraRigError as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m neurarig_addon.training", description="Train the networks of NeuraRig."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_gait(commands)
    add_trainee(commands)
    add_pose(commands)
    add_styles(commands)
    add_acts(commands)
    add_sequence(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
