"""A decomposition and its controls, each as one value with the sentences and tables that describe it."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from embtools.drawing import Displayed
from embtools.features import controls
from embtools.features.controls import (
    CLOUD,
    NEAREST,
    NEAREST_WORDS,
    OTHERS,
    OWN,
    RANDOM_PARTS,
    SHUFFLED,
    against_nearest,
    significance,
)
from embtools.features.dictionary import Dictionary
from embtools.features.parts import Parts, decompose
from embtools.features.targets import Target
from embtools.messages import counted
from embtools.statistics.percentages import percents, rounded
from embtools.statistics.reporting import LEVEL, p_value

CLOSE, SAME = 0.5, 0.02  # shares: a mix comes close if it explains half, and two differ from the second on


@dataclass(frozen=True, eq=False)
class Decomposition(Displayed):
    """The decomposition of a vector.

    target      the vector
    parts       its parts
    near        what the same number of nearest words explains (`controls.nearest`)
    sentences   the sentences of the built-in corpus that contain the word
    count       the number of its occurrences in a folder
    coverage    a sentence that says how much of a folder was used; "" without a folder
    """

    target: Target
    parts: Parts
    near: pd.DataFrame
    sentences: tuple[str, ...] = ()
    count: int = 0
    coverage: str = ""

    @cached_property
    def headline(self) -> str:
        """The heaviest words of the mix, and what its parts and the same number of nearest words explain."""
        return finding(self.target.name, self.parts, self.near)

    @property
    def optimum(self) -> str:
        """Whether the mix is the exact optimum, or how far the objective can be above the minimum."""
        return optimum(self.parts)

    def measure(self, name: str) -> float:
        """A measure of the mix by its name in `parts.figures`."""
        return float(self.parts.figures.set_index("measure")["value"][name])


@dataclass(frozen=True, eq=False)
class Controls:
    """How much the same number of parts explains of a vector and of its controls; `frame`: see `controls.compare`."""

    frame: pd.DataFrame

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The share explained, one row per kind of control."""
        return controls.summary(self.frame)

    @cached_property
    def trust(self) -> str:
        """The mix compared with chance, with the nearest words and with the mixes of other words, in three lines."""
        return trust(self.frame)


def decomposed(
    target: Target,
    dictionary: Dictionary,
    *,
    share: float,
    alpha: float | None = None,
    same_word: bool = False,
    same_sentence: bool = True,
    sentences: tuple[str, ...] = (),
    count: int = 0,
    coverage: str = "",
) -> Decomposition:
    """The decomposition of a target; what else is known about its word is passed on. Raises as `decompose` does."""
    rules = {"same_word": same_word, "same_sentence": same_sentence}
    parts = decompose(target, dictionary, share=share, alpha=alpha, **rules)
    near = controls.nearest(target, dictionary, parts, **rules)
    return Decomposition(target, parts, near, sentences, count, coverage)


def finding(name: str, parts: Parts, compared: pd.DataFrame) -> str:
    """Headline with the heaviest word of a mix, and what its parts and the same number of nearest words explain
    (`compared`: from `controls.nearest` or `controls.compare`).

    >>> words = pd.DataFrame({"word": ["warm", "hot"], "share": [0.8, 0.2], "parts": [1, 1]})
    >>> parts = Parts(words, words, words, words.index.to_numpy(), 0.3, 0.75, 0.0, True)
    >>> finding("cold", parts, pd.DataFrame({"kind": [OWN, NEAREST_WORDS], "explained": [0.75, 0.7]}))
    '2 words together come close to cold (75%), mostly “warm”. The 2 words nearest to cold explain less (70%).'
    """
    k = len(parts.rows)
    if not k:
        return f"The mix for {name} is empty: with this penalty, no word gets a positive weight. Lower the penalty."
    (near,) = compared.loc[compared["kind"] == NEAREST_WORDS, "explained"]
    first, n = parts.words.iloc[0], len(parts.words)  # several occurrences of a word can be parts
    own, other = percents(parts.explained, near, digits=0)
    close = f"come{'s' * (k == 1)} close to {name} ({own})" if parts.explained >= CLOSE else ""
    close = close or f"explain{'s' * (k == 1)} only {own} of {name}"
    if k == 1:
        text = f"One word, “{first['word']}”, {close}. The word nearest to {name} explains"
    else:
        words = f"{k} words" if n == k else f"{k} occurrences of {counted(n, 'word')}"
        mostly = f", mostly “{first['word']}”" if n > 1 and first["share"] > 0.5 else ""
        text = f"{words} together {close}{mostly}. The {k} words nearest to {name} explain"
    difference = near - parts.explained
    how = "as much" if abs(difference) < SAME else "more" if difference > 0 else "less"
    return f"{text} {how} ({other})."


