"""What was found in a text, in a sentence, with the baseline beside it."""

import pandas as pd

from embtools.corpus.analogy import Analogy, Choices
from embtools.corpus.search import Nearest, SenseHits
from embtools.corpus.sentences import Matches

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VOTES = 3


def of_nearest(found: Nearest, hits: SenseHits | None = None, without_context: SenseHits | None = None) -> str:
    """What stands near the word, and what the same word finds without its sentence.

    `hits` are those of the recipe, `without_context` those of layer 0, where a word has only its place.
    """
    word = found.word
    if hits is not None:
        if hits.of == 1:
            first = f"The nearest other {word} {'means' if hits.hits else 'does not mean'} {hits.sense}"
        elif hits.hits == hits.of:
            first = f"The {_count(hits.of)} nearest other occurrences of {word} all mean {hits.sense}"
        else:
            verb = "mean" if hits.hits > 1 else "means"
            first = (
                f"Of the {_count(hits.of)} nearest other occurrences of {word}, {_count(hits.hits)} {verb} {hits.sense}"
            )
        if without_context is None:
            return f"{first}; luck would find {hits.luck:.1f}."
        verb = "do" if without_context.hits > 1 else "does"
        of = "" if hits.of == 1 else f" of {_count(hits.of)}"
        return (
            f"{first}. Without context, in layer 0, {_count(without_context.hits)}{of} {verb}; luck would find"
            f" {hits.luck:.1f}."
        )
    known = found.others[found.others["sense"] != ""]
    if len(known) > _VOTES:
        votes = known["sense"].head(_VOTES)
        sense = str(votes.mode()[0]) if votes.nunique() < len(votes) else str(votes.iloc[0])
        share, every = int((votes == sense).sum()), int((known["sense"] == sense).sum())
        verb = "means" if share == 1 else "mean"
        return (
            f"Of the {_count(_VOTES)} nearest occurrences of {word} with a known sense, {_count(share)} {verb} {sense};"
            f" of all {len(known)}, {every} {'does' if every == 1 else 'do'}."
        )
    others = _words(found.near, word)
    static = _words(found.static, word)
    if found.near.empty:
        return "There is no other word in the text."
    if not others:
        return f"The {_count(len(found.near))} nearest occurrences are all of {word} itself."
    return f"Nearest to {word} in this sentence: {others}; without a sentence: {static or 'no other word'}."


def of_recovery(frame: pd.DataFrame, word: str, recipe: str) -> str:
    """How well the chosen layers recover the senses of a word, next to layer 0 and shuffled labels.

    frame: as `senses.recovery` makes it; recipe: a layer or a combination of layers that it has a row for.
    """
    rows = frame.set_index("recipe")
    chosen, first = rows.loc[recipe], rows.iloc[0]
    name = recipe[:1].upper() + recipe[1:]
    context = "" if recipe == rows.index[0] else f" In layer 0, before any context: {first['neighbours']:.0%}."
    text = (
        f"{name}: {chosen['neighbours']:.0%} of the labelled occurrences of {word} have a nearest neighbour of the same"
        f" sense.{context} Shuffled labels: {chosen['neighbours_shuffled']:.0%} on average"
    )
    if chosen["neighbours"] > chosen["neighbours_95"]:
        return f"{text}."
    return f"{text}, and {chosen['neighbours_95']:.0%} or more in 1 of 20 shuffles, so this can be chance."


def of_analogy(found: Analogy, words: tuple[str, str, str], expected: str) -> str:
    """Where the expected word stands, with and without the three words, and for the first of them alone."""
    a, b, c = words
    formula, alone = (found.ranks.iloc[n] for n in (0, 1))
    return (
        f"{a} − {b} + {c}: {expected} is number {formula['without_inputs']} without the three words"
        f" ({formula['with_inputs']} with them); nearest to {a} alone, it is number {alone['without_inputs']}"
        f" ({alone['with_inputs']})."
    )


def of_choices(found: Choices, words: tuple[str, str, str], expected: str) -> str:
    """How often the expected word is first, beside the first word alone."""
    formula, alone = (found.shares.iloc[n] for n in (0, 1))
    which = f"all {formula['choices']:,}" if found.every else f"{formula['choices']:,} random"
    return (
        f"Over {which} choices {expected} is first in {formula['without_inputs']:.0%}, and in"
        f" {formula['with_inputs']:.0%} with the three words among the answers. Without arithmetic, nearest to"
        f" {words[0]}: {alone['without_inputs']:.0%} and {alone['with_inputs']:.0%}."
    )


def of_sentences(found: Matches) -> str:
    """How many of the nearest sentences shared words would have found as well."""
    k = len(found.by_meaning)
    shared = int((found.by_meaning["words"] <= k).sum())
    return (
        f"Of the {_count(k)} sentences nearest in meaning, {_count(shared)} {'is' if shared == 1 else 'are'} also among"
        f" the {_count(k)} that share most words; looked at: {found.count:,}."
    )


def _words(frame: pd.DataFrame, word: str) -> str:
    return ", ".join(frame.loc[frame["word"] != word, "word"].unique()[:3])


def _count(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
