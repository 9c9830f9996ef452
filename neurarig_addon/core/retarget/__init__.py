"""A motion from one character on another, with the contacts kept: contacts, footholds, pelvis, legs, hands,
root."""
