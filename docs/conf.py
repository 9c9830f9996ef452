"""How Sphinx builds the site: `make docs`."""

import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "docs"))

import godot_zip  # noqa: E402

project = "NeuraRig"
author = "NeuraRig developers"
copyright = "2026 NeuraRig developers"
version = release = tomllib.loads((REPOSITORY / "blender_manifest.toml").read_text(encoding="utf-8"))[
    "version"
]

extensions = ["myst_parser", "api_from_source", "pictures", "search_words"]
exclude_patterns = ["images"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence"]
myst_heading_anchors = 3
default_role = "code"

add_module_names = False
python_maximum_signature_line_length = 100

# Complete by itself: nothing is fetched from elsewhere.
html_theme = "furo"
html_title = f"NeuraRig {version}"
html_static_path = ["static"]
# The example for Godot, to download.
html_extra_path = [str(REPOSITORY / "out" / "downloads")]
godot_zip.write(REPOSITORY / "out" / "downloads" / "godot.zip")
html_css_files = ["site.css"]
html_show_sphinx = html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#b34a12", "color-brand-content": "#1f5ca3"},
    "dark_css_variables": {"color-brand-primary": "#f0884d", "color-brand-content": "#7fb2ec"},
}

gettext_compact = False
linkcheck_anchors = False
