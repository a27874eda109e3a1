"""The worksheet of a lesson: one printed page with its questions and what they need, with or without solutions."""

import re
from collections.abc import Mapping
from html import escape

from embtools.lessons.lesson import Lesson

_STYLE = """
@page { size: A4; margin: 12mm 14mm; }
* { box-sizing: border-box; }
body { font: SIZEpt/1.3 "Source Sans 3", Arial, sans-serif; color: #17202A; margin: 0 auto; max-width: 182mm; }
h1 { font-size: 1.5em; margin: 0 0 0.1em; }
p { margin: 0 0 0.25em; }
header { display: flex; justify-content: space-between; gap: 2em; align-items: baseline; border-bottom: 1px solid; }
ol { margin: 0.5em 0 0; padding-left: 1.5em; }
li { margin-bottom: GAPem; break-inside: avoid; }
.choices { display: flex; flex-wrap: wrap; gap: 0.1em 1.4em; }
.choices span::before { content: "\\2610\\00a0"; }
.choices .right { font-weight: 700; }
.choices .right::before { content: "\\2612\\00a0"; }
.why { border-bottom: 1px dotted #6b7480; height: 1.7em; color: #4A5361; font-size: 0.85em; }
.point { font-style: italic; }
footer { margin-top: 0.6em; font-size: 0.8em; color: #4A5361; overflow-wrap: anywhere; }
@media screen { body { padding: 1.5em; font-size: 12pt; } }
"""
_ROOM = 2_500  # characters that fit on the page in the largest print
_LINES = 130  # characters for which the two lines of an answer by hand take the room
_EMPHASIS = re.compile(r"(\*\*?|`)(\S|\S.*?\S)\1", re.DOTALL)


def plain(text: str) -> str:
    """A lesson's text without the marks of its emphasis and code.

    >>> plain("This row is called the word's *embedding*: `rome - italy`, 2 * 3 * 4.")
    "This row is called the word's embedding: rome - italy, 2 * 3 * 4."
    """
    return _EMPHASIS.sub(r"\2", text)


def html(
    lesson: Lesson,
    *,
    markdown: bool = False,
    address: str = "",
    solutions: Mapping[int, tuple[int | None, str]] | None = None,
) -> str:
    """Return the worksheet as an HTML page, without scripts or anything that must be fetched; of texts in `markdown`,
    as only the app's own lessons have, without its marks."""
    items = []
    for number, step in enumerate(lesson.steps):
        if not step.question:
            continue
        right, answer = (solutions or {}).get(number, (None, ""))
        choices = "".join(
            f"<span{' class=right' if solutions is not None and i == right else ''}>{escape(choice.text)}</span>"
            for i, choice in enumerate(step.choices)
        )
        title = step.title if step.title.endswith(("?", "!", ".")) else f"{step.title}."
        before = f" {escape(plain(step.before) if markdown else step.before)}" if step.before else ""
        lines = [f"<p><b>{escape(title)}</b>{before}</p>", f"<p>{escape(step.question)}</p>"]
        lines.append(f"<p class=choices>{choices}</p>")
        if solutions is None:
            lines.append("<p class=why>Why?</p><p class=why></p>")
        else:
            lines += [f"<p>{escape(answer)}</p>"] if answer else []
            lines += [f"<p class=point>{escape(step.point)}</p>"] if step.point else []
        items.append(f"<li>{''.join(lines)}</li>")
    length = sum(map(len, items)) + (_LINES * len(items) if solutions is None else 0)
    size = max(7.0, min(11.5, 11.5 * (_ROOM / max(length, 1)) ** 0.5))
    style = _STYLE.replace("SIZE", f"{size:.1f}").replace("GAP", "0.5" if len(items) > 7 else "0.9")
    title = escape(lesson.title)
    kind = "Solutions" if solutions is not None else "Name: ______________________"
    foot = f"<footer>{escape(address)}</footer>" if address else ""
    head = f'<meta charset="utf-8"><title>{title}</title><style>{style}</style>'
    body = f"<header><h1>{title}</h1><span>{kind}</span></header><ol>{''.join(items)}</ol>{foot}"
    return f'<!DOCTYPE html><html lang="en"><head>{head}</head><body dir=auto>{body}</body></html>\n'
