"""Follow-through: tails, ears, hair, straps and bellies that swing with whatever moves the character."""
