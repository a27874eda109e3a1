"""Fields of the Patching tab, the query they form, its result, and its Python code."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.decomposition import dictionary, put_back
from embtools.decomposition.parts import SHARE as USUAL
from embtools.decomposition.parts import Parts, take_apart
from embtools.decomposition.put_back import DRAWS, Place, placed
from embtools.mask_filling.asking import masked, spelt
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import Progress, part, silent
from embtools.ui.decomposition import asking
from embtools.ui.fields import Choice, Flag, Number, Text

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STATIC = "static embedding"

WORD = Text("decomposition_put_word", "cold", 100)
SENTENCE = Text("decomposition_put_sentence", "The cold [MASK] blew all night.", 1_000)
LAYER = Choice("decomposition_put_layer", "layer 2")
MASK = Number("decomposition_put_mask", 1, 1, 10, 1)
LENGTH, SAME_WORD = Flag("decomposition_put_length"), asking.SAME_WORD
FIELDS = (WORD, SENTENCE, LAYER, MASK, LENGTH, SAME_WORD, *asking.PENALTY)


@dataclass(frozen=True)
class PutQuestion:
    """A word, its sentence, the layer at which its vector is replaced, and a penalty."""

    word: str = WORD.default
    sentence: str = SENTENCE.default
    layer: str = LAYER.default
    mask: int = 1
    share: float = USUAL
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
        return masked(spelt(self.sentence), self.word)

    @property
    def rules(self) -> dict[str, Any]:
        """Keyword arguments that say which words may be parts."""
        return {"same_word": self.same_word}


@dataclass(frozen=True, eq=False)
class Back:
    """The patched position, the word's parts, and BERT's answers with them in place of the word."""

    place: Place
    parts: Parts
    runs: pd.DataFrame
    summary: pd.DataFrame


FIRST = PutQuestion()


def layers(model: "EmbeddingModel") -> tuple[str, ...]:
    """Names of the layers at which a replaced vector can still affect a mask."""
    return (STATIC, *(f"layer {number}" for number in range(model.layers)))


def answered(question: PutQuestion, *, model: "EmbeddingModel", progress: Progress = silent) -> Back:
    """The result of a query. Raises ValueError for unreadable input and for a penalty that leaves the mix empty."""
    text, _ = question.read
    place = placed(text, question.word, question.after, model=model, mask=question.mask)
    if place.layer is None:
        atoms = dictionary.of_vocabulary(model)
    else:
        read = encode_corpus(built_in_corpus(), question.layer, model, progress=part(progress, 0.0, 0.6))
        atoms = dictionary.of_occurrences(read)
    parts = take_apart(place.target, atoms, share=question.share, alpha=question.alpha, **question.rules)
    told = part(progress, 0.6, 0.4)
    asked: dict[str, Any] = {**question.rules, "keep_length": question.keep_length}
    runs = put_back.put_back(place, atoms, parts, model=model, draws=DRAWS, **asked, progress=told)
    return Back(place, parts, runs, put_back.summary(runs))


def code(question: PutQuestion) -> list[str]:
    """The query as lines of Python."""
    text, _ = question.read
    static = question.after is None
    penalty = f"share={question.share!r}" if question.alpha is None else f"alpha={question.alpha!r}"
    made = "of_vocabulary(model)"
    if not static:
        made = f"of_occurrences(encode_corpus(built_in_corpus(), {question.layer!r}, model))"
    return [
        f"place = placed({text!r}, {question.word!r}, {question.after!r}, model=model, mask={question.mask})",
        f"atoms = {made}",
        f"rules = {question.rules!r}",
        f"mix = take_apart(place.target, atoms, {penalty}, **rules)",
        f"runs = put_back.put_back(place, atoms, mix, model=model, draws={DRAWS}, keep_length={question.keep_length},"
        " **rules)",
        "print(verdict.survival(place.target.name, runs), verdict.distance(runs), sep='\\n')",
        "print(runs, put_back.by_words(runs), put_back.summary(runs), sep='\\n')",
    ]
