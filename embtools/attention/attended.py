"""What a word attends to: in one head or several, compared with the unedited sentence and a control sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.attention.heads import ROLLOUT, STRONGEST, beginning, combined, is_single
from embtools.attention.reading import BEFORE, CONTROL, Reading, Readings, matched, read_all, shares
from embtools.drawing import Displayed
from embtools.limits import enough
from embtools.messages import shortened
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

NOW, VERSUS = "share", "share_second"


@dataclass(frozen=True)
class AttendedWords(Displayed):
    """What some words attend to.

    source, target  the attending words, and the words that receive attention
    heads           what is shown: "4.2" (layer 4, head 2), "4.2, 5.1", "layer 4", "all heads" or "rollout"
    words           word, special ([CLS] or [SEP]), share (of the attention of the source), and a column for each other
                    reading: share_before (before the edit), share_control (in the control sentence)
    cells           layer, head, share (from source to target), the same columns, and share_second (of the words of
                    `versus`) if there is a second target
    control         the words of the control sentence in reading order; empty without a control sentence
    versus          the words of the second target, which is compared with the first in the same head
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    heads: str
    words: pd.DataFrame
    cells: pd.DataFrame
    control: tuple[str, ...] = ()
    versus: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """The attention that the target words get here, before an edit and in the control sentence."""
        return _headline(self)

    @property
    def limits(self) -> str:
        """What limits the headline: a random head, other words, and the control sentence or that there is none."""
        return _limits(self)

    @property
    def special(self) -> float:
        """The share of [CLS] and [SEP] together."""
        return float(self.words.loc[self.words["special"], NOW].sum())


def attended_words(
    text: str,
    model: "EmbeddingModel",
    *,
    source: Sequence[str | int],
    target: Sequence[str | int],
    versus: Sequence[str | int] = (),
    heads: str = STRONGEST,
    second: str = "",
    control: str = "",
    edits: Sequence[str] = (),
) -> AttendedWords:
    """What some words of a text attend to, in one head or several.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel
    source : sequence of str or int
        The attending words, by name ("it", "the (2)") or by number (0 is [CLS]).
    target : sequence of str or int
        The words that receive attention.
    versus : sequence of str or int, optional
        The words of a second target.
    heads : str, optional
        One head ("4.2": layer 4, head 2), several of which the mean is taken ("4.2, 5.1", "layer 4", "all heads"),
        "rollout", or "strongest head": the one that gives most to the target, or to both targets together.
    second : str, optional
        A second sentence.
    control : str, optional
        A control sentence: the same sentence with one word changed.
    edits : sequence of str, optional
        Edits of words' embeddings before the first layer, such as "animal = animal - dog + car".

    Returns
    -------
    AttendedWords
        The attention (0 … 1) to each word, and to the targets by head.

    Raises
    ------
    ValueError
        For no words, words or heads that do not exist, a word that is in both targets, and as `read_all` does.
    """
    readings = read_all(text, model, second=second, control=control, edits=edits)
    named = [readings.now.named(words) for words in (source, target, versus)]
    return attend(readings, model, source=named[0], target=named[1], heads=heads, versus=named[2])


def attend(
    readings: Readings,
    model: "EmbeddingModel",
    *,
    source: Sequence[str],
    target: Sequence[str],
    heads: str,
    versus: Sequence[str] = (),
) -> AttendedWords:
    """Return what some words attend to, and how much each head gives from them to other words."""
    now = readings.now
    if both := [word for word in target if word in versus]:
        raise ValueError(f"'{both[0]}' is in both targets. Choose different words.")
    given = shares(now, model, source=source)
    cells = _cells(now, given, target)
    if versus:
        cells[VERSUS] = _cells(now, given, versus)[NOW]
    if heads == STRONGEST:
        best = cells.loc[(cells[NOW] + cells[VERSUS] if versus else cells[NOW]).idxmax()]
        heads = f"{best['layer']:.0f}.{best['head']:.0f}"
    words = pd.DataFrame(
        {"word": now.words, "special": now.special, NOW: combined(now, model, given=given, source=source, heads=heads)}
    )
    for name, other in readings.others.items():
        there = matched(now, other)
        theirs = [there[word] for word in source]
        if not all(theirs):
            continue
        divided = shares(other, model, source=theirs)
        row = dict(zip(other.words, combined(other, model, given=divided, source=theirs, heads=heads), strict=True))
        words[name] = [row.get(there[word], np.nan) for word in now.words]
        same = [there[word] for word in target]
        cells[name] = _cells(other, divided, same)["share"] if all(same) else np.nan
    control = readings.control.words if readings.control else ()
    return AttendedWords(tuple(source), tuple(target), heads, words, cells, control, tuple(versus))


def _cells(reading: Reading, given: Array, target: Sequence[str]) -> pd.DataFrame:
    layers, heads, _ = given.shape
    reading.positions(target)  # raises ValueError for an unknown word
    numbers = sorted({reading.words.index(word) for word in target})
    return pd.DataFrame(
        {
            "layer": np.repeat(np.arange(1, layers + 1), heads),
            "head": np.tile(np.arange(1, heads + 1), layers),
            NOW: given[..., numbers].sum(-1).ravel(),
        }
    )


