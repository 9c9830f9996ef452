"""One cell in this Python's bpy module: opens a file and runs a command line of ours, as a Blender of its own
would.

python -m neurarig_addon.batch.in_bpy FILE.blend walk --speed=1.3 ...
"""

import os
import sys
from threading import Thread
from time import sleep

_LOOKS_EVERY = 0.5  # seconds


def main(arguments: list[str]) -> int:
    """Open the file, run the command and return its exit status."""
    import bpy

    from .. import register
    from ..blender import cli

    bpy.ops.wm.read_factory_settings(use_empty=True)
    register()
    try:
        bpy.ops.wm.open_mainfile(filepath=arguments[0], load_ui=False, use_scripts=False)
    except RuntimeError as problem:
        print(f"neurarig: '{arguments[0]}' cannot be opened: {str(problem).strip()}", file=sys.stderr)
        return 1
    return cli.main(arguments[1:])


def end_with(parent: int) -> None:
    """End this process at once when its parent has: nobody would use what it makes."""
    while os.getppid() == parent:
        sleep(_LOOKS_EVERY)
    os._exit(1)


if __name__ == "__main__":
    Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    try:
        status = main(sys.argv[1:])
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 1
    except Exception as problem:
        import traceback

        traceback.print_exc()
        print(f"neurarig: {type(problem).__name__}: {problem}", file=sys.stderr)
        status = 3
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # some bpy modules crash in the interpreter's own exit
