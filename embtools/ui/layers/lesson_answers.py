"""What a lesson can ask about a word in several sentences, and about the similarity of layers."""

import numpy as np

from embtools.layers.similar_layers import LayerSimilarity
from embtools.layers.word import Word, one_word
from embtools.statistics.reporting import LEVEL
from embtools.ui import fields
from embtools.ui.call import Call
from embtools.ui.layers import layer_similarity
from embtools.ui.layers.sentences import KEEP, LINES, POOLING, TOGETHER, WORD
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _word(model: Model) -> Word:
    query = Call(
        one_word,
        word=WORD.value,
        lines=fields.lines(LINES.value),
        pooling=POOLING.value,
        keep=tuple(KEEP.value),
        together=tuple(TOGETHER.value),
    )
    found: Word = result(query, model)
    return found


def _clear(model: Model) -> bool:
    test = _word(model).moving.test
    if test is None:
        raise ValueError("There are no two senses to compare.")
    return test.p < LEVEL


def _auc(model: Model, first: bool) -> float:
    auc = _word(model).layers["auc"]
    return float(auc.iloc[0] if first else auc.iloc[1:].max())


def _layers(model: Model) -> LayerSimilarity:
    compared: LayerSimilarity = result(layer_similarity.query(), model)
    return compared


READINGS = {
    "word": {
        "clear": Reading("Whether the separation of the senses is clearly better than chance", "yes or no", _clear),
        "input": Reading("Separation of the senses (AUC) in layer 0", "number", lambda model: _auc(model, True)),
        "best": Reading("Highest separation of the senses (AUC)", "number", lambda model: _auc(model, False)),
    },
    "similarity": {
        "ends": Reading(
            "Similarity (CKA) of the first and the last layer", "number", lambda m: float(_layers(m).similarity[0, -1])
        ),
        "neighbours": Reading(
            "Lowest similarity (CKA) of two neighbouring layers",
            "number",
            lambda model: float(np.diag(_layers(model).similarity, 1).min()),
        ),
    },
}
