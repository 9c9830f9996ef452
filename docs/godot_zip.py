"""The example for Godot, as a zip to download: python docs/godot_zip.py FILE"""

import sys
import zipfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def write(path: Path) -> None:
    """Write the project as a zip with one folder, `godot`; what Godot has made of it stays out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((EXAMPLES / "godot").rglob("*")):
            name = file.relative_to(EXAMPLES)
            if (
                file.is_file()
                and file.suffix not in (".uid", ".import")
                and not name.parts[1].startswith(".")
            ):
                archive.write(file, name)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
