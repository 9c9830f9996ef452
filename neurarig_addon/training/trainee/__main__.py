"""The trainee alone: an installed extension starts it in the Python that has torch."""

import argparse
import sys

from ...core.errors import NeuraRigError
from .commands import add_parts


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m neurarig_addon.training.trainee", description="Train a network on a rule.")
    add_parts(parser)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except NeuraRigError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
