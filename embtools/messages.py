"""Texts where others read them: quoted or joined in messages, as names of columns, and harmless in spreadsheets."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"\s*[=+\-@].*[(|!]", re.DOTALL)
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # categories: control, format, half of a pair, separators of lines
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # parts of words in Persian and Hindi, and of emoji


def quoted(text: object, most: int = 40) -> str:
    """A text, shortened, in single quotation marks.

    >>> print(quoted("the river bank " * 100))
    'the river bank the river bank the river…'
    """
    return f"'{shortened(text, most)}'"


def mentioned(token: str) -> str:
    """A token as a sentence names it: punctuation in quotation marks."""
    return token if any(map(str.isalnum, token)) else f"“{token}”"


def shortened(text: object, most: int = 40) -> str:
    """A text on one line, without invisible characters, cut with an ellipsis if it is longer than `most` characters.

    >>> shortened("  the river\\nbank "), shortened("pneumonia", most=5)
    ('the river bank', 'pneu…')
    """
    line = " ".join(str(text)[: 20 * most].split())  # a long text is not read to its end
    line = "".join(sign if sign.isprintable() or sign in _JOINERS else "\N{REPLACEMENT CHARACTER}" for sign in line)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def visible(text: str, *, but: str = "") -> str:
    r"""The text with its control characters, marks of direction and other invisible characters, except those in `but`,
    written as codes.

    >>> visible("Rome\u202e\n is"), visible("a\nb", but="\n")
    ('Rome⟨U+202E⟩⟨U+000A⟩ is', 'a\nb')
    """
    return "".join(sign if _is_seen(sign) or sign in but else f"⟨U+{ord(sign):04X}⟩" for sign in text)


def _is_seen(sign: str) -> bool:
    return sign in _JOINERS or unicodedata.category(sign) not in _UNSEEN


def column_name(name: object) -> str:
    """Return a name as the name of a column: words in small letters, joined by underscores.

    >>> column_name("gradient × input"), column_name("layer norm 2"), column_name("[MASK]")
    ('gradient_x_input', 'layer_norm_2', 'mask')
    """
    return "_".join(re.findall(r"\w+", str(name).lower().replace("×", "x")))


def counted(count: int, what: str) -> str:
    """Return a number with a noun in the singular or, with an s, in the plural.

    >>> counted(1, "word"), counted(1_200, "word")
    ('1 word', '1,200 words')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def first_of(texts: Sequence[str], most: int = 5) -> str:
    """Join the first texts with commas, and say how many more there are.

    >>> first_of(["2", "3"]), first_of([str(n) for n in range(1, 1_009)])
    ('2 and 3', '1, 2, 3, 4, 5 and 1,003 more')
    """
    more = len(texts) - most
    return listed([*texts[:most], *([f"{more:,} more"] if more > 0 else [])])


def listed(words: Iterable[str], *, last: str = "and") -> str:
    """Join words with commas and a final "and", or another word.

    >>> listed(["he", "she", "they"]), listed(["he", "she"], last="or")
    ('he, she and they', 'he or she')
    """
    *others, end = list(words) or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run a text as a formula that can do harm (OWASP, CSV injection), which needs a
    call, a sheet or a command.

    >>> is_formula("=HYPERLINK(A1)"), is_formula("-"), is_formula("king - man")
    (True, False, False)
    """
    return bool(_FORMULA.match(text))
