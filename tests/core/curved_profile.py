"""A profile in which there is something to learn for a network's trunk: a pitch that no polynomial of the
features is."""

import json

from neurarig_addon.core.logic.profile import FOLDER

PLAIN = FOLDER / "1_plain_biped.json"
CURVED = json.dumps(json.loads(PLAIN.read_text())).replace(
    "0.5 * effort * (heel_rise + toe_rise)", "tanh(effort * effort) * heel_rise"
)
