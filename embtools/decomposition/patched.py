"""BERT's answer at a mask with a word replaced by its mix, from the typed sentence to the sentences that report it."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.decomposition import dictionary, patching, verdict
from embtools.decomposition.parts import SHARE, Parts, decompose
from embtools.decomposition.patching import ORIGINAL, PARTS, PatchSite
from embtools.mask_filling.typed_input import mask_last_word, normalise_masks
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import Progress, part, silent
from embtools.statistics.decimals import decimal

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Patched:
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
        return verdict.patching_finding(self.site.target.name, self.runs)

    @cached_property
    def distance(self) -> str:
        """The KL divergence from the original answers for the whole mix, zeros and random words."""
        return verdict.distance(self.runs)

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
        Receives 0 … 1; may raise to stop.

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
    runs = patching.patch(
        site,
        model,
        dictionary=atoms,
        parts=parts,
        keep_length=keep_length,
        same_word=same_word,
        progress=part(progress, 0.6, 0.4),
    )
    return Patched(read, hidden, keep_length, site, parts, runs)


def _caption(result: Patched) -> str:
    site = result.site
    whole = result.runs[result.runs["run"] == PARTS].iloc[-1]
    count = len(site.positions)
    where = "at the input" if site.layer is None else f"after layer {site.layer}"
    masked = f" The sentence had no mask, so “{result.hidden}” was masked." if result.hidden else ""
    sentences = [f"BERT read “{result.text}”{masked}", f"The vector is replaced {where}."]
    if count > 1 and site.layer is None:
        sentences.append(f"The word occurs {count} times and is replaced everywhere.")
    elif count > 1:
        sentences.append(
            f"The word has {count} tokens: their mean is decomposed, and the difference between the mix and this mean"
            " is added to each of them."
        )
    k, length = int(whole["k"]), f"is {verdict.percent(whole['length'])} as long as the vector"
    if result.keep_length:
        length = "is scaled to the length of the vector"
    mix = "mix of the only part" if k == 1 else f"mix of all {k} parts"
    sentences.append(f"The {mix} {length}; its cosine with the vector is {decimal(whole['cosine'])}.")
    return " ".join(sentences)