def _headline(result: AttendedWords) -> str:
    source, groups = named(result.source), [result.target, *([result.versus] if result.versus else [])]
    targets = [f"{named(words)} together" if len(words) > 1 else named(words) for words in groups]
    pairs = list(zip(targets, _shares(result, NOW), strict=True))
    gives, its = ("gives", "its") if len(result.source) == 1 else ("give", "their")
    text = f"{beginning(result.heads)} {source} {gives} {' and '.join(f'{n} {share}' for n, share in pairs)}"
    text += f" of {its} attention."
    if result.heads == ROLLOUT:
        first, *others = pairs
        text = f"By rollout over all layers, {first[1]} of {source} comes from {first[0]}"
        text += "".join(f" and {share} from {name}" for name, share in others) + "."
    one = len(groups) == 1
    if _known(result, BEFORE):
        shares = " and ".join(_shares(result, BEFORE))
        text += f" Before the edit, {'the share was' if one else 'the shares were'} {shares}."
    if _known(result, CONTROL):
        known = {name: share for name, share in zip(targets, _shares(result, CONTROL), strict=True) if share}
        which = "the shares are" if len(known) > 1 else f"the share{'' if one else f' of {next(iter(known))}'} is"
        text += f" {_replaced(result)}, {which} {' and '.join(known.values())}."
    return text


def _limits(result: AttendedWords) -> str:
    cells, words = result.cells, result.words
    target = named(result.target)
    parts = []
    if "." in result.heads:  # one head or several named ones
        means = f"{target} {percent(cells[NOW].mean())}"
        if result.versus:
            means += f" and {named(result.versus)} {percent(cells[VERSUS].mean())}"
        parts.append(f"A random head gives {means} (mean of all {len(cells)} heads).")
        parts.append(_rank(result) if is_single(result.heads) else "")
    if result.versus:
        more, less = (int(heads.sum()) for heads in (cells[NOW] > cells[VERSUS], cells[NOW] < cells[VERSUS]))
        second = named(result.versus)
        parts.append(f"In {more} of all {len(cells)} heads {target} gets more than {second}; in {less} it gets less.")
    chosen = (*result.target, *result.versus, *result.source)
    rest = words[~words["special"] & ~words["word"].isin(chosen)].nlargest(2, NOW)
    if len(rest):
        listed = " and ".join(f"“{w}” ({percent(s)})" for w, s in zip(rest["word"], rest[NOW], strict=True))
        parts.append(f"Of all other words, {listed} {'get' if len(rest) > 1 else 'gets'} the most.")
    if not set(result.source) <= {*result.target, *result.versus}:
        own = percent(words.loc[words["word"].isin(result.source), NOW].sum())
        parts.append(
            f"{named(result.source)} {'gives itself' if len(result.source) == 1 else 'give themselves'} {own}."
        )
    parts.append(f"[CLS] and [SEP] together get {percent(result.special)}.")
    return " ".join([*(part for part in parts if part), *_control(result)])


def _rank(result: AttendedWords) -> str:
    """Return how many heads give the target, or both targets together, more than the one that is shown."""
    cells = result.cells
    layer, number = map(int, result.heads.split("."))
    given = cells[NOW] + cells[VERSUS] if result.versus else cells[NOW]
    mine = given[(cells["layer"] == layer) & (cells["head"] == number)].iloc[0]
    above = int((given > mine).sum())
    if above == 0:
        return f"The strongest of {len(cells)} heads is strong partly by chance."
    to = "both targets together" if result.versus else "it"
    return f"{above} of {len(cells)} heads {'gives' if above == 1 else 'give'} {to} more."


def _control(result: AttendedWords) -> list[str]:
    """Return what the control sentence changes most, or that there is no control."""
    words = result.words
    if not result.control:
        return ["There is no control sentence. To add one, write the same sentence with one word changed."]
    every = dict.fromkeys((*result.source, *result.target, *result.versus))
    missing = [word for word in every if word not in result.control] if len(result.control) != len(words) else []
    lacks = f"The control sentence does not contain {named(missing or result.source)}"
    if not _known(result, CONTROL):
        return [f"{lacks}, so it cannot be compared."]
    spoken = words[~words["special"]]
    gains = spoken[CONTROL] - spoken[NOW]
    most = gains.fillna(0.0).idxmax()
    said = [f"{lacks}."] if missing else []
    if not gains[most] >= 0.005:
        return said
    there = result.control[most] if len(result.control) == len(words) else words["word"][most]
    change = f"from {percent(words[NOW][most])} to {percent(words[CONTROL][most])}"
    return [*said, f"In the control sentence, “{there}” gains most ({change}), not counting [CLS] and [SEP]."]


def _shares(result: AttendedWords, column: str) -> list[str]:
    """Return the share of each target; "" of one with a word that this reading does not have."""
    shares = result.words.set_index("word")[column]
    sums = (shares[[*words]].sum(skipna=False) for words in (result.target, result.versus) if words)
    return ["" if np.isnan(share) else percent(share) for share in sums]


def _known(result: AttendedWords, column: str) -> bool:
    """Return whether a target has a share in that reading."""
    return column in result.words and any(_shares(result, column))


def _replaced(result: AttendedWords) -> str:
    """Return how the control sentence differs: "With “wide” instead of “tired”"."""
    pairs = [(a, b) for a, b in zip(result.words["word"], result.control, strict=False) if a != b]
    if len(result.control) == len(result.words) and len(pairs) == 1:
        return f"With “{pairs[0][1]}” instead of “{pairs[0][0]}”"
    return "In the control sentence"


def named(words: Sequence[str]) -> str:
    """Return words as a sentence lists them: at most three, then the number of the others.

    >>> named(["the", "animal"])
    '“the” and “animal”'
    """
    enough(words, "words")
    quoted = [f"“{shortened(word, 30)}”" for word in words]
    more = len(quoted) - 3
    if more > 0:
        quoted = [*quoted[:3], f"{more} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def percent(share: float) -> str:
    """Format a share, with one decimal if it is small.

    >>> percent(0.612), percent(0.004), percent(0.0)
    ('61%', '0.4%', '0.0%')
    """
    return rounded(share) if share >= 0.0995 else rounded(share, 1)
