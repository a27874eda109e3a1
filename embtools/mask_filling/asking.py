"""What a visitor's own sentence and edits ask for: the mask in other spellings, and edits whose word is not there."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.formula import parser
from embtools.mask_filling.edits import Scope, parse_edits

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


def masked(text: str) -> tuple[str, str]:
    """A text without a mask with its last word masked, and that word; with a mask the text as it is, and "".

    >>> masked("Rome is old.")
    ('Rome is [MASK].', 'old')
    """
    words = list(_WORD.finditer(text))
    if "[MASK]" in text or not words:
        return text, ""
    last = words[-1]
    return f"{text[: last.start()]}[MASK]{text[last.end() :]}", last[0]


def applicable(
    edits: Sequence[str], text: str, model: "EmbeddingModel", scope: Scope = "input"
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The edits that change something in a text, and those to set aside since their word does not stand in it.

    A tied edit always changes something: the word's own score. Raises ValueError as `parse_edits` and
    `EmbeddingModel.tokenize` do.
    """
    targets = parse_edits(edits, model)
    present = set(model.tokenize(text)["id"])
    apply = [scope == "tied" or target in present for target in targets]
    return (
        tuple(edit for edit, applies in zip(edits, apply, strict=True) if applies),
        tuple(edit for edit, applies in zip(edits, apply, strict=True) if not applies),
    )


def retargeted(edit: str, word: str) -> str:
    """The same edit for another word, in its target and wherever its expression names the old one.

    Raises ValueError as `parser.parse_equation` does.

    >>> retargeted("rome = rome - italy + france", "berlin")
    'berlin = berlin - italy + france'
    """
    equation = parser.parse_equation(edit)
    return str(parser.Equation(word, _renamed(equation.expression, equation.target, word)))


def _renamed(expression: parser.Expression, old: str, new: str) -> parser.Expression:
    if isinstance(expression, parser.Word):
        return parser.Word(new) if expression.text.lower() == old.lower() else expression
    if isinstance(expression, parser.Call):
        return parser.Call(expression.name, tuple(_renamed(a, old, new) for a in expression.arguments))
    return expression
