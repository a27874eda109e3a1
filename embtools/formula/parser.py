"""Parsing of formulas over words: from text to a tree of `formula.expression`, without a model and without eval.

Examples: `rome - italy + france`, `(he + she) / 2`, `0.7*autumn + 0.3*summer`, `project(nurse, she - he)`; with a
target, `rome = rome - italy + france`. The grammar is in formula.lark.
"""

import math
import re
import unicodedata
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools.formula.expression import ARITY, FUNCTIONS, Call, Equation, Expression, Number, Word, value, words
from embtools.messages import quoted, shortened

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_CHARACTERS = 500
MAX_TERMS = 50
MAX_SIGNS = 200  # keeps the tree below Python's limit of nested calls
# Characters that people paste or type; each is replaced by a single one, so that positions stay correct, and invisible
# ones are left out.
_LOOKALIKES = str.maketrans(
    "−–—‐‑－＋×·∙⋅∗＊÷∕／＝（），’",
    "------+******///=(),'",
    "\u00ad\u200b\u200e\u200f\u2060\u2066\u2067\u2068\u2069\ufeff",
)
_QUOTED = r'"[^"]*"'
_SINGLE_QUOTED = r"(?<!\w)(?:['‘‚]([^\s\"'‘’]+)['’]|«([^\"»]+)»)(?!\w)"
_NAME, _IS_TO = r"""("[^"]+"|[^\s":]+(?::[^\s":]+)*)""", r"(?:\s+is\s+to\b|\s*:)\s*"
_ANALOGY = rf"\s*{_NAME}{_IS_TO}{_NAME}(?:\s+as\s+|\s*::\s*){_NAME}{_IS_TO}(\S*?)\s*\??\s*"


def parse(text: str) -> Expression:
    """Parse a formula, or an analogy such as "man is to king as woman is to ?".

    >>> str(parse("man is to king as woman is to ?"))
    'king - man + woman'
    """
    text = re.sub(r"(?<=\S)\s*=\s*(?:\?|_+)?\s*$", "", _checked(text))  # king - man + woman = ?
    if analogy := re.fullmatch(_ANALOGY, text, re.IGNORECASE):
        a, b, c = (Word(g.strip('"').strip()) for g in analogy.groups()[:3])
        if not re.fullmatch(r"[\"?_.…]*|what|\[mask\]", analogy[4], re.IGNORECASE):
            raise ValueError(f"The analogy already ends with {quoted(analogy[4])}. Write ? instead of this word.")
        return Call("add", (Call("subtract", (b, a)), c))
    if "=" in _bare(text):
        left = text[: _bare(text).index("=")]
        remove = "what follows it" if re.search(r"[-+*/(]", left) else "the word before it"
        raise ValueError(
            f"{_place(text, len(left))}there is an '=', but only an expression is expected here. Remove the '=' and"
            f" {remove}."
        )
    expression = _parse(text)
    if not _is_vector(expression):
        raise ValueError(f"{quoted(text)} is a number, not a vector. Name at least one word.")
    return expression


def parse_equation(text: str) -> Equation:
    """Parse an edit, `target = expression`; raises ValueError as `parse` does.

    >>> parse_equation("rome = rome - italy + france").target
    'rome'
    """
    text = _checked(text)
    signs = [i for i, sign in enumerate(_bare(text)) if sign == "="]
    if not signs:
        raise ValueError("An edit needs a word, '=' and an expression, such as rome = rome - italy + france.")
    if len(signs) > 1:
        raise ValueError(f"{_place(text, signs[1])}there is a second '='. Write one edit per line.")
    target, right = text[: signs[0]], text[signs[0] + 1 :]
    if not target.strip():
        raise ValueError("The left side of '=' is empty. Write the word there that you want to change.")
    if not right.strip():
        raise ValueError(
            f"The right side of '=' is empty. Write what {shortened(target)} should become,"
            " such as rome - italy + france."
        )
    word = _parse(target)
    if not isinstance(word, Word):
        raise ValueError(
            f"The left side of '=' must be one word, not {quoted(target)}. Put the expression on the right side."
        )
    return Equation(word.text, parse(" " * (len(text) - len(right)) + right))  # so that places count from its start


def _checked(text: str) -> str:
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The formula has {len(text):,} characters; at most {MAX_CHARACTERS} are read. Shorten it.")
    text = unicodedata.normalize("NFC", re.sub("[“”„]", '"', text))
    parts = re.split(f"({_QUOTED})", text)  # every second part is in quotes and is not changed
    parts[::2] = (re.sub(_SINGLE_QUOTED, r'"\1\2"', part).translate(_LOOKALIKES) for part in parts[::2])
    text = re.sub(r'(?<=[\w)"])(?<!\.\w)[.,;]\s*$', "", "".join(parts))
    if not text.strip():
        raise ValueError("The formula is empty. Try king - man + woman.")
    if (count := len(re.findall(r"[-+*/(]", _bare(text)))) > MAX_SIGNS:
        raise ValueError(
            f"The formula has {count} operators and parentheses; at most {MAX_SIGNS} are read. Shorten it."
        )
    return text


def _bare(text: str) -> str:
    """Replace everything in quotes by underscores, without changing the length of the text."""
    return re.sub(_QUOTED, lambda quoted: "_" * len(quoted[0]), text)


