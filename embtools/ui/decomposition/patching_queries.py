"""Fields of the Patching tab, the query they form, its result, and its Python code."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.decomposition import dictionary, patching
from embtools.decomposition.parts import SHARE as DEFAULT_SHARE
from embtools.decomposition.parts import Parts, decompose
from embtools.decomposition.patching import DRAWS, PatchSite, patch_site
from embtools.mask_filling.typed_input import mask_last_word, normalise_masks
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import Progress, part, silent
from embtools.ui.decomposition import queries
from embtools.ui.fields import Choice, Flag, Number, Text

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STATIC = "static embedding"

WORD = Text("decomposition_put_word", "cold", 100)
SENTENCE = Text("decomposition_put_sentence", "The cold [MASK] blew all night.", 1_000)
LAYER = Choice("decomposition_put_layer", "layer 2")
MASK = Number("decomposition_put_mask", 1, 1, 10, 1)
LENGTH, SAME_WORD = Flag("decomposition_put_length"), queries.SAME_WORD
FIELDS = (WORD, SENTENCE, LAYER, MASK, LENGTH, SAME_WORD, *queries.PENALTY)


@dataclass(frozen=True)
class PatchQuery:
    """A word, its sentence, the layer at which its vector is replaced, and a penalty."""

    word: str = WORD.default
    sentence: str = SENTENCE.default
    layer: str = LAYER.default
    mask: int = 1
    share: float = DEFAULT_SHARE
    alpha: float | None = None
    same_word: bool = False
    keep_length: bool = False

    @property
    def after(self) -> int | None:
        """Number of the layer after which the vector is replaced; None for the input."""
        return None if self.layer == STATIC else int(self.layer.removeprefix("layer "))

    @property
    def read(self) -> tuple[str, str]:
        """The sentence with a mask, and the word that was masked if the sentence had no mask."""
        return mask_last_word(normalise_masks(self.sentence), self.word)

    @property
    def rules(self) -> dict[str, Any]:
        """Keyword arguments that say which words may be parts."""
        return {"same_word": self.same_word}


@dataclass(frozen=True, eq=False)
class PatchResult:
    """The patched position, the word's parts, and BERT's answers with them in place of the word."""

    site: PatchSite
    parts: Parts
    runs: pd.DataFrame
    summary: pd.DataFrame


FIRST = PatchQuery()


def layers(model: "EmbeddingModel") -> tuple[str, ...]:
    """Names of the layers at which a replaced vector can still affect a mask."""
    return (STATIC, *(f"layer {number}" for number in range(model.layers)))


def answered(query: PatchQuery, *, model: "EmbeddingModel", progress: Progress = silent) -> PatchResult:
    """The result of a query. Raises ValueError for unreadable input and for a penalty that leaves the mix empty."""
    text, _ = query.read
    site = patch_site(text, model, word=query.word, layer=query.after, mask=query.mask)
    if site.layer is None:
        atoms = dictionary.of_vocabulary(model)
    else:
        read = encode_corpus(built_in_corpus(), model, recipe=query.layer, progress=part(progress, 0.0, 0.6))
        atoms = dictionary.of_occurrences(read)
    parts = decompose(site.target, atoms, share=query.share, alpha=query.alpha, **query.rules)
    rest = part(progress, 0.6, 0.4)
    arguments: dict[str, Any] = {**query.rules, "keep_length": query.keep_length}
    runs = patching.patch(site, model, dictionary=atoms, parts=parts, draws=DRAWS, **arguments, progress=rest)
    return PatchResult(site, parts, runs, patching.summary(runs))


def code(query: PatchQuery) -> list[str]:
    """The query as lines of Python."""
    text, _ = query.read
    static = query.after is None
    penalty = f"share={query.share!r}" if query.alpha is None else f"alpha={query.alpha!r}"
    made = "of_vocabulary(model)"
    if not static:
        made = f"of_occurrences(encode_corpus(built_in_corpus(), model, recipe={query.layer!r}))"
    return [
        f"site = patch_site({text!r}, model, word={query.word!r}, layer={query.after!r}, mask={query.mask})",
        f"atoms = {made}",
        f"rules = {query.rules!r}",
        f"mix = decompose(site.target, atoms, {penalty}, **rules)",
        f"runs = patching.patch(site, model, dictionary=atoms, parts=mix, draws={DRAWS},"
        f" keep_length={query.keep_length}, **rules)",
        "print(verdict.survival(site.target.name, runs), verdict.distance(runs), sep='\\n')",
        "print(runs, patching.by_number_of_words(runs), patching.summary(runs), sep='\\n')",
    ]
