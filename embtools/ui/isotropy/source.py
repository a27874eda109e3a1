"""Fields for the vectors and the space that the Isotropy page measures."""

from collections.abc import Callable

from embtools.isotropy.population import STATIC
from embtools.isotropy.spaces import Source
from embtools.layer_combinations import SUM_FOUR
from embtools.spaces.space import TOP
from embtools.ui import captions, combinations, folders
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.shown import Model
from embtools.ui.spaces import Spaces

INSIDE = "words in sentences"
SOURCE = Choice("isotropy_source", STATIC, keys={"static": STATIC, "sentences": INSIDE})  # or the name of a folder
COMBINATION = combinations.combination("isotropy_recipe", SUM_FOUR)
SPACE = Spaces("isotropy", TOP)
QueryOf = Callable[..., Callable[[Model], Call]]
"""Function of a library function and its arguments; returns their query for a model, with the source and the space."""
FIELDS = (SOURCE, COMBINATION, *SPACE.fields)


def caption(*texts: captions.Part) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: texts of a tab, the vectors and the space."""
    inside = (captions.Setting("layer combination", COMBINATION),) if SOURCE.value == INSIDE else ()
    return *texts, captions.Setting("vectors", SOURCE), *inside, SPACE.caption()


def chosen() -> Source:
    """Return the source of the vectors. Raises ValueError for a damaged folder."""
    if SOURCE.value == INSIDE:
        return str(COMBINATION.value)
    return folders.opened(SOURCE.value) or STATIC


def of_model(source: Source, first: Model, model: Model) -> Source:
    """Return the source for another model: a single layer is replaced by that at the same relative depth."""
    return combinations.at_same_depth(source, first, model) if isinstance(source, str) else source
