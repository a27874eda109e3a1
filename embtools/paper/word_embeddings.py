"""The claims B1 to B8, of "Understanding BERT — Word Embeddings"."""

from typing import TYPE_CHECKING

import numpy as np

from embtools import wordlists
from embtools.inputs import terms, vocabulary
from embtools.layers import published as figures
from embtools.layers import survey
from embtools.layers.comparisons import Comparison, compare_word
from embtools.layers.senses import pair_cosines
from embtools.pairs import questions, segments
from embtools.paper.measured import (
    PUBLISHED_MODEL,
    Check,
    Figure,
    Measure,
    Measured,
    number,
    of_all,
    percent,
    published,
)
from embtools.progress import Progress, silent
from embtools.recipes import CONCAT_FOUR, SECOND_TO_LAST, SUM_FOUR, sentence_vectors
from embtools.words.overlap import CONTROL

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_EMBEDDINGS = "Here is the sentence I want embeddings for."
_BANK = figures.BANK_LINE.partition("|")[2].strip()
_STORE = ("The man went to the store.", "He bought a gallon of milk.")
_POOLING, _SENTENCE = "mean of pieces", "sentence: mean"


def pieces(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B1: the three listings of the text, line by line."""
    listed = [(item, part, int(value)) for (item, part), value in published("B1").items()]
    word = [part for item, part, _ in listed if item == "embeddings"]
    sentence = [(part, value) for item, part, value in listed if item.startswith("piece")]
    window = [(part, value) for item, part, value in listed if item == "entry"]
    read = terms.pieces([_EMBEDDINGS], model)["token"].tolist()
    bank = terms.pieces([_BANK], model)
    own = list(zip(bank["token"], bank["id"], strict=True))
    every = vocabulary.entries(model)
    start = min(window[0][1], len(every) - 1)
    entries = vocabulary.window(every, start, len(window))
    same = set(window) & set(zip(entries["token"], entries["id"], strict=True))
    equal = sum(a == b for a, b in zip(own, sentence, strict=False))
    return Measured(
        f"{' '.join(model.pieces('embeddings'))}; {equal} of {len(sentence)} pieces with the published number;"
        f" {len(same)} of {len(window)} entries from {start:,} on.",
        (
            Check("embeddings is read in the four published pieces.", any(_within(word, read))),
            Check("The sentence has the published pieces and numbers.", own == sentence),
            Check("The twenty entries are the published ones.", len(same) == len(window)),
        ),
    )


def segment_ids(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B2: the segment ids that BERT's own tokenizer gives to one sentence and to two."""
    _needs_segments(model)
    one, two = segments.alone(_BANK, model), segments.pieces(*_STORE, model)
    first = terms.pieces([_STORE[0]], model)
    split = len(first)
    ids = two["segment"].to_numpy()
    alone = "0 and 1" if one["bert"].nunique() > 1 else str(one["bert"].iloc[0])
    return Measured(
        f"One sentence: {alone} for all {len(one)} pieces. Two: 0 for {int((ids == 0).sum())} pieces, 1 for"
        f" {int((ids == 1).sum())}.",
        (
            Check("A single sentence has 1 throughout.", bool((one["bert"] == one["text"]).all())),
            Check(
                "Of two sentences the first, with its [SEP], has 0 and the second 1.",
                bool((ids[:split] == 0).all() and (ids[split:] == 1).all()),
            ),
        ),
    )


def hidden_states(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B3: the shape of what one sentence becomes."""
    shape = _bank(model).shapes.iloc[0][["layers", "batch", "tokens", "dimensions"]].astype(int).tolist()
    target = [int(value) for value in published("B3").values()]
    return Measured(
        f"{' × '.join(f'{n:,}' for n in shape)} = {int(np.prod(shape)):,} numbers"
        + ("." if shape == target else ": other sizes, the same rule."),
        (
            Check("There is one more layer than the model has.", shape[0] == model.layers + 1),
            Check("The sentence has 22 pieces, each with as many numbers as the model has dimensions.",
                  shape[2:] == [target[2], model.dimensions]),
        ),
    )  # fmt: skip


def token_vectors(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B4: how many numbers two recipes give to a piece."""
    found = _bank(model)
    row, added = (found.sizes[found.recipes.index(recipe)] for recipe in (CONCAT_FOUR, SUM_FOUR))
    return Measured(
        f"{row:,} and {added:,} numbers.",
        (
            Check("Four layers in a row have four times the model's dimensions.", row == 4 * model.dimensions),
            Check("Their sum has as many as the model.", added == model.dimensions),
        ),
    )


def sentence_vector(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B5: the vector of the sentence, and the mean it should be."""
    (vector,) = sentence_vectors([_BANK], model, SECOND_TO_LAST, _SENTENCE)
    mean = model.hidden_states(_BANK)[-2].mean(axis=0)
    return Measured(
        f"{len(vector):,} numbers, the first {number(vector[0])}.",
        (
            Check(
                "It is the mean of the second-to-last layer over all pieces.",
                bool(np.allclose(vector, mean, atol=1e-4)),
            ),
        ),
    )


def bank(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B6: three times bank in one sentence, with segment id 1 as in the text."""
    found = _bank(model, segment=1 if model.has_segments else None)
    pairs = pair_cosines(found, SUM_FOUR, _POOLING).set_index(["first", "second"])["cosine"]
    targets = figures.bank_cosines()
    same, other = (float(pairs[pair]) for pair in targets)
    values = found.first_values[found.at(SUM_FOUR, _POOLING)]
    table = figures.bank_values().set_index("occurrence").to_numpy()
    checks = [Check("robber and vault are nearer to each other than robber and river.", same > other)]
    if model.name == PUBLISHED_MODEL:
        fits = values.shape == table.shape and bool(np.allclose(values, table, atol=1e-3))
        checks.append(Check("The first five numbers of the three vectors are the published ones.", fits))
    numbers = ", ".join(number(x, 2) for x in values[0])
    return Measured(
        f"Cosine {same:.2f} and {other:.2f}. The vault's vector begins with {numbers}"
        + ("." if model.has_segments else ". This model has no segments."),
        tuple(checks),
        tuple(
            Figure(f"bank: {name}", target, here, "cosine")
            for name, target, here in zip(
                ("robber, vault", "robber, river"), targets.values(), (same, other), strict=True
            )
        ),
    )


def layers(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B7: the recipes by how well they part the two senses of fifty words."""
    scores = survey.stability(survey.survey(model, progress=progress))
    table = figures.beside_recipes(scores).set_index("recipe")["own"]
    first = scores[scores["pooling"] == "first piece"].set_index("recipe")
    embeddings, last = "layer 0", f"layer {model.layers}"
    words = int(wordlists.load("senses")["word"].nunique())
    said = "; ".join(
        f"{recipe} {value:.2f} ({first.loc[recipe, 'low']:.2f} to {first.loc[recipe, 'high']:.2f})"
        for recipe, value in table.items()
    )
    return Measured(
        f"Senses of {words} words parted, AUC: {said}.",
        (
            Check("Layer 0 parts the senses worst.", table.idxmin() == embeddings),
            Check("The second-to-last layer is better than the last.", bool(table[SECOND_TO_LAST] > table[last])),
            Check("The last four in a row are best.", table.idxmax() == CONCAT_FOUR),
        ),
    )


def answers(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B8: questions and the answers that belong to them, beside the words that they share."""
    from embtools.statistics.intervals import wilson

    known = wordlists.load("questions")
    found = questions.compare_answers(known["question"].tolist(), known["answer"].tolist(), model, progress=progress)
    quality = questions.quality(found).set_index(["recipe", "pooling"])["first"]
    n = len(known)
    count, control = round(quality[SECOND_TO_LAST, _SENTENCE] * n), float(quality[CONTROL, "control"])
    low, _ = wilson(count, n)
    return Measured(
        f"The right answer is first for {of_all(count, n)} questions; by shared words, without a model, for"
        f" {percent(control)}.",
        (
            Check("Surely for more than half of the questions.", low > 0.5),
            Check("Surely more often than by shared words.", low > control),
        ),
    )


def _bank(model: "EmbeddingModel", segment: int | None = None) -> Comparison:
    return compare_word([figures.BANK_LINE], figures.BANK, model, segment=segment, progress=silent)


def _needs_segments(model: "EmbeddingModel") -> None:
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings.")


def _within(few: list[str], many: list[str]) -> list[bool]:
    """Whether a list stands in another, for each place where it could begin."""
    return [many[i : i + len(few)] == few for i in range(len(many))]


MEASURES: dict[str, Measure] = {
    "B1": pieces, "B2": segment_ids, "B3": hidden_states, "B4": token_vectors, "B5": sentence_vector, "B6": bank,
    "B7": layers, "B8": answers,
}  # fmt: skip
