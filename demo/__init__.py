"""The demo: a generated Rigify human with a mannequin's body walks, is baked and photographed (`make
demo`)."""
