"""The headlines of the Corpus page: each result in a sentence, with the baseline to compare it with."""

import pandas as pd

from embtools.corpus.analogy import Analogy, Choices
from embtools.statistics.ranks import ordinal


def of_recovery(frame: pd.DataFrame, word: str, recipe: str) -> str:
    """How well the chosen layers recover the senses of a word, compared with layer 0 and shuffled labels.

    frame: as returned by `senses.recovery`; recipe: a layer or layer combination that has a row in it.
    """
    rows = frame.set_index("recipe")
    chosen, first = rows.loc[recipe], rows.iloc[0]
    where = f"In {recipe}" if recipe.startswith("layer ") else f"With the {recipe}"
    context = (
        "" if recipe == rows.index[0] else f" In layer 0, before any context, the share is {first['neighbours']:.0%}."
    )
    text = (
        f"{where}, {chosen['neighbours']:.0%} of the labelled occurrences of {word} have a nearest neighbour with the"
        f" same sense.{context} With shuffled labels the share is {chosen['neighbours_shuffled']:.0%} on average"
    )
    if chosen["neighbours"] > chosen["neighbours_95"]:
        return f"{text}."
    return f"{text} and {chosen['neighbours_95']:.0%} or more in 1 of 20 shuffles, so this result can be chance."


def of_analogy(result: Analogy, words: tuple[str, str, str], expected: str) -> str:
    """The rank of the expected word, with and without the three words, and by nearness to the first word alone."""
    a, b, c = words
    formula, alone = (
        (ordinal(int(row["without_inputs"])), ordinal(int(row["with_inputs"])))
        for row in (result.ranks.iloc[n] for n in (0, 1))
    )
    ranks = (
        f"ranks {formula[0]}, with and without the three words"
        if formula[0] == formula[1]
        else f"ranks {formula[0]} without the three words and {formula[1]} with them"
    )
    by_nearness = f"{alone[0]} in both cases" if alone[0] == alone[1] else f"{alone[0]} ({alone[1]} with them)"
    return f"{a} − {b} + {c}: {expected} {ranks}. By nearness to {a} alone, it ranks {by_nearness}."


def of_choices(result: Choices, words: tuple[str, str, str], expected: str) -> str:
    """How often the expected word ranks 1st, by the formula and by nearness to the first word alone."""
    formula, alone = (result.shares.iloc[n] for n in (0, 1))
    which = f"all {formula['choices']:,}" if result.every else f"{formula['choices']:,} random"
    return (
        f"Over {which} choices of sentences, {expected} ranks 1st in {formula['without_inputs']:.0%} without the three"
        f" words and in {formula['with_inputs']:.0%} with them. By nearness to {words[0]} alone, the shares are"
        f" {alone['without_inputs']:.0%} and {alone['with_inputs']:.0%}."
    )
