"""Everything that imports bpy: reading rigs, writing poses, and what the user touches."""