@lru_cache(1)
def _parser() -> "Lark":
    from lark import Lark

    grammar = files("embtools.formula").joinpath("formula.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True)


def _parse(text: str) -> Expression:
    from lark import UnexpectedCharacters, UnexpectedToken

    if text.count('"') % 2:
        raise ValueError(f"{_place(text, text.rindex(chr(34)))}a quotation mark is not closed. Add a second one.")
    try:
        tree = _parser().parse(text)
    except UnexpectedCharacters as error:
        raise ValueError(_bad_character(text, error.pos_in_stream or 0)) from None
    except UnexpectedToken as error:
        raise ValueError(_bad_token(text, error.token)) from None
    expression = _node(tree)
    count = _terms(expression)
    if count > MAX_TERMS:
        raise ValueError(f"The formula has {count} terms; at most {MAX_TERMS} are read. Shorten it.")
    return expression


def _node(tree: Any) -> Expression:
    if tree.data == "number":
        number = float(tree.children[0])
        if not math.isfinite(number):
            raise ValueError("A number in the formula is too large. Use a smaller one.")
        return Number(number)
    if tree.data == "word":
        return Word(str(tree.children[0]))
    if tree.data == "quoted":
        text = tree.children[0][1:-1].strip()
        if not text:
            raise ValueError("There is nothing between the quotation marks. Write a word there.")
        return Word(text)
    children = [c for c in tree.children if hasattr(c, "data")]
    if tree.data == "signed":  # a plus sign before a term has no effect
        return _node(children[0])
    name = str(tree.children[0]).lower() if tree.data == "call" else str(tree.data)
    if name in ARITY:
        low, high = ARITY[name]
        if not low <= len(children) <= high:
            raise ValueError(
                f"{name} takes {'two expressions' if low == 2 else 'one expression'}, but here it has"
                f" {len(children)}. Write it like {FUNCTIONS[name][0]}."
            )
    return Call(name, tuple(_node(c) for c in children))


def _terms(expression: Expression) -> int:
    if isinstance(expression, Call):
        return sum(_terms(a) for a in expression.arguments)
    return 1


def _is_vector(expression: Expression) -> bool:
    """Return whether the expression is a vector (True) or a number (False); ValueError if it mixes the two."""
    if isinstance(expression, Number):
        return False
    if isinstance(expression, Word):
        return True
    kinds = [_is_vector(a) for a in expression.arguments]
    first, last = expression.arguments[0], expression.arguments[-1]
    if expression.name == "multiply" and all(kinds):
        raise ValueError(
            f"{quoted(expression, 80)} multiplies two words. A word can only be multiplied by a number,"
            f" such as 0.5 * {shortened(Word(words(last)[0]))}."
        )
    if expression.name == "divide":
        if kinds[1]:
            raise ValueError(
                f"{quoted(expression, 80)} divides by a word. Only a number can follow '/', such as (he + she) / 2."
            )
        if value(last, lambda word: np.zeros(())) == 0:
            raise ValueError(f"{quoted(expression, 80)} divides by zero. Use another number.")
    if expression.name in ("add", "subtract") and kinds[0] != kinds[1]:
        number, word = (last, first) if kinds[0] else (first, last)
        raise ValueError(
            f"{quoted(expression, 80)} mixes a number and a word. Write {number} * {shortened(Word(words(word)[0]))},"
            f' or put the number into quotes, "{number}", if you mean the word.'
        )
    if expression.name in ARITY and not all(kinds):
        raise ValueError(
            f"{expression.name} works on words, not on plain numbers. Write it like {FUNCTIONS[expression.name][0]}."
        )
    return any(kinds)


def _place(text: str, position: int) -> str:
    """Describe a position in the text, such as "At character 5 (after 'rome'), " or "At the start, "."""
    before = text[:position].split()
    return f"At character {position + 1} (after {quoted(before[-1])}), " if before else "At the start, "


def _bad_character(text: str, position: int) -> str:
    sign = text[position]
    suggestion = {
        "^": "Powers are not possible; multiply by a number instead.",
        "?": "Write an analogy as man is to king as woman is to ?, or leave out the question mark.",
        "[": "Special tokens are written like [MASK].",
    }.get(sign, f'If it belongs to a word, put the word into quotes: "{shortened(_around(text, position))}".')
    return f"{_place(text, position)}the character {quoted(sign)} has no meaning in a formula. {suggestion}"


def _around(text: str, position: int) -> str:
    """Return the characters without spaces around a position."""
    left = max(text.rfind(" ", 0, position) + 1, position - 20)
    right = text.find(" ", position)
    return text[left : min(len(text) if right < 0 else right, position + 20)].replace('"', "")


def _bad_token(text: str, token: "Token") -> str:
    if token.type == "$END":
        if text.count("(") > text.count(")"):
            return "A parenthesis is not closed. Add ) at the end."
        return f"Something is missing after {quoted(text.split()[-1])}. Add a word, or remove the operator."
    position = token.start_pos or 0
    where = _place(text, position)
    if token.type in ("WORD", "NUMBER", "QUOTED", "CALL", "LPAR"):
        if token.type == "LPAR" and (name := re.search(r"([^\W\d_]+)\s*$", text[:position])):
            names = ", ".join(FUNCTIONS)
            return f"{where}{shortened(name[1])} is not a function. Use {names}, or write an operator before '('."
        return (
            f"{where}an operator is missing before {quoted(str(token))}. Write + or - between two words, and * after a"
            " number."
        )
    if token.type == "RPAR":
        if text[:position].count("(") <= text[:position].count(")"):
            return f"{where}there is a ')' without a '('. Remove it."
        return f"{where}something is missing before ')'. Add a word."
    if token.type == "COMMA":
        if re.fullmatch(r"\d,\d", text[max(position - 1, 0) : position + 2]):
            return f"{where}there is a comma. Write a point in numbers, such as 0.5."
        return f"{where}there is a comma. Use commas only between the arguments of a function, such as mean(a, b)."
    what = f"there are two operators in a row, or a word is missing before '{token}'"
    return f"{where}{what}. Remove an operator or add a word."
