"""The vocabulary of a model: its tokens, their kinds, and the lengths of their vectors."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.limits import within
from embtools.memory import remembered
from embtools.messages import quoted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

KINDS = ("word", "continuation", "number", "single character", "special", "unused")
MAX_PATTERN = 50
_BINS = 40  # of the histogram
MAX_WINDOW = 500


@dataclass(frozen=True)
class Listing(Displayed):
    """Entries of a vocabulary that match a search, or a number of entries from an id on.

    pattern, kinds   what was searched; "" and () for the entries from an id on
    total            number of entries in the whole vocabulary
    found            frame: id, token, kind, length
    shown            the first of them: same columns
    by_kind          frame of `by_kind` for the whole vocabulary
    lengths          frame of `lengths`
    """

    pattern: str
    kinds: tuple[str, ...]
    total: int
    found: pd.DataFrame
    shown: pd.DataFrame
    by_kind: pd.DataFrame
    lengths: pd.DataFrame

    @property
    def searched(self) -> bool:
        """Whether entries were searched by text or kind, not taken by id."""
        return bool(self.pattern or self.kinds)

    @property
    def headline(self) -> str:
        """How many entries of the vocabulary were found, and what they have in common."""
        number = f"{len(self.found):,}" if len(self.found) else "None"
        return f"{number} of the {self.total:,} tokens {self._predicate()}."

    def _predicate(self) -> str:
        one = len(self.found) == 1
        if not self.searched:
            first, last = self.found["id"].iloc[0], self.found["id"].iloc[-1]
            return f"has id {first:,}" if one else f"have ids {first:,} to {last:,}"
        kind = f"{'is' if one else 'are'} of the kind “{' or '.join(self.kinds)}”" if self.kinds else ""
        if not self.pattern:
            return kind
        verb = ("matches" if one else "match") if set(self.pattern) & set("*?") else "contains" if one else "contain"
        return f"{verb} “{self.pattern}”{kind and f' and {kind}'}"


def list_entries(
    pattern: str, model: "EmbeddingModel", *, kinds: tuple[str, ...] = (), start: int = 0, count: int = 20
) -> Listing:
    """Return the entries of a model's vocabulary that match a text and kinds; without both, those from an id on.

    Parameters
    ----------
    pattern : str
        Part of a token; or, with * for any characters or ? for one, the whole token.
    model : EmbeddingModel
    kinds : tuple of str, optional
        "word", "continuation", "number", "single character", "special" or "unused"; none means all.
    start : int, default 0
        The first id, if there is neither a pattern nor a kind.
    count : int, default 20
        Number of entries that are shown.

    Returns
    -------
    Listing
        The entries, with the lengths of their vectors compared with those of the whole vocabulary.

    Raises
    ------
    ValueError
        For a pattern that is too long, an unknown kind, an id that does not exist, and a number of entries out of
        range.
    """
    frame, wanted = entries(model), pattern.strip()
    if wanted or kinds:
        within(count, MAX_WINDOW, "entries")
        found = search(frame, pattern=wanted, kinds=kinds)
    else:
        found = window(frame, start, count=count)
    return Listing(wanted, kinds, len(frame), found, found.head(count), by_kind(frame), lengths(frame, found))


def kind(piece: str, *, special: bool = False) -> str:
    """Return the kind of a token, one of `KINDS`.

    >>> [kind(piece) for piece in ("rock", "##ing", "1984", "?", "[unused7]")]
    ['word', 'continuation', 'number', 'single character', 'unused']
    """
    if special:
        return "special"
    if piece.startswith("[unused"):
        return "unused"
    if piece.startswith("##"):
        return "continuation"
    if any(sign.isdigit() for sign in piece):
        return "number"
    return "single character" if len(piece) == 1 else "word"


@remembered
def entries(model: "EmbeddingModel") -> pd.DataFrame:
    """Return the whole vocabulary."""
    return pd.DataFrame(
        {
            "id": np.arange(len(model.vocabulary)),
            "token": list(model.vocabulary),
            "kind": pd.Categorical([kind(p, special=p in model.special) for p in model.vocabulary], KINDS),
            "length": np.linalg.norm(model.matrix, axis=1),
        }
    )


def search(frame: pd.DataFrame, *, pattern: str = "", kinds: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the entries that contain a text or match a whole pattern, ignoring upper and lower case.

    >>> frame = pd.DataFrame({"token": ["sing", "##ing", "ring", "sang"], "kind": ["word"] * 4})
    >>> search(frame, pattern="*ing")["token"].tolist(), search(frame, pattern="s?ng")["token"].tolist()
    (['sing', '##ing', 'ring'], ['sing', 'sang'])
    """
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"The text has {len(pattern)} characters, but at most {MAX_PATTERN} are allowed. Shorten it.")
    if unknown := set(kinds) - set(KINDS):
        raise ValueError(f"There is no kind {quoted(sorted(unknown)[0])}. Choose one of: {', '.join(KINDS)}.")
    wanted = re.sub(r"\*+", "*", pattern.strip().lower())
    keep = np.ones(len(frame), bool)
    if "*" in wanted or "?" in wanted:
        # Tokens contain no line breaks. Several stars in a pattern cause backtracking, but tokens are short.
        compiled = re.compile("".join({"*": ".*", "?": "."}.get(sign) or re.escape(sign) for sign in wanted))
        keep = np.array([compiled.fullmatch(token.lower()) is not None for token in frame["token"]], bool)
    elif wanted:
        keep = np.array([wanted in token.lower() for token in frame["token"]], bool)
    if kinds:
        keep &= frame["kind"].isin(kinds).to_numpy()
    return frame[keep].reset_index(drop=True)


def window(frame: pd.DataFrame, start: int, *, count: int = 20) -> pd.DataFrame:
    """Return entries from an id on, fewer at the end of the vocabulary.

    >>> window(pd.DataFrame({"id": range(9)}), 7, count=5)["id"].tolist()
    [7, 8]
    """
    if not 0 <= start < len(frame):
        raise ValueError(f"The vocabulary has ids 0 to {len(frame) - 1}. Choose one of them.")
    within(count, MAX_WINDOW, "entries")
    return frame.iloc[start : start + count].reset_index(drop=True)


def by_kind(frame: pd.DataFrame) -> pd.DataFrame:
    """Return number and mean vector length of the entries of each kind: kind, entries, share, mean_length."""
    grouped = frame.groupby("kind", observed=False)["length"]
    table = pd.DataFrame({"entries": grouped.size(), "mean_length": grouped.mean()}).reindex(KINDS).reset_index()
    table.insert(2, "share", table["entries"] / max(1, len(frame)))
    return table


def lengths(frame: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Return a histogram of the lengths of all entries and of those found."""
    edges = np.histogram_bin_edges(frame["length"], _BINS)
    return pd.DataFrame(
        {
            "bin_start": edges[:-1],
            "bin_end": edges[1:],
            "all": np.histogram(frame["length"], edges)[0],
            "found": np.histogram(found["length"], edges)[0],
        }
    )
