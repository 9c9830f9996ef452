"""Where the data that is not part of the repository is: rigs, motion capture and gait norms to test
against."""

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def shared_root() -> Path | None:
    """Return the folder named by NEURARIG_SHARED, else `shared` beside the checkout, else None."""
    named = os.environ.get("NEURARIG_SHARED")
    root = Path(named) if named else REPOSITORY.parent / "shared"
    return root if root.is_dir() else None


def find_shared(*parts: str) -> Path | None:
    """Return a shared file or folder, or None where it is missing."""
    root = shared_root()
    path = root.joinpath(*parts) if root else None
    return path if path and path.exists() else None


def shared_path(*parts: str) -> Path:
    """Return a shared file or folder; the calling test is skipped where it is missing."""
    path = find_shared(*parts)
    if path is None:
        import pytest  # here, so that the benchmarks can use this file without it

        pytest.skip(f"shared data {'/'.join(parts)} is missing (set NEURARIG_SHARED)")
    return path