def optimum(parts: Parts) -> str:
    """Sentence that says whether the mix is the exact optimum, or how far the objective can be above the minimum.

    >>> words = pd.DataFrame({"word": ["warm"], "share": [1.0], "parts": [1]})
    >>> optimum(Parts(words, words, words, words.index.to_numpy(), 0.3, 0.75, 1e-9, True))
    'This mix is the exact optimum.'
    """
    if parts.exact:
        return "This mix is the exact optimum."
    gap = rounded(max(parts.gap, 0.0001), 2)
    return f"This mix is not the exact optimum: its objective can be up to {gap} above the minimum."


def trust(compared: pd.DataFrame) -> str:
    """Three lines that compare a mix with chance ("better" if every test of `controls.significance` has a p of at most
    LEVEL), with the nearest words, and with the mixes of other words.
    """
    if not len(compared):
        return ""
    tests = significance(compared)
    result = "Better than chance" if (tests["p_value"] <= LEVEL).all() else "Not clearly better than chance"
    better = {row.kind: out_of(row.draws - row.reached, row.draws) for row in tests.itertuples()}
    p = {row.kind: p_value(row.p_value, row.draws, what="draws") for row in tests.itertuples()}
    strongest = compared.loc[compared["kind"] == RANDOM_PARTS, "explained"].max()
    sentences = [
        f"{result}: with the same number of parts, this vector is explained better than {better[CLOUD]} random vectors"
        f" ({p[CLOUD]}) and {better[SHUFFLED]} shuffled vectors ({p[SHUFFLED]}), and the mix explains it better than"
        f" {better[RANDOM_PARTS]} sets of random parts ({p[RANDOM_PARTS]}; the best set explains {percent(strongest)})."
    ]
    sentences.append(_nearest(compared))
    groups = {kind: rows["explained"] for kind, rows in compared.groupby("kind")}
    if OTHERS in groups:
        others, own = groups[OTHERS], float(groups[OWN].iloc[0])
        more = int((others > own).sum())
        these = f"All {more}" if more == len(others) > 1 else str(more or "None")
        sentences.append(
            f"The mixes of {len(others)} other words explain {percent(others.min())} to {percent(others.max())} of"
            f" those words’ vectors. {these} of these words {'are' if more > 1 else 'is'} explained better than this"
            " one."
        )
    return "\n".join(sentences)


def _nearest(compared: pd.DataFrame) -> str:
    """Sentences about the nearest words, the strongest control, for this vector and over several words."""
    values = compared.drop_duplicates("kind").set_index("kind")["explained"]
    also = f" and the nearest occurrences {percent(values[NEAREST])}" if NEAREST in values else ""
    more, differ, p = against_nearest(compared)
    test = f"sign test, ties excluded: {p_value(p)}"
    words = out_of(more, differ) if differ == compared["nearest_explained"].count() else f"{more} of {differ}"
    over = f"For {words} words, this one included, the mix explains more than the nearest words do ({test})"
    chance = "." if p <= LEVEL else ", which could be chance."
    return f"The nearest words explain {percent(values[NEAREST_WORDS])} of this vector{also}. {over}{chance}"


def out_of(count: int, total: int) -> str:
    """A count out of a total, before a plural noun.

    >>> out_of(17, 19), out_of(19, 19)
    ('17 of 19', 'all 19')
    """
    return f"all {total}" if count == total > 1 else f"{count} of {total}"


def percent(value: float) -> str:
    """A share formatted as a whole percentage.

    >>> percent(0.004), percent(0.5)
    ('< 1%', '50%')
    """
    return "< 1%" if 0 < value < 0.005 else rounded(value)
