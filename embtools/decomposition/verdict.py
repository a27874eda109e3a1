"""What the parts of a vector say, in a sentence, and whether they say more than chance."""

import pandas as pd

from embtools.decomposition.controls import CLOUD, OTHERS, OWN, RANDOM_PARTS, SHUFFLED
from embtools.decomposition.parts import Parts
from embtools.decomposition.put_back import NOTHING, ORIGINAL
from embtools.decomposition.put_back import PARTS as MIX
from embtools.decomposition.put_back import RANDOM as DRAWN

NAMED = 3  # words that the sentence names
_RIVALS = {
    RANDOM_PARTS: "a set of random parts does",
    CLOUD: "the parts of a random vector do",
    SHUFFLED: "those of shuffled numbers do",
}


def finding(name: str, parts: Parts, compared: pd.DataFrame) -> str:
    """The heaviest words of a vector, what its parts explain, and what as many explain of a random vector.

    >>> words = pd.DataFrame({"word": ["warm", "hot"], "share": [0.8, 0.2], "parts": [1, 1]})
    >>> found = Parts(words, words, words, words.index.to_numpy(), 0.3, 0.75)
    >>> finding("cold", found, pd.DataFrame({"kind": [OWN, CLOUD], "explained": [0.75, 0.2]}))
    'cold = 80% warm + 20% hot: 2 parts explain 75% of it, 2 parts of a random vector 20%.'
    """
    k = len(parts.rows)
    if not k:
        return f"Nothing is left of {name}: the penalty is as large as the pull of the nearest word. Lower it."
    named = [f"{percent(row.share)} {row.word}" for row in parts.words.head(NAMED).itertuples()]
    mix = " + ".join([*named, *(["others"] if len(parts.words) > NAMED else [])])
    mean = compared.groupby("kind")["explained"].mean()
    these, those = ("1 part explains", "1 part") if k == 1 else (f"{k} parts explain", f"{k} parts")
    return f"{name} = {mix}: {these} {percent(mean[OWN])} of it, {those} of a random vector {percent(mean[CLOUD])}."


def trust(compared: pd.DataFrame) -> str:
    """Whether the parts explain more than every control that should do worse, and where other words stand.

    >>> frame = pd.DataFrame({"kind": [OWN, OTHERS, OTHERS, CLOUD], "explained": [0.7, 0.8, 0.6, 0.2]})
    >>> trust(frame)
    'More than every control. As many parts explain 60% to 80% of 2 other words; 1 is explained better.'
    """
    if not len(compared):
        return ""
    groups = {kind: rows["explained"] for kind, rows in compared.groupby("kind")}
    own = float(groups[OWN].iloc[0])
    equal = [what for kind, what in _RIVALS.items() if kind in groups and (groups[kind] >= own).any()]
    first = (
        f"Not more than {' and '.join(equal)}: chance would give as good a mix."
        if equal
        else ("More than every control.")
    )
    if OTHERS not in groups:
        return first
    others = groups[OTHERS]
    better = int((others > own).sum())
    return (
        f"{first} As many parts explain {percent(others.min())} to {percent(others.max())} of {len(others)} other"
        f" words; {better or 'none'} {'are' if better > 1 else 'is'} explained better."
    )


def survival(name: str, runs: pd.DataFrame) -> str:
    """How many parts in a word's place keep BERT's first answer, and in how many draws as many random words do.

    runs: as `put_back.put_back` makes them.

    >>> rows = [(ORIGINAL, 0, "wind", 0.4, True), (NOTHING, 0, "sun", 0.1, False), (MIX, 1, "sun", 0.1, False)]
    >>> rows += [(MIX, 2, "wind", 0.3, True), (DRAWN, 1, "sun", 0.1, False), (DRAWN, 2, "sun", 0.1, False)]
    >>> survival("it", pd.DataFrame(rows, columns=["run", "k", "answer", "probability", "first"]))
    'With 2 words in the place of it BERT still says wind (30% instead of 40%); 2 random words do so in 0 of 1 draw.'
    """
    (original,) = runs[runs["run"] == ORIGINAL].itertuples()
    (nothing,) = runs[runs["run"] == NOTHING].itertuples()
    mixes, drawn = runs[runs["run"] == MIX], runs[runs["run"] == DRAWN]
    last, kept = mixes.iloc[-1], mixes[mixes["first"]]
    if not len(kept):
        hits = f"as many random words keep it in {_hits(drawn, last['k'])}"
        return (
            f"No mix keeps BERT's {original.answer} ({percent(original.probability)}) in the place of {name}: with all"
            f" {_words(last['k'])} it says {last['answer']}; {hits}."
        )
    lost = mixes.loc[~mixes["first"], "k"].max()
    steady = kept[kept["k"] > lost] if len(kept) < len(mixes) else kept
    best = (steady if len(steady) else kept).iloc[0]
    k = int(best["k"])
    later = "" if len(steady) else f", but no longer with all {last['k']} ({last['answer']})"
    said = (
        f"With {_words(k)} in the place of {name} BERT still says {original.answer} ({percent(best['probability'])}"
        f" instead of {percent(original.probability)}){later}; {_words(k, 'random ')} {'does' if k == 1 else 'do'} so"
        f" in {_hits(drawn, k)}."
    )
    return said + (f" So do zeros: {original.answer} does not hang on {name}." if nothing.first else "")


def _words(k: int, what: str = "") -> str:
    return f"{k} {what}{'word' if k == 1 else 'words'}"


def _hits(drawn: pd.DataFrame, k: int) -> str:
    """In how many draws k random words keep the first answer."""
    rows = drawn.loc[drawn["k"] == k, "first"]
    return f"{int(rows.sum())} of {len(rows)} {'draw' if len(rows) == 1 else 'draws'}"


def percent(value: float) -> str:
    """A share as a whole percentage.

    >>> percent(0.004), percent(0.5)
    ('< 1%', '50%')
    """
    return "< 1%" if 0 < value < 0.005 else f"{100 * value:.0f}%"
