"""What recorded people have in common beside the natural walk of gait laboratories, as a style.

The mean of eight people of the CMU motion capture database, both sides alike, so that it favours none (`training/styles/people`): stance
knees that give and then straighten, feet that roll off earlier, thighs that come forward earlier, narrower steps.
"""

from functools import lru_cache
from pathlib import Path

from .learned_style import LearnedStyle
from .style_file import read_style

STORE = Path(__file__).resolve().parents[2] / "data" / "common_manner.json"


@lru_cache(maxsize=1)
def common_manner() -> LearnedStyle:
    """Return what recorded people have in common, relative to the natural walk."""
    return read_style(STORE)
