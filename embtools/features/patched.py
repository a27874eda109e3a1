"""BERT's answer at a mask with a word replaced by a mix, from the typed sentence to the sentences that report it."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.drawing import Displayed
from embtools.features import dictionary, patching, targets
from embtools.features.parts import SHARE, Parts, decompose
from embtools.features.patching import NOTHING, ORIGINAL, PARTS, RANDOM, PatchSite
from embtools.features.results import out_of, percent
from embtools.mask_filling.typed_input import mask_last_word, normalise_masks
from embtools.messages import listed
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import Progress, part, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.reporting import LEVEL, control_p, p_value

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Patched(Displayed):
    """BERT's answers at a mask with a word replaced by its mix and by the controls.

    text          the sentence as BERT read it, with a mask
    hidden        the word that was masked because the sentence had no mask, or ""
    keep_length   whether the mixes were scaled to the length of the vector
    site          the word and the layer that were patched
    parts         the parts of the word's vector
    runs          frame of `patching.patch`
    """

    text: str
    hidden: str
    keep_length: bool
    site: PatchSite
    parts: Parts
    runs: pd.DataFrame

    @cached_property
    def headline(self) -> str:
        """Whether BERT keeps its top answer with a mix, and whether it does with zeros and random words."""
        return finding(self.site.target.name, self.runs)

    @cached_property
    def distance(self) -> str:
        """The KL divergence from the original answers for the whole mix, zeros and random words."""
        return distance(self.runs)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The runs by kind and number of parts, averaged over draws."""
        return patching.summary(self.runs)

    @cached_property
    def by_number_of_words(self) -> pd.DataFrame:
        """The runs with the strongest parts, one row per number of parts."""
        return patching.by_number_of_words(self.runs)

    @property
    def answer(self) -> str:
        """BERT's top answer with the original vector."""
        return str(self.runs.loc[self.runs["run"] == ORIGINAL, "answer"].iloc[0])

    @property
    def caption(self) -> str:
        """What BERT read, the layer, how several tokens are treated, and the length of the mix."""
        return _caption(self)


def patch_word(
    text: str,
    model: "EmbeddingModel",
    *,
    word: str,
    layer: int | None = None,
    mask: int = 1,
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    keep_length: bool = False,
    progress: Progress = silent,
) -> Patched:
    """Decompose a word of a sentence, replace its vector by the mix, and compare BERT's answers at a mask.

    Parameters
    ----------
    text : str
        A sentence with a mask; without one, its last word is masked.
    model : EmbeddingModel
    word : str
        The word of the sentence whose vector is replaced.
    layer : int, optional
        The layer after which it is replaced, 0 … l − 1; by default at the input (the static embedding).
    mask : int, default 1
        Number of the mask that is read.
    share : float, default 0.3
        The penalty as a share of its maximum, at which the mix is empty.
    alpha : float, optional
        The penalty as scikit-learn's `alpha`, instead of `share`.
    same_word : bool, default False
        Whether other occurrences of the word may be parts.
    keep_length : bool, default False
        Whether mixes are scaled to the length of the vector.
    progress : callable, optional

    Returns
    -------
    Patched
        The parts, and BERT's answers with them, with zeros and with random words in place of the word.

    Raises
    ------
    ValueError
        For a word that is not a separate word of the sentence, a layer or a mask that does not exist, and for a penalty
        that is too small or leaves the mix empty.
    """
    read, hidden = mask_last_word(normalise_masks(text), but=word)
    site = patching.patch_site(read, model, word=word, layer=layer, mask=mask)
    if layer is None:
        atoms = dictionary.of_vocabulary(model)
    else:
        name, reading = f"layer {layer}", part(progress, 0.0, 0.6)
        atoms = dictionary.of_occurrences(encode_corpus(built_in_corpus(), model, combination=name, progress=reading))
    parts = decompose(site.target, atoms, share=share, alpha=alpha, same_word=same_word)
    rules = {"same_word": same_word, "keep_length": keep_length}
    runs = patching.patch(site, model, dictionary=atoms, parts=parts, **rules, progress=part(progress, 0.6, 0.4))
    return Patched(read, hidden, keep_length, site, parts, runs)


