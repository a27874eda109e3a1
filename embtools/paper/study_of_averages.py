"""The study "averaging pronouns reduces the difference": all pairs of gendered words in all sentences."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.mask_filling.answers import divergence
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import Run, logits_of, probabilities
from embtools.paper.study_result import COLUMNS, Study, interval
from embtools.progress import Progress, silent
from embtools.statistics.crossed import crossed_mean
from embtools.statistics.reporting import few
from embtools.vectors import Array
from embtools.words.templates import SLOT, fill

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCE = "The average of he and she works as a more neutral pronoun."
ADVANTAGE, AVERAGE, MIXED, BETWEEN, GAIN = ROWS = (
    "advantage of the average over the mix", "from the average to the farther word",
    "from a mix with an unrelated word to the farther word", "between the two words",
    "difference that the average removes",
)  # fmt: skip
_ADJECTIVES = {"female", "male"}
_NO_SUBJECT = {"her", "his", "herself", "himself"}  # no subjects of a sentence
_DRAWS = 4  # unrelated words for each case
_COMMON = 8_000  # unrelated words come from this first, frequent part of the vocabulary


def averages(model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Study:
    """Compare the answers for two gendered words with those for the average of their vectors, and for averages with
    unrelated words instead, by the Jensen-Shannon divergence over the whole vocabulary."""
    cases = _cases(model)
    if len({pair for pair, _ in cases}) < 2:
        raise ValueError("This model knows fewer than two of the pairs of gendered words as single tokens.")
    rows = []
    for done, (pair, template) in enumerate(cases, 1):
        rows.append(("/".join(pair), template, *_divergences(pair, template, model, seed)))
        progress(done / len(cases))
    items = pd.DataFrame(rows, columns=["pair", "sentence", "between", "average", "mixed"])
    frame = _rows(items, seed)
    table = frame.set_index("quantity")
    pairs, templates = items["pair"].nunique(), items["sentence"].nunique()
    notes = (
        f"The study uses {len(items)} cases, from {pairs} pairs of words and {templates} sentences. Only the vector"
        " that BERT reads is changed. Divergences go from 0 (the same answers) to 1 bit. The intervals take pairs and"
        " sentences as draws from more of them.",
        few({"pairs": pairs, "sentences": templates}),
    )
    value, low, high = (float(table.loc[ADVANTAGE, name]) for name in ("value", "low", "high"))
    main = ("Advantage of the average over the mix", value, low, high)
    return Study("averages", SENTENCE, "A6", "bits", _headline(table), frame, items, notes, main, (GAIN, ADVANTAGE))


def _cases(model: "EmbeddingModel") -> list[tuple[tuple[str, str], str]]:
    """Return all pairs of words that are single tokens, each with the sentences in which it can stand."""
    templates = wordlists.load("bias_templates")
    templates = templates[templates["kind"].str.startswith("fill")]
    found = []
    for second, first in wordlists.load("gender_pairs").drop_duplicates().itertuples(index=False, name=None):
        if {first, second} & _NO_SUBJECT:
            continue
        slot = "adjective" if first in _ADJECTIVES else "noun"
        for template in templates[templates["slot"] == slot]["template"]:
            pair = _spelt(first, template, model), _spelt(second, template, model)
            if all(len(model.pieces(word)) == 1 and "[UNK]" not in model.pieces(word) for word in pair):
                found.append((pair, template))
    return found


def _spelt(word: str, template: str, model: "EmbeddingModel") -> str:
    """Return the word with a capital where a model that distinguishes capitals expects one."""
    capital = model.cased and (template.startswith(SLOT) or word in ("mary", "john"))
    return word.capitalize() if capital else word


def _divergences(
    pair: tuple[str, str], template: str, model: "EmbeddingModel", seed: int
) -> tuple[float, float, float]:
    """Return the divergence between two words, from their average, and from mixes with unrelated words (mean)."""
    first, second = (model.token_id(word) for word in pair)
    texts = [fill(template, word, SLOT, spelling=pair[0]) for word in pair]
    unedited = [_answers(text, [Patch()], model)[0] for text in texts]
    words = np.flatnonzero(model.whole_words)
    unrelated = generator(seed, first + 1, second + 1).choice(words[words < _COMMON], _DRAWS, replace=False)
    vectors = [(model.matrix[first] + model.matrix[i]) / 2 for i in (second, *unrelated)]
    average, *mixed = _answers(texts[0], [Patch({first: vector}) for vector in vectors], model)

    def farther(row: Array) -> float:
        return max(divergence(row, other) for other in unedited)

    return divergence(*unedited), farther(average), float(np.mean([farther(row) for row in mixed]))


def _answers(text: str, patches: list[Patch], model: "EmbeddingModel") -> list[Array]:
    ids = model.tokenize(text)["id"].to_numpy()
    mask = (int(np.flatnonzero(ids == model.mask_id)[0]),)
    runs = [Run(ids, mask, patch) for patch in patches]
    return [probabilities(row)[0] for row in logits_of(runs, model, segments=np.zeros(len(ids), np.int64))]


def _rows(items: pd.DataFrame, seed: int) -> pd.DataFrame:
    pairs, sentences = (pd.factorize(items[name])[0] for name in ("pair", "sentence"))
    shape = int(pairs.max()) + 1, int(sentences.max()) + 1
    counts = np.zeros(shape, int)
    np.add.at(counts, (pairs, sentences), 1)
    values = {
        ADVANTAGE: items["mixed"] - items["average"], AVERAGE: items["average"], MIXED: items["mixed"],
        BETWEEN: items["between"], GAIN: items["between"] - items["average"],
    }  # fmt: skip
    rows = []
    for name, column in values.items():
        totals = np.zeros(shape)
        np.add.at(totals, (pairs, sentences), column.to_numpy())
        rows.append((name, *crossed_mean(totals, counts, seed=seed), len(items)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _headline(table: pd.DataFrame) -> str:
    low, high = table.loc[ADVANTAGE, ["low", "high"]]
    clear = "" if low > 0 or high < 0 else ", which could be chance"
    closer = "closer" if table.loc[ADVANTAGE, "value"] > 0 else "not closer"
    between, average, mixed = (f"{table.loc[name, 'value']:.3f}" for name in (BETWEEN, AVERAGE, MIXED))
    return (
        f"An average of two gendered words is {closer} to both than a mix with an unrelated word is: {average} bits"
        f" from the farther word, compared with {mixed}. The difference is"
        f" {interval(*table.loc[ADVANTAGE, ['value', 'low', 'high']])}{clear}. The two words are {between} bits apart,"
        " but any point between two words is closer to both than they are to each other."
    )
