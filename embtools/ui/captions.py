"""The caption of a saved chart: the texts and the settings of a panel that its numbers depend on.

A panel names them in `caption()`, so that nothing is listed that the chart does not use.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from embtools.messages import shortened
from embtools.ui import shown
from embtools.ui.fields import Field, Flag, Number, Text

_MOST = 300  # characters of each text
_EARLIER: ContextVar[tuple[str, ...]] = ContextVar("earlier", default=())


@dataclass(frozen=True)
class Setting:
    """A field whose value is named with a label: "strength: 0.5". If not `always`, only if it is not the default."""

    label: str
    field: Field
    always: bool = True


Part = Text | Setting | str
"""A text on a line of its own, a setting, or words among the settings."""


def changed(label: str, field: Field) -> Setting:
    """Return a setting that is only named if it differs from its default."""
    return Setting(label, field, always=False)


def lines(parts: Sequence[Part]) -> list[str]:
    """Return the caption line by line: every text that is not empty, then all settings in one line."""
    texts = [_one_line(str(part.value or "")) for part in parts if isinstance(part, Text)]
    settings = [named for part in parts if not isinstance(part, Text) and (named := _named(part))]
    return [text for text in (*texts, " · ".join(settings)) if text]


def now(parts: Callable[[], Sequence[Part]]) -> list[str]:
    """Return the lines of these parts; while an earlier result is shown, only what that one is about."""
    return [_one_line(text) for text in _EARLIER.get()] or lines(parts())


@contextmanager
def earlier(subjects: Sequence[str]) -> Iterator[None]:
    """Let charts drawn inside be about these texts, since the fields hold another query."""
    token = _EARLIER.set(("An earlier result", *subjects))
    try:
        yield
    finally:
        _EARLIER.reset(token)


def _named(part: Setting | str) -> str:
    if isinstance(part, str):
        return part
    value = part.field.value
    if not part.always and part.field.is_default(value):
        return ""
    if isinstance(part.field, Flag):
        return part.label if value else ""
    if isinstance(part.field, Number):
        written = f"{value:g}".replace("-", "−")
    elif isinstance(value, (list, tuple)):
        written = ", ".join(map(str, value))
    else:
        written = _one_line(str(value or ""))
    if shown.suffix() and written.startswith("layer "):
        written += " of the first model, here at the same depth"
    return f"{part.label}: {written}" if written else ""


def _one_line(text: str) -> str:
    listed = (line.strip() for line in text[: 20 * _MOST].splitlines())  # a long text is not read to its end
    return shortened(" / ".join(line for line in listed if line), _MOST)
