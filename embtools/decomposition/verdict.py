"""Headlines and captions for a decomposition, its controls and its patching runs."""

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
from embtools.decomposition.patching import NOTHING, ORIGINAL
from embtools.decomposition.patching import PARTS as MIX
from embtools.decomposition.patching import RANDOM as DRAWN
from embtools.messages import counted
from embtools.statistics.percentages import percents, rounded
from embtools.statistics.reporting import control_p, p_value

LEVEL = 0.05
"""Significance level of each test. "Better than chance" requires all tests, so its level is the same."""
CLOSE, SAME = 0.5, 0.02  # shares: a mix comes close if it explains half, and two differ from the second on


def finding(name: str, parts: Parts, compared: pd.DataFrame) -> str:
    """Headline with the heaviest word of a mix, and what its parts and the same number of nearest words explain.

    compared: a frame from `controls.nearest` or `controls.compare`.

    >>> words = pd.DataFrame({"word": ["warm", "hot"], "share": [0.8, 0.2], "parts": [1, 1]})
    >>> parts = Parts(words, words, words, words.index.to_numpy(), 0.3, 0.75, 0.0, True)
    >>> finding("cold", parts, pd.DataFrame({"kind": [OWN, NEAREST_WORDS], "explained": [0.75, 0.7]}))
    '2 words together come close to cold (75%), mostly “warm”. Its 2 nearest words explain less (70%).'
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
        text = f"One word, “{first['word']}”, {close}. Its nearest word"
    else:
        words = f"{k} words" if n == k else f"{k} occurrences of {counted(n, 'word')}"
        mostly = f", mostly “{first['word']}”" if n > 1 and first["share"] > 0.5 else ""
        text = f"{words} together {close}{mostly}. Its {k} nearest words"
    do = "does" if k == 1 else "do"
    difference = near - parts.explained
    less = f"explain{'s' * (k == 1)} less"
    how = f"{do} as well" if abs(difference) < SAME else f"{do} better" if difference > 0 else less
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
    """Three lines that compare a mix with chance, with the nearest words, and with the mixes of other words.

    compared: a frame from `controls.compare`. "Better than chance" means that every test of `controls.significance`
    has a p of at most LEVEL.
    """
    if not len(compared):
        return ""
    tests = significance(compared)
    result = "Better than chance" if (tests["p_value"] <= LEVEL).all() else "Not clearly better than chance"
    better = {row.kind: _of(row.draws - row.reached, row.draws) for row in tests.itertuples()}
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
    words = _of(more, differ) if differ == compared["nearest_explained"].count() else f"{more} of {differ}"
    over = f"For {words} words, this one included, the mix explains more than the nearest words do ({test})"
    chance = "." if p <= LEVEL else ", which could be chance."
    return f"The nearest words explain {percent(values[NEAREST_WORDS])} of this vector{also}. {over}{chance}"


def patching_finding(name: str, runs: pd.DataFrame) -> str:
    """Headline that says whether BERT keeps its top answer with a mix, and whether it does with zeros and random words.

    runs: a frame from `patching.patch`. The mix passes the test only if zeros change the answer and if the same number
    of random words keeps it significantly more rarely (Monte Carlo test, one-sided, LEVEL).
    """
    (original,) = runs[runs["run"] == ORIGINAL].itertuples()
    (nothing,) = runs[runs["run"] == NOTHING].itertuples()
    mixes, drawn = runs[runs["run"] == MIX], runs[runs["run"] == DRAWN]
    last, keeping = mixes.iloc[-1], mixes[mixes["same_answer"]]
    if not len(keeping):
        zeros = f"With zeros, it {'still ' if nothing.same_answer else ''}answers {nothing.answer}"
        return (
            f"No mix in place of {name} keeps BERT’s top answer, {original.answer} ({percent(original.probability)})."
            f" With {_all(last['k'])} of the mix, BERT answers {last['answer']}. {zeros}."
        )
    k, still = _smallest(mixes, keeping)
    result = (
        f"With {name} replaced by the {'strongest part' if k == 1 else f'{k} strongest parts'} of its mix, BERT still"
        f" answers {original.answer} ({percent(float(mixes.loc[mixes['k'] == k, 'probability'].iloc[0]))} instead of"
        f" {percent(original.probability)}){'' if still else f', but with {_all(last.k)} it answers {last.answer}'}."
    )
    if nothing.same_answer:
        return (
            f"{result} BERT also answers {original.answer} if {name} is replaced by zeros. So BERT does not need"
            f" {name} for this answer, and the answer cannot be used to test the mix."
        )
    at = drawn[drawn["k"] == k]
    hits, highest = int(at["same_answer"].sum()), percent(at["probability"].max())
    p = control_p(hits, len(at))
    zeros = f"With zeros it answers {nothing.answer}"
    random = (
        f"with {_words(k, 'random ')} it keeps its answer in {hits} of {len(at)} draws (highest probability: {highest};"
        f" {p_value(p, len(at), what='draws')})"
    )
    if p <= LEVEL:
        return f"{result} {zeros}, and {random}, so the mix contains what BERT needs for this answer."
    return f"{result} {zeros}, but {random}, so other words may be as good as the mix."


def distance(runs: pd.DataFrame) -> str:
    """Sentence with the KL divergence from the original answers for the whole mix, zeros and random words."""
    (zeros,) = runs.loc[runs["run"] == NOTHING, "kl_bits"]
    mix = runs[runs["run"] == MIX].iloc[-1]
    drawn = runs.loc[(runs["run"] == DRAWN) & (runs["k"] == mix["k"]), "kl_bits"]
    less = int((drawn > mix["kl_bits"]).sum())
    p = control_p(len(drawn) - less, len(drawn))
    chance = "" if p <= LEVEL else ", which could be chance"
    random = f"{drawn.min():.2f} to {drawn.max():.2f} bits with {_words(mix['k'], 'random ')}"
    return (
        f"The distribution over all answers changes by {mix['kl_bits']:.2f} bits (KL divergence) with {_all(mix['k'])}"
        f" of the mix, by {zeros:.2f} bits with zeros and by {random}. In {_of(less, len(drawn))} draws, the mix"
        f" changes the distribution less than the random words do ({p_value(p, len(drawn), what='draws')}){chance}."
    )


def _smallest(mixes: pd.DataFrame, keeping: pd.DataFrame) -> tuple[int, bool]:
    """The smallest number of parts from which on the answer is kept, and whether the largest number keeps it."""
    lost = mixes.loc[~mixes["same_answer"], "k"].max()
    steady = keeping[keeping["k"] > lost] if len(keeping) < len(mixes) else keeping
    return int((steady if len(steady) else keeping)["k"].iloc[0]), bool(len(steady))


def _all(k: int) -> str:
    return "the only part" if k == 1 else "both parts" if k == 2 else f"all {k} parts"


def _words(k: int, what: str = "") -> str:
    return f"{k} {what}{'word' if k == 1 else 'words'}"


def _of(count: int, total: int) -> str:
    """A count out of a total, before a plural noun.

    >>> _of(17, 19), _of(19, 19)
    ('17 of 19', 'all 19')
    """
    return f"all {total}" if count == total > 1 else f"{count} of {total}"


def percent(value: float) -> str:
    """A share formatted as a whole percentage.

    >>> percent(0.004), percent(0.5)
    ('< 1%', '50%')
    """
    return "< 1%" if 0 < value < 0.005 else rounded(value)
