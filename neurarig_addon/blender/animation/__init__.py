"""Keys and poses: Blender's actions over its versions, F-curves written and read in bulk, poses written and
evaluated."""
