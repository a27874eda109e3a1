"""Names of pages as they are now: page, tab, and what the visitor has typed; or the name that a step was given."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from embtools.messages import shortened
from embtools.ui import panels
from embtools.ui.fields import Text

NAME = "step_name"
"""A parameter in the address of a step: the name that the visitor has given it."""
MOST_NAME = 60
"""Maximum number of characters of such a name."""

_MOST = 50  # characters of a typed text
_MOST_PARAMETERS = 100


def name_of(address: str, titles: Mapping[str, str]) -> str:
    """Return the name of an address: "Pairs › Questions and answers: Why?" for one of that tab with this first text,
    unless it has a name of its own."""
    page, _, query = address.partition("?")
    title, offered = titles.get(page, page), panels.of(page) if page else {}
    try:
        given = parse_qs(query, max_num_fields=_MOST_PARAMETERS, errors="replace")
    except ValueError:
        return title
    if NAME in given:
        return shortened(given[NAME][-1], MOST_NAME)
    if not offered:
        return title
    panel = offered.get(given.get(f"{page}_tab", [""])[-1]) or next(iter(offered.values()))
    name = title if title == panel.TAB or len(offered) == 1 else f"{title} › {panel.TAB}"
    texts = [given[field.key][-1] for field in panel.FIELDS if isinstance(field, Text) and given.get(field.key)]
    return f"{name}: {shortened(texts[0], _MOST)}" if texts else name