def patch_formula(
    formula: str,
    model: "EmbeddingModel",
    *,
    text: str = "",
    mask: int = 1,
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    keep_length: bool = False,
    progress: Progress = silent,
) -> Patched:
    """Give a word of a sentence the result of a formula, replace it by its mix, and compare BERT's answers at a mask.

    The first word of the formula that is in the sentence gets the result as its static embedding, at the input, and
    then its mix. So for a single word, these are the runs of `patch_word` at the input.

    Parameters
    ----------
    formula : str
        A formula, or a single word.
    model : EmbeddingModel
    text : str, default ""
        A sentence with a word of the formula; without a mask, its last word is masked. By default, the first word of
        the formula in "The … is a [MASK]."
    mask, share, alpha
        As in `patch_word`.
    same_word : bool, default False
        Whether the words of the formula may be parts.
    keep_length
        As in `patch_word`.
    progress : callable, optional

    Returns
    -------
    Patched
        The parts, and BERT's answers with the result of the formula, with its mix, with zeros and with random words.

    Raises
    ------
    ValueError
        For a formula that cannot be read, a sentence without any of its words, a mask that does not exist, and for a
        penalty that is too small or leaves the mix empty.
    """
    target, atoms = targets.formula(formula, model), dictionary.of_vocabulary(model)
    typed = normalise_masks(text) if text.strip() else f"The {target.words[0]} is a [MASK]."
    word = next((word for word in target.words if patching.spans(typed, model, word)), "")
    if not word:
        words = listed(target.words, last="or")
        raise ValueError(f"No word of the formula is a separate word in the sentence. Write a sentence with {words}.")
    read, hidden = mask_last_word(typed, but=word)
    site = patching.patch_site(read, model, word=word, layer=None, mask=mask)
    states = site.states.copy()
    states[list(site.positions)] = target.vector
    site = replace(site, target=target, states=states)
    parts = decompose(target, atoms, share=share, alpha=alpha, same_word=same_word)
    rules = {"same_word": same_word, "keep_length": keep_length}
    runs = patching.patch(site, model, dictionary=atoms, parts=parts, **rules, progress=progress)
    return Patched(read, hidden, keep_length, site, parts, runs)


def _caption(result: Patched) -> str:
    site = result.site
    whole = result.runs[result.runs["run"] == PARTS].iloc[-1]
    count = len(site.positions)
    where = "at the input" if site.layer is None else f"after layer {site.layer}"
    masked = f" The sentence had no mask, so “{result.hidden}” was masked." if result.hidden else ""
    sentences = [f"BERT read “{result.text}”{masked}"]
    if site.target.name.casefold() != site.word.casefold():
        sentences.append(f"The vector of “{site.word}” is the result of the formula.")
    sentences.append(f"The vector is replaced {where}.")
    if count > 1 and site.layer is None:
        sentences.append(f"The word occurs {count} times and is replaced everywhere.")
    elif count > 1:
        sentences.append(
            f"The word has {count} tokens: their mean is decomposed, and the difference between the mix and this mean"
            " is added to each of them."
        )
    k, length = int(whole["k"]), f"is {percent(whole['length'])} as long as the vector"
    if result.keep_length:
        length = "is scaled to the length of the vector"
    mix = "mix of the only part" if k == 1 else f"mix of all {k} parts"
    sentences.append(f"The {mix} {length}; its cosine with the vector is {decimal(whole['cosine'])}.")
    return " ".join(sentences)


def finding(name: str, runs: pd.DataFrame) -> str:
    """Headline that says whether BERT keeps its top answer with a mix; this is a test of the mix only if zeros change
    the answer and the same number of random words keeps it significantly more rarely.
    """
    (original,) = runs[runs["run"] == ORIGINAL].itertuples()
    (nothing,) = runs[runs["run"] == NOTHING].itertuples()
    mixes, drawn = runs[runs["run"] == PARTS], runs[runs["run"] == RANDOM]
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
    mix = runs[runs["run"] == PARTS].iloc[-1]
    drawn = runs.loc[(runs["run"] == RANDOM) & (runs["k"] == mix["k"]), "kl_bits"]
    less = int((drawn > mix["kl_bits"]).sum())
    p = control_p(len(drawn) - less, len(drawn))
    chance = "" if p <= LEVEL else ", which could be chance"
    random = f"{drawn.min():.2f} to {drawn.max():.2f} bits with {_words(mix['k'], 'random ')}"
    return (
        f"The distribution over all answers changes by {mix['kl_bits']:.2f} bits (KL divergence) with {_all(mix['k'])}"
        f" of the mix, by {zeros:.2f} bits with zeros and by {random}. In {out_of(less, len(drawn))} draws, the mix"
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
