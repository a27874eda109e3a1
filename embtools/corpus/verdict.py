"""The headlines of the Corpus page: each result in a sentence, with the baseline to compare it with."""

from embtools.corpus.analogy import Analogy, Choices
from embtools.statistics.ranks import ordinal


def of_analogy(result: Analogy, words: tuple[str, str, str], expected: str) -> str:
    """The rank of the expected word, with and without the three words, and by nearness to the first word alone."""
    a, b, c = words
    formula, alone = (
        (ordinal(int(row["without_inputs"])), ordinal(int(row["with_inputs"])))
        for row in (result.ranks.iloc[n] for n in (0, 1))
    )
    ranks = (
        f"ranks {formula[0]}, whether the three words are excluded or kept"
        if formula[0] == formula[1]
        else f"ranks {formula[0]} if the three words are excluded and {formula[1]} if they are kept"
    )
    by_nearness = f"{alone[0]} in both cases" if alone[0] == alone[1] else f"{alone[0]} ({alone[1]} if they are kept)"
    return f"{a} − {b} + {c}: {expected} {ranks}. By nearness to {a} alone, it ranks {by_nearness}."


def of_choices(result: Choices, words: tuple[str, str, str], expected: str) -> str:
    """How often the expected word ranks 1st, by the formula and by nearness to the first word alone."""
    formula, alone = (result.shares.iloc[n] for n in (0, 1))
    which = f"all {formula['choices']:,}" if result.every else f"{formula['choices']:,} random"
    return (
        f"Of {which} choices of sentences, {formula['without_inputs']:.0%} give {expected} rank 1 if the three words"
        f" are excluded, and {formula['with_inputs']:.0%} if they are kept. By nearness to {words[0]} alone, {expected}"
        f" has rank 1 in {alone['without_inputs']:.0%} if they are excluded, and in {alone['with_inputs']:.0%} if they"
        " are kept."
    )
