"""The fields of a probe (task, vectors, folds), and the query that they define."""

from embtools.probing import layers
from embtools.probing.description_length import describe_layers
from embtools.probing.items import TASKS
from embtools.probing.layers import Probes
from embtools.statistics.probe import FOLDINGS, NEVER
from embtools.ui import captions, combinations, figures, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text

OWN, BEST = "your own", "best"
ACCURACY, DESCRIPTION_LENGTH = "accuracy", "description length"
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
TASK = Choice("probing_task", "part of speech", {task.replace(" ", "-"): task for task in TASKS} | {"own": OWN})
ITEMS = Text("probing_items", _SOME, most=200_000)
LAYER = Choice("probing_layer", BEST)
FOLDING = Choice("probing_folds", NEVER, dict(zip(("never", "possibly"), FOLDINGS, strict=True)))
WORD_POOLING = combinations.word_pooling("probing_pooling")
SENTENCE_POOLING = combinations.sentence_pooling("probing_sentence_pooling")
STRENGTH = Choice("probing_strength", "0.01", ("0.0001", "0.001", "0.01", "0.1", "1"))
MEASURE = Choice("probing_measure", ACCURACY, {"accuracy": ACCURACY, "description-length": DESCRIPTION_LENGTH})
FIELDS = (TASK, ITEMS, LAYER, FOLDING, WORD_POOLING, SENTENCE_POOLING, STRENGTH, MEASURE)
PICK = figures.Pick(
    lambda layer: state.put({LAYER.key: str(layer)}), lambda row: row.name, lambda point: round(point["x"])
)
"""How a chart over the layers chooses one."""


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    own = TASK.value == OWN
    return (
        *((ITEMS,) if own else ()),
        captions.Setting("task", TASK),
        captions.Setting("layer", LAYER),
        captions.Setting("test words", FOLDING),
        captions.Setting("pooling", SENTENCE_POOLING if of_sentences() else WORD_POOLING),
        captions.Setting("C", STRENGTH),
        captions.Setting("measure", MEASURE),
    )


def query() -> Call:
    """Return the query of the current fields."""
    pooling = (SENTENCE_POOLING if of_sentences() else WORD_POOLING).value
    probes = Probes(_labels(), pooling, FOLDING.value, float(STRENGTH.value))
    return Call(describe_layers if measures_bits() else layers.probe_layers, probes=probes)


def measures_bits() -> bool:
    """Return whether the description length is measured, not only the accuracy."""
    return bool(MEASURE.value == DESCRIPTION_LENGTH)


def of_sentences() -> bool:
    """Return whether the items are labelled sentences; items that cannot be read count as words."""
    try:
        return not layers.items_of(_labels())[0].word
    except ValueError:
        return False


def _labels() -> str:
    return str(ITEMS.value if TASK.value == OWN else TASK.value)
