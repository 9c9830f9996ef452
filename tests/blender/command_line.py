"""The command line as tests run it: in this process."""

from neurarig_addon.blender import cli


def run(*arguments: object) -> int:
    """Run a command line and return its exit status."""
    try:
        return cli.main([str(argument) for argument in arguments])
    except SystemExit as left:
        return int(left.code or 0)


def has_exporter(operators: object, name: str) -> bool:
    """Say whether this Blender can write a format (its module leaves some exporters out)."""
    try:
        getattr(operators, name).get_rna_type()
    except (AttributeError, KeyError):
        return False
    return True
