"""What a panel draws."""

from tests.blender.drawing import Drawn, drawn, of_kind


def shown(name: str, kind: str) -> dict[str, Drawn]:
    return of_kind(drawn(name), kind)
