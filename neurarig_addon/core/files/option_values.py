"""What an option of the command line takes: readers of its text, which are data as well, so that a job file
is checked against them where there is no Blender (`data/command_line.json`)."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

Limits = tuple[float | None, float | None]
_FEW = 24  # words that a sentence can list


def meant(word: object, known: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown word: what there is, and which one was meant."""
    by_letters = {one.lower(): one for one in known}
    near = get_close_matches(str(word).lower(), by_letters, n=1)
    asks = f"did you mean '{by_letters[near[0]]}'?" if near else ""
    if near and len(by_letters) > _FEW:
        return asks
    return f"choose from {', '.join(by_letters.values())}{f'; {asks}' if near else '.'}"


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class Number:
    """A number within limits, which belong to it; `is_whole`: without a fraction."""

    least: float | None = None
    most: float | None = None
    is_whole: bool = False
    takes: ClassVar[type] = float

    def __call__(self, text: str) -> Any:
        """Return the number; raises ArgumentTypeError."""
        try:
            value = int(text) if self.is_whole else float(text)
        except ValueError:
            value = math.nan
        if isinstance(value, float) and not math.isfinite(value):
            raise ArgumentTypeError(f"'{text}' is not a {'whole ' if self.is_whole else ''}number")
        if self.least is not None and value < self.least:
            raise ArgumentTypeError(f"{text} is not at least {self.least:.10g}")
        if self.most is not None and value > self.most:
            raise ArgumentTypeError(f"{text} is not at most {self.most:.10g}")
        return value


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class Word:
    """One of some words, in small letters."""

    words: tuple[str, ...]
    takes: ClassVar[type] = str

    def __call__(self, text: str) -> str:
        """Return the word; raises ArgumentTypeError."""
        if text.lower() not in self.words:
            raise ArgumentTypeError(f"'{text}' is unknown; {meant(text, self.words)}")
        return text.lower()


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class Name:
    """A name or path that is not empty."""

    takes: ClassVar[type] = str

    def __call__(self, text: str) -> Any:
        """Return the name; raises ArgumentTypeError."""
        if not text.strip():
            raise ArgumentTypeError("the name is empty; leave the option out, or give it one")
        return text


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class Shipped(Name):
    """The name of something of which `names` come with NeuraRig, beside others or their files; with its
    weight, NAME[=WEIGHT], if it has limits."""

    names: tuple[str, ...]
    weight: Limits | None = None

    def __call__(self, text: str) -> Any:
        """Return the name, or `(name, weight)`; raises ArgumentTypeError."""
        name, is_weighted, weight = text.rpartition("=")
        if self.weight is None or not is_weighted:
            return super().__call__(text) if self.weight is None else (super().__call__(text), 1.0)
        return super().__call__(name), Number(*self.weight)(weight)

    def require_shipped(self, text: str) -> None:
        """Raise ArgumentTypeError for a name that does not come with NeuraRig."""
        found = self(text)
        name = found if self.weight is None else found[0]
        if name.lower().replace("_", " ") not in map(str.lower, self.names):
            raise ArgumentTypeError(f"nothing named '{name}' comes with NeuraRig; {meant(name, self.names)}")


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class Slider:
    """SLIDER=VALUE: `limits` of each."""

    limits: Mapping[str, Limits]
    takes: ClassVar[type] = float

    def __call__(self, text: str) -> tuple[str, float]:
        """Return slider and value; raises ArgumentTypeError."""
        slider, _, value = text.partition("=")
        if slider not in self.limits:
            raise ArgumentTypeError(f"'{slider}' is not a slider; {meant(slider, self.limits)}")
        if not value:
            raise ArgumentTypeError(f"'{text}' needs a number after the =")
        try:
            return slider, Number(*self.limits[slider])(value)
        except ArgumentTypeError as problem:
            raise ArgumentTypeError(f"the slider '{slider}': {problem}") from None


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class Marker:
    """A marker on a path, METRES[@FRAME][+SECONDS]: the limits of the three."""

    distance: Limits
    frame: Limits
    pause: Limits
    takes: ClassVar[type] = str

    def __call__(self, text: str) -> dict[str, float]:
        """Return the fields of a marker; raises ArgumentTypeError."""
        where, _, pause = text.partition("+")
        distance, _, at = where.partition("@")
        try:
            return (
                {"distance": Number(*self.distance)(distance)}
                | ({"frame": Number(*self.frame)(at)} if at else {})
                | ({"pause": Number(*self.pause)(pause)} if pause else {})
            )
        except ArgumentTypeError as problem:
            raise ArgumentTypeError(
                f"'{text}' is not a marker: {problem}; use METRES, METRES@FRAME or METRES@FRAME+SECONDS"
            ) from None


@dataclass(frozen=True, eq=False)  # argparse needs a hash
class ActOnWay:
    """An act on the way, KIND[@WHERE][,FIELD=VALUE]: its kinds, the limits of its numbers, the words of its
    `hand`, and fields that name things."""

    kinds: tuple[str, ...]
    limits: Mapping[str, Limits]
    hand: tuple[str, ...]
    things: tuple[str, ...]
    takes: ClassVar[type] = str

    def __call__(self, text: str) -> dict[str, Any]:
        """Return the fields of an act; @METRES, @fFRAME or @OBJECT; raises ArgumentTypeError."""
        head, *fields = text.split(",")
        kind, _, where = head.partition("@")
        found: dict[str, Any] = {"kind": kind.strip().upper().replace("-", "_")}
        if found["kind"] not in self.kinds:
            raise ArgumentTypeError(f"'{kind}' is not an act; {meant(kind, self.kinds)}")
        for name, value in (("frame", where[1:] if where[:1] == "f" else ""), ("distance", where)):
            if _is_number(value):
                found |= {name: self._number(name, value)}
                break
        else:
            found |= {"place": where} if where else {}
        for one in fields:
            name, is_given, value = (part.strip() for part in one.partition("="))
            known = (*self.limits, *self.things, "hand")
            if not is_given:
                raise ArgumentTypeError(f"'{one}' of '{text}' is not FIELD=VALUE, such as length=1.2")
            if name not in known:
                raise ArgumentTypeError(f"an act has no '{name}'; {meant(name, known)}")
            if name == "hand":
                found[name] = Word(self.hand)(value)
            else:
                found[name] = Name()(value) if name in self.things else self._number(name, value)
        return found

    def _number(self, name: str, text: str) -> float:
        try:
            return Number(*self.limits[name])(text)
        except ArgumentTypeError as problem:
            raise ArgumentTypeError(f"{name} of an act: {problem}") from None


READERS = {each.__name__: each for each in (Number, Word, Name, Shipped, Slider, Marker, ActOnWay)}


def reader(described: Mapping[str, Any]) -> Callable[[str], Any]:
    """Return a reader from its data: the name of its class as `reads`, and its fields."""
    fields = dict(described)
    return READERS[fields.pop("reads")](**fields)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
