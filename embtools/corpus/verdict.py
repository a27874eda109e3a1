"""The headlines of the Corpus page: each result in a sentence, with the baseline to compare it with."""

import pandas as pd

from embtools.corpus.analogy import Analogy, Choices
from embtools.corpus.search import Nearest, SenseHits
from embtools.corpus.sentences import Matches
from embtools.messages import listed
from embtools.statistics.ranks import ordinal

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VOTES = 3


def of_nearest(result: Nearest, hits: SenseHits | None = None, without_context: SenseHits | None = None) -> str:
    """The words or senses nearest to an occurrence, and those nearest without its sentence.

    `hits` are those of the chosen layer combination, `without_context` those of layer 0, where a word has a position
    but no context.
    """
    word = result.word
    if hits is not None:
        if hits.of == 1:
            first = f"The nearest other occurrence of {word} {'means' if hits.hits else 'does not mean'} {hits.sense}."
        elif hits.hits == hits.of:
            first = f"The {_count(hits.of)} nearest other occurrences of {word} all mean {hits.sense}."
        else:
            verb = "mean" if hits.hits > 1 else "means"
            means = f"{_count(hits.hits)} {verb} {hits.sense}"
            first = f"Of the {_count(hits.of)} nearest other occurrences of {word}, {means}."
        chance = f"Expected by chance: {hits.chance:.1f}."
        if without_context is None:
            return f"{first} {chance}"
        if hits.of == 1:
            again = f"the nearest one {'does' if without_context.hits else 'does not'}"
        else:
            verb = "do" if without_context.hits > 1 else "does"
            again = f"{_count(without_context.hits)} of the {_count(hits.of)} {verb}"
        return f"{first} In layer 0, before any context, {again}. {chance}"
    known = result.others[result.others["sense"] != ""]
    if len(known) > _VOTES:
        votes = known["sense"].head(_VOTES)
        sense = str(votes.mode()[0]) if votes.nunique() < len(votes) else str(votes.iloc[0])
        share, every = int((votes == sense).sum()), int((known["sense"] == sense).sum())
        verb = "means" if share == 1 else "mean"
        return (
            f"Of the {_count(_VOTES)} nearest occurrences of {word} with a known sense, {_count(share)} {verb} {sense}."
            f" Of all {len(known)} with a known sense, {every} {'does' if every == 1 else 'do'}."
        )
    others = _words(result.near, word)
    static = _words(result.static, word)
    if result.near.empty:
        return "The text contains no other word."
    if not others:
        if len(result.near) == 1:
            return f"The nearest occurrence belongs to the word {word} itself."
        return f"The {_count(len(result.near))} nearest occurrences all belong to the word {word} itself."
    first = (
        f"In this sentence the word nearest to {word} is {others[0]}."
        if len(others) == 1
        else f"In this sentence the words nearest to {word} are {listed(others)}."
    )
    if not static:
        return first
    return f"{first} Without a sentence {'it is' if len(static) == 1 else 'they are'} {listed(static)}."


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


def of_sentences(result: Matches) -> str:
    """How many of the sentences nearest in meaning are also among those that share the most words."""
    k = len(result.by_meaning)
    shared = int((result.by_meaning["words"] <= k).sum())
    return (
        f"Of the {_count(k)} sentences nearest in meaning, {_count(shared)} {'is' if shared == 1 else 'are'} also among"
        f" the {_count(k)} that share the most words. The search compared {result.count:,} sentences."
    )


def _words(frame: pd.DataFrame, word: str) -> list[str]:
    return [str(other) for other in frame.loc[frame["word"] != word, "word"].unique()[:3]]


def _count(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
