"""What the parts of a vector say, in a sentence, and whether they say more than chance."""

import pandas as pd

from embtools.decomposition.controls import (
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
from embtools.decomposition.parts import Parts
from embtools.decomposition.put_back import NOTHING, ORIGINAL
from embtools.decomposition.put_back import PARTS as MIX
from embtools.decomposition.put_back import RANDOM as DRAWN

LEVEL = 0.05
"""Of each test; "better than chance" needs all of them, so that is its level too."""
NAMED = 3  # words that the sentence names


def finding(name: str, parts: Parts, compared: pd.DataFrame) -> str:
    """The heaviest words of a vector, what its parts explain, and what as many of its nearest words explain.

    compared: as `controls.nearest` or `controls.compare` makes it.

    >>> words = pd.DataFrame({"word": ["warm", "hot"], "share": [0.8, 0.2], "parts": [1, 1]})
    >>> found = Parts(words, words, words, words.index.to_numpy(), 0.3, 0.75, 0.0, True)
    >>> finding("cold", found, pd.DataFrame({"kind": [OWN, NEAREST_WORDS], "explained": [0.75, 0.7]}))
    'cold = 80% warm + 20% hot. These 2 parts explain 75% of it; its 2 nearest words explain 70%.'
    """
    k = len(parts.rows)
    if not k:
        return f"Nothing is left of {name}: the penalty is as large as the pull of the nearest word. Lower it."
    named = [f"{percent(row.share)} {row.word}" for row in parts.words.head(NAMED).itertuples()]
    mix = " + ".join([*named, *(["others"] if len(parts.words) > NAMED else [])])
    (near,) = compared.loc[compared["kind"] == NEAREST_WORDS, "explained"]
    these, nearest = (
        ("This 1 part explains", "its nearest word explains")
        if k == 1
        else (f"These {k} parts explain", f"its {k} nearest words explain")
    )
    return f"{name} = {mix}. {these} {percent(parts.explained)} of it; {nearest} {percent(near)}."


def optimum(parts: Parts) -> str:
    """Whether the mix is the exact optimum, or how far above it the objective can be.

    >>> words = pd.DataFrame({"word": ["warm"], "share": [1.0], "parts": [1]})
    >>> optimum(Parts(words, words, words, words.index.to_numpy(), 0.3, 0.75, 1e-9, True))
    'This mix is the exact optimum.'
    """
    if parts.exact:
        return "This mix is the exact optimum."
    return f"This mix is not the exact optimum: its objective can be up to {max(parts.gap, 0.0001):.2%} too high."


def trust(compared: pd.DataFrame) -> str:
    """Whether chance explains as much, whether the nearest words do, what mixes explain of other words: one line each.

    compared: as `controls.compare` makes it. "Better than chance" means that every test of `controls.significance` has
    a p of at most LEVEL.
    """
    if not len(compared):
        return ""
    tests = significance(compared)
    result = "Better than chance" if (tests["p"] <= LEVEL).all() else "Not clearly better than chance"
    named = {row.kind: f"{row.reached} of {row.draws}" for row in tests.itertuples()}
    p = {row.kind: _p(row.p) for row in tests.itertuples()}
    sentences = [
        f"{result}: the same number of parts explains as much of {named[CLOUD]} random vectors ({p[CLOUD]}) and of"
        f" {named[SHUFFLED]} shuffled vectors ({p[SHUFFLED]}); {named[RANDOM_PARTS]} sets of random parts explain as"
        f" much of this one ({p[RANDOM_PARTS]})."
    ]
    sentences.append(_nearest(compared))
    groups = {kind: rows["explained"] for kind, rows in compared.groupby("kind")}
    if OTHERS in groups:
        others, own = groups[OTHERS], float(groups[OWN].iloc[0])
        better = int((others > own).sum())
        sentences.append(
            f"Of {len(others)} other words, mixes explain {percent(others.min())} to {percent(others.max())};"
            f" {better or 'none'} {'is' if better == 1 else 'are'} explained better."
        )
    return "\n".join(sentences)


def _nearest(compared: pd.DataFrame) -> str:
    """The strongest control, for this vector and over several words."""
    values = compared.drop_duplicates("kind").set_index("kind")["explained"]
    also = f", its nearest occurrences {percent(values[NEAREST])}" if NEAREST in values else ""
    more, differ, p = against_nearest(compared)
    over = f"In {more} of {differ} words the mix explains more than the nearest words (sign test: {_p(p)})"
    told = "." if p <= LEVEL else ", which can be chance."
    return f"Its nearest words explain {percent(values[NEAREST_WORDS])}{also}. {over}{told}"


def survival(name: str, runs: pd.DataFrame) -> str:
    """Whether a mix in a word's place keeps BERT's top answer, and what zeros and random words say about that.

    runs: as `put_back.put_back` makes them. The mix gets the credit only if zeros change the answer and if the same
    number of random words keeps it significantly more rarely (Monte Carlo test, one-sided, LEVEL).
    """
    (original,) = runs[runs["run"] == ORIGINAL].itertuples()
    (nothing,) = runs[runs["run"] == NOTHING].itertuples()
    mixes, drawn = runs[runs["run"] == MIX], runs[runs["run"] == DRAWN]
    last, kept = mixes.iloc[-1], mixes[mixes["first"]]
    if not len(kept):
        zeros = "Zeros keep it, too" if nothing.first else f"Zeros change it to {nothing.answer}"
        return (
            f"No mix in place of {name} keeps BERT's answer {original.answer} ({percent(original.probability)}): with"
            f" {_all(last['k'])} it is {last['answer']}. {zeros}."
        )
    k, still = _smallest(mixes, kept)
    result = (
        f"With {_words(k)} in place of {name}, BERT still answers {original.answer}"
        f" ({percent(float(mixes.loc[mixes['k'] == k, 'probability'].iloc[0]))} instead of"
        f" {percent(original.probability)}){'' if still else f', but no longer with all {last.k} ({last.answer})'}."
    )
    if nothing.first:
        return f"{result} It also does with zeros: the answer does not depend on {name}, so it cannot test the mix."
    at = drawn.loc[drawn["k"] == k, "first"]
    hits, p = int(at.sum()), (1 + int(at.sum())) / (1 + len(at))
    random = f"{_words(k, 'random ')} {'keeps' if k == 1 else 'keep'} it in {hits} of {len(at)} draws ({_p(p)})"
    if p <= LEVEL:
        return (
            f"{result} Zeros change the answer ({nothing.answer}), and {random}: the mix holds what BERT needs for it."
        )
    return f"{result} Zeros change the answer ({nothing.answer}), but {random}: other words may do as well as the mix."


def distance(runs: pd.DataFrame) -> str:
    """How far all answers move with the whole mix, next to zeros and to as many random words (KL divergence)."""
    (zeros,) = runs.loc[runs["run"] == NOTHING, "bits"]
    mix = runs[runs["run"] == MIX].iloc[-1]
    drawn = runs.loc[(runs["run"] == DRAWN) & (runs["k"] == mix["k"]), "bits"]
    less = int((drawn > mix["bits"]).sum())
    p = (1 + len(drawn) - less) / (1 + len(drawn))
    chance = "" if p <= LEVEL else ", which can be chance"
    random = f"{drawn.min():.2f} to {drawn.max():.2f} with {_words(mix['k'], 'random ')}"
    return (
        f"All answers together change by {mix['bits']:.2f} bits with {_all(mix['k'])} of the mix, by {zeros:.2f} with"
        f" zeros and by {random}. The mix changes them less in {less} of {len(drawn)} draws ({_p(p)}){chance}."
    )


def _smallest(mixes: pd.DataFrame, kept: pd.DataFrame) -> tuple[int, bool]:
    """The smallest number of words from which on the answer stays, and whether it stays with all of them."""
    lost = mixes.loc[~mixes["first"], "k"].max()
    steady = kept[kept["k"] > lost] if len(kept) < len(mixes) else kept
    return int((steady if len(steady) else kept)["k"].iloc[0]), bool(len(steady))


def _all(k: int) -> str:
    return "the only word" if k == 1 else f"all {k} words"


def _words(k: int, what: str = "") -> str:
    return f"{k} {what}{'word' if k == 1 else 'words'}"


def _p(p: float) -> str:
    """A p-value as a sentence has it.

    >>> _p(0.025), _p(0.00002)
    ('p = 0.025', 'p < 0.001')
    """
    return f"p = {p:.2g}" if p >= 0.001 else "p < 0.001"


def percent(value: float) -> str:
    """A share as a whole percentage.

    >>> percent(0.004), percent(0.5)
    ('< 1%', '50%')
    """
    return "< 1%" if 0 < value < 0.005 else f"{100 * value:.0f}%"
