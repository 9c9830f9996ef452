"""How good a motion is, walked or recorded: figures with limits, measured on the evaluated pose."""
