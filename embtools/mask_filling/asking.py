"""What a visitor's own sentence and edits ask for: the mask in other spellings, and edits whose word is not there."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.formula.expression import Call, Equation, Expression, Word
from embtools.mask_filling.edits import Scope, by_target

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_MASK = re.compile(r"\[\s*mask\s*\]|(?<!\w)_{2,}(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def spelt(text: str) -> str:
    """The text with its masks as BERT reads them: ___ and [mask] are meant as [MASK].

    >>> spelt("Rome is the capital of ___.")
    'Rome is the capital of [MASK].'
    """
    return _MASK.sub("[MASK]", text)


def masked(text: str, but: str = "") -> tuple[str, str]:
    """A text without a mask with its last word masked, and that word; with a mask the text as it is, and "".

    but: a word that stays, in small letters or capitals.

    >>> masked("Rome is old.")
    ('Rome is [MASK].', 'old')
    >>> masked("Rome is old.", but="Old")
    ('Rome [MASK] old.', 'is')
    """
    words = [word for word in _WORD.finditer(text) if word[0].lower() != but.lower()]
    if "[MASK]" in text or not words:
        return text, ""
    last = words[-1]
    return f"{text[: last.start()]}[MASK]{text[last.end() :]}", last[0]


def applicable(
    edits: Sequence[Equation], text: str, model: "EmbeddingModel", scope: Scope = "input"
) -> tuple[tuple[Equation, ...], tuple[Equation, ...]]:
    """The edits that change something in a text, and those to set aside since their word does not stand in it.

    A tied edit always changes something: the word's own score. Raises ValueError as `by_target` and
    `EmbeddingModel.tokenize` do.
    """
    targets = by_target(edits, model)
    present = set(model.tokenize(text)["id"])
    apply = [scope == "tied" or target in present for target in targets]
    return (
        tuple(edit for edit, applies in zip(edits, apply, strict=True) if applies),
        tuple(edit for edit, applies in zip(edits, apply, strict=True) if not applies),
    )


def retargeted(edit: Equation, word: str) -> Equation:
    """The same edit for another word, in its target and wherever its expression names the old one.

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
