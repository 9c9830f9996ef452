"""The one exception that reaches a user."""


class NeuraRigError(Exception):
    """A condition the user can mend: one clear sentence that names the bone (or file) and the remedy."""
