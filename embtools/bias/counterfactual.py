"""Counterfactual sentences: replace the words of one group with those of another, such as he and she.

Both sentences are compared word by word, and by their answers at a mask if there is one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import normalize

import pandas as pd

from embtools import wordlists
from embtools.bias import verdict
from embtools.bias.likelihood import swapped_answers, swapped_words
from embtools.bias.verdict import capital
from embtools.drawing import Displayed
from embtools.mask_filling import typed_input

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_CHARACTERS = 5_000  # the longest text that a model reads
_WORD = re.compile(r"[^\W_]+")
_NEXT = re.compile(r"\s+(\[|[^\W_]+(?:[-'’][^\W_]+)*)")
# "her" and "his" have two readings each, and the next word decides: these words do not begin a noun phrase.
_FUNCTION_WORDS = """
about after again against all along also although always an and any are around as at a away because before both but by
can could did do does during each for from had has have he here him his her how i if in instead into is it later not
nothing now of off often on once onto or our out over she should since so something sometimes soon than that the their
then there these they this those though through to today together tomorrow tonight too toward towards twice under unless
until up was we were what when where whether which while who whom whose why will with without would yesterday yet you
your
"""
_NO_NOUN = frozenset(_FUNCTION_WORDS.split())
_ALWAYS = (("him", "her"), ("hers", "his"), ("himself", "herself"))
_BUILT_IN = ("pronouns", "people", "family")  # lists with as many male as female words


@dataclass(frozen=True)
class Counterfactual(Displayed):
    """A sentence compared with its swapped version.

    first      the sentence
    second     the swapped sentence
    words      frame of `likelihood.swapped_words`: one row per word that both sentences share
    answers    frame of `likelihood.swapped_answers`; None if the sentence has no [MASK]
    distance   distance between the answers in bits; nan without a mask
    automatic  whether the second sentence was made with pairs of words
    """

    first: str
    second: str
    words: pd.DataFrame
    answers: pd.DataFrame | None = None
    distance: float = float("nan")
    automatic: bool = True

    @property
    def headline(self) -> str:
        """The shared word that changed most."""
        return verdict.swapped(self.words)[0]

    @property
    def together(self) -> str:
        """Which sentence all shared words together fit better."""
        return verdict.swapped(self.words)[1]

    @property
    def uncertain(self) -> bool:
        """Whether the pairs changed a "her" or "his" of the first sentence, which can be swapped in two ways."""
        words = zip(*(_WORD.findall(text.lower()) for text in (self.first, self.second)), strict=False)
        return self.automatic and any(old in ("her", "his") and new != old for old, new in words)


def compare(
    sentence: str,
    model: "EmbeddingModel",
    *,
    pairs: Sequence[tuple[str, str]] = (),
    swapped: str = "",
    leave_out: Sequence[str] = (),
) -> Counterfactual:
    """A sentence compared with its swapped version, word by word, and by the answers at its mask if it has one.

    Parameters
    ----------
    sentence : str
        ___ and [mask] are read as [MASK].
    model : EmbeddingModel
    pairs : sequence of (str, str), optional
        Words or phrases to swap; by default the male and female pronouns, people and family members of the built-in
        lists.
    swapped : str, optional
        The swapped sentence; by default, the words of the pairs are replaced in the first one.
    leave_out : sequence of str, optional
        Words that are left out of the answers; the others keep their probability.

    Returns
    -------
    Counterfactual
        Both sentences, the changes of their shared words, and the answers.

    Raises
    ------
    ValueError
        For a sentence that is empty, too long, without a word of the pairs or with several masks, for a swapped
        sentence that has another number of words, the same words or none in common, and for a word to leave out that is
        not one token.
    """
    first, given = (
        normalize("NFC", typed_input.normalise_masks(text, gaps=False)) for text in (sentence, swapped.strip())
    )
    second = given or swap(first, pairs or builtin_pairs())
    words = swapped_words(first, second, model)
    if "[MASK]" not in first:
        return Counterfactual(first, second, words, automatic=not given)
    answers, distance = swapped_answers(first, second, model, leave_out=leave_out)
    return Counterfactual(first, second, words, answers, distance, not given)


def builtin_pairs() -> tuple[tuple[str, str], ...]:
    """Male and female words of the built-in lists: pronouns, people and family.

    >>> builtin_pairs()[0]
    ('he', 'she')
    """
    rows = wordlists.load("groups")
    parts = [rows[rows["set"] == name] for name in _BUILT_IN]
    both = [[part.loc[part["group"] == sex, "word"] for sex in ("male", "female")] for part in parts]
    return tuple(pair for male, female in both for pair in zip(male, female, strict=True))


def swap(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Replace every word of a pair with the other word of the pair, he and she in all forms; capitals are kept.

    >>> swap("She lost her keys.", [("he", "she")])
    'He lost his keys.'
    """
    if not text.strip():
        raise ValueError("The sentence is empty. Write one that contains a word of the pairs.")
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters, but at most {MAX_CHARACTERS:,} can be read. Shorten it."
        )
    composed = [tuple(map(_composed, pair)) for pair in reversed([*pairs])]  # the first pair of a word counts
    written = {a: b for pair in composed for a, b in (pair[::-1], pair) if a and b}
    table = {phrase.lower(): new.lower() for phrase, new in written.items()}
    pronouns = table.get("she") == "he"
    if pronouns:
        table = {word: new for both in _ALWAYS for word, new in (both, both[::-1])} | table
    phrases = map(re.escape, sorted({*table, *written}, key=len, reverse=True))
    pattern = "|".join(phrases).replace("'", "['’]").replace("\\ ", r"\s+") or "(?!)"

    def other(match: re.Match[str]) -> str:
        exact = _composed(match[0])
        word = exact.lower()
        if pronouns and word in ("her", "his"):
            behind = _NEXT.match(text, match.end())  # a rule of thumb: "gave her books" is read as possessive
            noun = behind is not None and behind[1].lower() not in _NO_NOUN
            new = {"her": ("him", "his"), "his": ("hers", "her")}[word][noun]
        elif exact in written:
            new = written[exact]
            return capital(new) if new.islower() and match[0][0].isupper() else new
        else:
            new = table[word]
        if match[0].isupper() and len(match[0]) > 1:
            return new.upper()
        return capital(new) if match[0][0].isupper() else new

    # A word that touches a bracket, as in [MASK], is no word.
    swapped = re.sub(rf"(?<![^\W_])(?<!\[)(?:{pattern})(?![^\W_])", other, text, flags=re.IGNORECASE)
    if swapped == text:
        raise ValueError(
            "The sentence contains no word of the pairs. Use one of them, or add your own pair, such as nun=monk."
        )
    return swapped


def _composed(phrase: str) -> str:
    return " ".join(normalize("NFC", phrase).replace("’", "'").split())
