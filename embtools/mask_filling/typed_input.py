"""Preparation of typed sentences and edits: spellings of the mask, missing masks, and edits that do not apply."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.formula.expression import Call, Equation, Expression, Word
from embtools.limits import MAX_CHARACTERS
from embtools.mask_filling.edits import Scope, by_target

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_MASK = re.compile(r"\[\s*mask\s*\]|(?<!\w)_{2,}(?:\(\d{1,2}\)_{2,})?(?!\w)", re.IGNORECASE)
# Signs that visitors write for a gap. A row of dots at the end of a sentence includes its full stop.
_BEGIN, _END = r"(?:^|(?<=[\s\"'“‘«(]))", r"(?=\s|[.!?,;:\"'”’»)]|$)"
_BRACKETED = r"<\s*mask\s*>|\[\s*blank\s*\]|\(\s*blank\s*\)"
_LINES = r"(?<![\w＿])(?:[_＿]+\(?\d{1,2}\)?[_＿]+|[_＿](?:[ ]?[_＿])+|＿(?=[\s.!?,;:]|$))(?![\w＿])"
_DOTS = r"(?:[.…]{3,}|…+|\.(?: \.){2,})"
_GAP = re.compile(
    rf"(?P<lines>{_BRACKETED}|{_LINES})"
    rf"|{_BEGIN}(?P<dots>{_DOTS}){_END}(?P<last>(?=\s*+[\"'”’»)]*+\s*$))?"
    rf"|{_BEGIN}(?P<dashes>[-‐‑–—―−]{{2,}}){_END}",
    re.IGNORECASE,
)
_NAMES = r"(?:mask|masked|blank|gap|word|fill|fill in|missing|hole|answer|space)"
_LIKE_A_GAP = re.compile(
    rf"(?<!\w)[\[({{<]+\s*+(?:(?i:{_NAMES})|[^\w\s\[\](){{}}<>]*+)\s*+\d{{0,2}}\s*+[\])}}>]+"
    rf"|{_BEGIN}(?:[*#?~=+^%$@&/\\|•·○◯●□▢☐■▇█▒░]{{2,}}|[○◯●□▢☐■▇█▒░]|[xX]{{3,}}|_|BLANK|MASK|GAP){_END}"
)
_LETTERS = r"(?:\d+[.,](?=\d))*[^\W_](?:[^\W_]|[\u0300-\u036f\xad]|['’](?=[^\W_]))*"  # also marks of accents
WORD, WITH_HYPHENS = re.compile(_LETTERS), re.compile(rf"{_LETTERS}(?:[-‐‑]{_LETTERS})*")


def normalise_masks(text: str, *, gaps: bool = True) -> str:
    """Write all masks of a text, such as ___ and [mask], as [MASK].

    >>> normalise_masks("Rome is the capital of ___.")
    'Rome is the capital of [MASK].'
    >>> normalise_masks("Rome is the capital of ......"), normalise_masks("It is -- I think -- (blank).")
    ('Rome is the capital of [MASK].', 'It is [MASK] I think [MASK] [MASK].')
    """
    masked = _MASK.sub("[MASK]", text)
    if not gaps or "[MASK]" in masked or len(text) > MAX_CHARACTERS or not WORD.search(text):
        return masked
    return _GAP.sub(lambda gap: "[MASK]" if gap["last"] is None else "[MASK].", text)


def unknown_gap(text: str) -> str:
    """Return the first sign of a text that looks like a gap, but is none that `normalise_masks` reads; "" without one.

    >>> unknown_gap("Rome is the capital of [...]."), unknown_gap("Rome is old.")
    ('[...]', '')
    """
    if "[MASK]" in text or len(text) > MAX_CHARACTERS:
        return ""
    found = _LIKE_A_GAP.search(text)
    return found[0] if found else ""


def mask_last_word(text: str, *, but: str = "") -> tuple[str, str]:
    """Mask the last word except `but` in a text without a mask or `unknown_gap`; return the text and that word, or the
    text with its masks and "".

    >>> mask_last_word("Rome is old.")
    ('Rome is [MASK].', 'old')
    >>> mask_last_word("Rome is old.", but="Old")
    ('Rome [MASK] old.', 'is')
    """
    text = normalise_masks(text)
    words = [word for word in WORD.finditer(text) if word[0].lower() != but.lower()]
    if (
        "[MASK]" in text or unknown_gap(text) or not words or len(text) > MAX_CHARACTERS
    ):  # it is refused with the length that was typed
        return text, ""
    last = words[-1]
    return f"{text[: last.start()]}[MASK]{text[last.end() :]}", last[0]


def mask_note(texts: Sequence[str]) -> str:
    """Say how texts with masks as [MASK], of which one is needed, are read by `mask_last_word`, and which mask is used.

    >>> mask_note(["Rome is old."])
    'The sentence has no mask, so its last word, “old”, was masked.'
    >>> mask_note(["[MASK] and [MASK] met.", "It is [MASK].", "Rome is old."])
    '1 sentence has no mask, so its last word was masked. 1 sentence has several masks; only the first is used.'
    """
    bare = [word for _, word in map(mask_last_word, texts) if word]
    several = [count for text in texts if (count := text.count("[MASK]")) > 1]
    if len(texts) == 1:
        if sign := unknown_gap(texts[0]):
            return f"“{sign[:40]}” looks like a gap. Write ___ where BERT should guess a word."
        if bare:
            return f"The sentence has no mask, so its last word, “{bare[0][:40]}”, was masked."
        return f"The sentence has {several[0]} masks; only the first is used." if several else ""
    notes = []
    if unclear := sum(map(bool, map(unknown_gap, texts))):
        which = "1 sentence has a sign that looks" if unclear == 1 else f"{unclear} sentences have a sign that looks"
        notes.append(f"{which} like a gap. Write ___ where BERT should guess a word.")
    if len(bare) == 1:
        notes.append("1 sentence has no mask, so its last word was masked.")
    elif bare:
        notes.append(f"{len(bare)} sentences have no mask, so the last word of each was masked.")
    if len(several) == 1:
        notes.append("1 sentence has several masks; only the first is used.")
    elif several:
        notes.append(f"{len(several)} sentences have several masks; only the first of each is used.")
    return " ".join(notes)


def applicable(
    edits: Sequence[Equation], model: "EmbeddingModel", *, text: str, scope: Scope = "input"
) -> tuple[tuple[Equation, ...], tuple[Equation, ...]]:
    """Split edits into those that apply to a text, as a tied edit always does, and those whose word is not in it."""
    targets = by_target(edits, model)
    present = set(model.tokenize(text)["id"])
    # A tied edit changes the word's own score too.
    apply = [scope == "tied" or target in present for target in targets]
    return (
        tuple(edit for edit, applies in zip(edits, apply, strict=True) if applies),
        tuple(edit for edit, applies in zip(edits, apply, strict=True) if not applies),
    )


def retargeted(edit: Equation, word: str) -> Equation:
    """Return the same edit for another word, which replaces the old one in the target and in the expression.

    >>> str(retargeted(Equation("rome", Call("add", (Word("rome"), Word("france")))), "berlin"))
    'berlin = berlin + france'
    """
    return Equation(word, _renamed(edit.expression, edit.target, word))


def _renamed(expression: Expression, old: str, new: str) -> Expression:
    if isinstance(expression, Word):
        return Word(new) if expression.text.lower() == old.lower() else expression
    if isinstance(expression, Call):
        return Call(expression.name, tuple(_renamed(a, old, new) for a in expression.arguments))
    return expression


def with_full_stop(text: str) -> str:
    """Return a text that ends at a mask with a full stop after it; "" for any other text.

    >>> with_full_stop("My friend is [MASK]"), with_full_stop("My friend is [MASK].")
    ('My friend is [MASK].', '')
    """
    masked = normalise_masks(text).rstrip()
    return f"{masked}." if masked.endswith("[MASK]") else ""
