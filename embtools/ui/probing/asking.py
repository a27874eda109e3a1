"""The fields of the Probing page (task, vectors, folds), and what is computed from them."""

from functools import lru_cache
from typing import Any

from embtools.probing import accuracy, curve, predict
from embtools.probing.accuracy import Accuracy
from embtools.probing.features import Features, read_features
from embtools.probing.items import TASKS, Items, built_in, read_items
from embtools.probing.probe import FOLDINGS, NEVER
from embtools.progress import Progress, part, silent
from embtools.recipes import COMBINED, SENTENCE_POOLINGS, WORD_POOLINGS
from embtools.ui import cached
from embtools.ui.fields import Choice, Text

OWN, BEST = "your own", "best"
_SOME = """\
person | doctor | The doctor closed the door.
person | teacher | A teacher waited for the train.
person | queen | The queen read the letter.
person | nurse | The nurse opened the window.
person | sailor | The sailor sang all night.
person | farmer | A farmer sold two horses.
thing | door | The doctor closed the door.
thing | train | A teacher waited for the train.
thing | letter | The queen read the letter.
thing | window | The nurse opened the window.
thing | table | The cat sleeps under the table.
thing | bread | She cut the bread in the kitchen."""
TASK = Choice("probing_task", "part of speech", (*TASKS, OWN))
ITEMS = Text("probing_items", _SOME, most=200_000)
LAYER = Choice("probing_layer", BEST)
FOLDING = Choice("probing_folds", NEVER, FOLDINGS)
WORD_POOLING = Choice("probing_pooling", WORD_POOLINGS[1], WORD_POOLINGS[::-1])
SENTENCE_POOLING = Choice("probing_sentence_pooling", SENTENCE_POOLINGS[1], SENTENCE_POOLINGS)
STRENGTH = Choice("probing_strength", "0.01", ("0.0001", "0.001", "0.01", "0.1", "1"))
FIELDS = (TASK, ITEMS, LAYER, FOLDING, WORD_POOLING, SENTENCE_POOLING, STRENGTH)
Asked = tuple[str, str, str, str, str, float]
"""The task, your own items, the poolings of words and of sentences, the folding, C."""
FIRST: Asked = (TASK.default, "", WORD_POOLING.default, SENTENCE_POOLING.default, NEVER, float(STRENGTH.default))
_FIT = 4e-6  # seconds to read and fit one number of one item's vectors


def asked() -> Asked:
    """Return the current values of the fields."""
    own = ITEMS.value if TASK.value == OWN else ""
    return TASK.value, own, WORD_POOLING.value, SENTENCE_POOLING.value, FOLDING.value, float(STRENGTH.value)


@lru_cache(16)
def items_of(task: str, own: str) -> Items:
    """Return the items of a task; ValueError as `read_items` for your own items."""
    return read_items(own) if task == OWN else built_in(task)


def pooling_of(items: Items, words: str, sentences: str) -> str:
    """Return the pooling that fits the items: that of words or that of sentences."""
    return words if items[0].word else sentences


def of_sentences() -> bool:
    """Return whether the items are labelled sentences; items that cannot be read count as words."""
    task, own, *_ = asked()
    try:
        return not items_of(task, own)[0].word
    except ValueError:
        return False


def read(task: str, own: str, pooling: str, *, model: Any, progress: Progress = silent) -> Features:
    """Return the vectors of a task's items."""
    return read_features(items_of(task, own), model, pooling=pooling, progress=progress)


def features(asked: Asked, model: str, progress: Progress | None = None) -> Features:
    """Return the cached vectors of a task's items."""
    task, own, words, sentences, _, _ = asked
    pooling = pooling_of(items_of(task, own), words, sentences)
    return cached.compute(read, model, task, own, pooling, progress=progress)


def measured(*question: Any, model: Any, progress: Progress = silent) -> Accuracy:
    """Return the accuracy in every layer; the arguments are those of `Asked` and the name of the model."""
    return _measured(question[:-1], question[-1], model.layers, False, progress)


def combined(*question: Any, model: Any, progress: Progress = silent) -> Accuracy:
    """Return the accuracy of the combinations of several layers."""
    return _measured(question[:-1], question[-1], model.layers, True, progress)


def _measured(asked: Asked, name: str, layers: int, together: bool, progress: Progress) -> Accuracy:
    task, own, _, _, folding, strength = asked
    found = features(asked, name, part(progress, 0, 0.5))
    chosen = COMBINED if together else found.combinations[: layers + 1]
    rest = part(progress, 0.5, 0.5)
    return accuracy.measure(items_of(task, own), found, chosen, folding=folding, strength=strength, progress=rest)


def learnt(*question: Any, model: Any, progress: Progress = silent) -> Any:
    """Return the learning curve; the arguments are those of `Asked`, the model's name and the layer combination."""
    *asked, name, combination = question
    task, own, _, _, folding, strength = asked
    vectors = features(tuple(asked), name).of(combination)
    items = items_of(task, own)
    return curve.learning_curve(items, vectors, folding=folding, strength=strength, progress=progress)


def predicted(sentence: str, *question: Any, model: Any) -> Any:
    """Return the labels that the trained probe predicts for a new sentence."""
    *asked, name, combination = question
    task, own, words, sentences, _, strength = asked
    items = items_of(task, own)
    found = features(tuple(asked), name)
    pooling = pooling_of(items, words, sentences)
    return predict.predict_labels(
        sentence, model, items=items, features=found, combination=combination, pooling=pooling, strength=strength
    )


def seconds(asked: Asked, model: str) -> float:
    """Return about how long the probes on all layers take; 0 if they are cached."""
    if cached.known(measured, model, *asked, model):
        return 0.0
    try:
        count = len(items_of(asked[0], asked[1]))
    except ValueError:
        return 0.0
    loaded = cached.model(model)
    return count * (loaded.layers + 1) * loaded.dimensions * _FIT
