"""What the numbers of this page say, in a sentence each."""

from collections.abc import Mapping

import pandas as pd

from embtools.isotropy.looks import AFTER, BEFORE, CENTRE, RANDOM, Look, Measured
from embtools.isotropy.resampling import interval
from embtools.isotropy.tasks import better
from embtools.spaces.space import CENTRED, WHITENED, ZSCORED

LEVEL = 0.025  # of a one-sided sign test: that of one side of a 95% interval
_DONE = {CENTRED: "centring", ZSCORED: "z-scoring", WHITENED: "whitening"}


def finding(looks: Mapping[str, Measured]) -> str:
    """The mean cosine of random pairs before and after, and how much of that centring alone does."""
    raw = looks[BEFORE].measures.mean_cosine
    first = f"Two random words have cosine {_signed(raw)} on average here"
    if AFTER not in looks:
        return f"{first}; in an isotropic space it would be 0."
    after = looks[AFTER]
    done = after.space.says.replace(after.space.kind, _DONE.get(after.space.kind, after.space.kind), 1)
    text = f"{first}; after {done} {_signed(after.measures.mean_cosine)}"
    if CENTRE in looks:
        alone = looks[CENTRE].measures.mean_cosine
        text += f", after centring alone {_signed(alone)}"
    return f"{text}."


def use(looks: Mapping[str, Look]) -> str:
    """Whether words are better for anything after the processing than raw and with each of the controls.

    Clearly better is what beats each of them: where questions share words, the 95% interval of the difference over the
    same resampled words is above 0; else the same questions are answered right more often (`tasks.better`, LEVEL).
    """
    if AFTER not in looks:
        return "Choose a space to see what changes."
    rivals = [name for name in (BEFORE, CENTRE, RANDOM) if name in looks]
    tasks = list(looks[AFTER].scores.table["task"])
    gained = [task for task in tasks if all(_beats(looks[AFTER], looks[name], task) for name in rivals)]
    lost = [task for task in tasks if _beats(looks[BEFORE], looks[AFTER], task)]
    if gained:
        text = f"Clearly better than raw and than every control: {', '.join(gained)}."
    else:
        text = "Nothing goes clearly better than raw and than every control."
    return text + (f" Clearly worse than raw: {', '.join(lost)}." if lost else "")


def _beats(first: Look, second: Look, task: str) -> bool:
    if task in first.scores.resampled:
        low, _ = interval(first.scores.resampled[task] - second.scores.resampled[task])
        return low > 0
    return better(first.scores.right[task], second.scores.right[task]) <= LEVEL


def nearest(word: str, table: pd.DataFrame) -> str:
    """How many of a word's nearest words are still the same after the processing, and which are new.

    >>> nearest("rome", pd.DataFrame({"raw": ["roman", "italy"], "processed": ["italy", "paris"]}))
    'Of the 2 words nearest to rome, 1 stays. New: paris. Gone: roman.'
    """
    if AFTER not in table:
        return f"Nearest to {word}: {', '.join(table[BEFORE].head(5))}."
    before, after = list(table[BEFORE]), list(table[AFTER])
    new, gone = [w for w in after if w not in before], [w for w in before if w not in after]
    stay = len(before) - len(gone)
    text = f"Of the {len(before)} words nearest to {word}, {stay or 'none'} {'stays' if stay == 1 else 'stay'}."
    return text + (f" New: {', '.join(new[:4])}. Gone: {', '.join(gone[:4])}." if new else "")


def groups(table: pd.DataFrame) -> str:
    """How well groups are told apart before and after: the share of pairs in the right order.

    >>> groups(pd.DataFrame({"space": ["raw", "processed"], "auc": [0.9, 0.95]}))
    'Two words of one group are more alike than two of different groups in 90% of cases; processed 95%.'
    """
    auc = table.set_index("space")["auc"]
    if auc.isna().any():
        return "There is one group: write others to see whether they are told apart."
    text = f"Two words of one group are more alike than two of different groups in {auc[BEFORE]:.0%} of cases"
    return text + (f"; processed {auc[AFTER]:.0%}." if AFTER in auc else ".")


def odd(table: pd.DataFrame) -> str:
    """The odd one out before and after.

    >>> odd(pd.DataFrame({"word": ["rome", "red"], "raw": [0.4, 0.1], "processed": [0.3, 0.0]}))
    'The odd one is red, raw and processed.'
    """
    before = str(table.loc[table[BEFORE].idxmin(), "word"])
    if AFTER not in table:
        return f"The odd one is {before}."
    after = str(table.loc[table[AFTER].idxmin(), "word"])
    return f"The odd one is {before}, raw and processed." if before == after else f"Raw: {before}. Processed: {after}."


def analogy(words: tuple[str, ...], table: pd.DataFrame) -> str:
    """The rank of an analogy's fourth word before and after, beside the ranks without arithmetic.

    >>> table = pd.DataFrame({"space": ["raw"], "answer": ["queen"], "rank": [1], "by_b": [2], "by_c": [3]})
    >>> analogy(("man", "king", "woman", "queen"), table)
    'man : king = woman : queen. Rank of queen: raw 1 (nearest to king alone 2, to woman alone 3).'
    """
    a, b, c, expected = words
    shown = table[table["space"].isin([BEFORE, AFTER])]
    parts = [
        f"{row.space} {row.rank:,} (nearest to {b} alone {row.by_b:,}, to {c} alone {row.by_c:,})"
        for row in shown.itertuples()
    ]
    return f"{a} : {b} = {c} : {expected}. Rank of {expected}: {', '.join(parts)}."


def _signed(value: float) -> str:
    """Two digits; what rounds to zero has no sign.

    >>> _signed(-0.001), _signed(0.239)
    ('0.00', '0.24')
    """
    return f"{0.0 if abs(value) < 0.005 else value:.2f}"
