"""A visitor's text with markup, and where a browser would read it as Markdown or HTML instead of showing it."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf.message import Message

from tests.visit import Visit

MARKUP = "<b>zz</b> **zz** [zz](//zz.example) $zz$ :red[zz]"
_HTML = ("<b>zz",)
_MARKDOWN = (*_HTML, "**zz", "](//zz", "$zz$", ":red[zz")
_READ = ("label", "body", "help", "content", "options")  # the parts of an element that a browser reads as Markdown
_PLAIN = {("text", "body"), ("selectbox", "options"), ("multiselect", "options")}


def read_as_markup(at: Visit) -> list[str]:
    """The elements of a page in which a browser would read `MARKUP`, each with the beginning of its text."""
    return [
        f"{node.type}: {text[:200]}"
        for block in (at.main, at.sidebar)
        for node in block
        for text, signs in _texts(node)
        if any(sign in text for sign in signs)
    ]


def _texts(node: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The texts of an element that a browser reads, each with what would be markup in it; an escaped sign is none."""
    if node.proto is None:
        return
    if node.type == "plotly_chart":
        yield from ((text, _HTML) for text in _of_figure(json.loads(node.proto.spec)))
    elif node.type == "html":
        yield node.proto.body, _HTML
    else:
        for name, text in _of_element(node.proto):
            if name in _READ and (node.type, name) not in _PLAIN:
                yield re.sub(r"\\.", "", text), _MARKDOWN


def _of_element(message: Message) -> Iterator[tuple[str, str]]:
    """The texts of an element, by the names of its parts."""
    for part, value in message.ListFields():
        for each in [value] if isinstance(value, str | bytes | Message) or not hasattr(value, "__iter__") else value:
            if isinstance(each, Message):
                yield from _of_element(each)
            elif isinstance(each, str):
                yield part.name, each


def _of_figure(value: Any) -> Iterator[str]:
    """The texts in a figure."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _of_figure(each)
