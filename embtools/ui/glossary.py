"""The words that a newcomer does not know: where one first stands it is underlined, and a hover or tap explains it."""

import html as escaping
import re
from functools import cache, lru_cache

from embtools import wordlists

_TERM = re.compile(r"\[\[([^\W_][^\]|']*)(?:\|([^\]]+))?\]\]")  # 3CosAdd is a term, too


@cache
def definitions() -> dict[str, str]:
    """Each term and what it means, in a sentence."""
    frame = wordlists.load("glossary")
    return dict(zip(frame["term"], frame["definition"], strict=True))


def definition(term: str) -> str:
    """What a term means, for the help of a field; KeyError for one that the glossary lacks."""
    return definitions()[term]


def terms(text: str) -> list[str]:
    """The terms that a text marks, as [[term]] or [[term|as it is spelt here]].

    >>> terms("Its [[cosine]] with other [[embedding|vectors]].")
    ['cosine', 'embedding']
    """
    return [match[1] for match in _TERM.finditer(text)]


@lru_cache(512)  # most are constant; some hold figures
def html(text: str) -> str:
    """A text of ours as HTML, its marked terms with their definitions, its **strong** and *stressed* words set.

    A definition opens on hover, on focus and on tap (page.js).
    """

    def marked(match: re.Match[str]) -> str:
        meaning = escaping.escape(definition(match[1]), quote=True)
        shown = match[2] or match[1]
        return f'<dfn tabindex="0" aria-description="{meaning}" data-definition="{meaning}">{shown}</dfn>'

    text = _TERM.sub(marked, escaping.escape(text, quote=False))
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)
    return f'<p class="seen">{text}</p>'
