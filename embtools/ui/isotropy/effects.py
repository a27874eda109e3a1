"""Tabs that compare words before and after processing; only the open tab is computed."""

from collections.abc import Callable, Sequence
from typing import Any

from embtools.isotropy.spaces import MeasuredSpaces, Source
from embtools.spaces.space import Space
from embtools.ui import state
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.isotropy import measures, source, tasks, your_words
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

MAP, ANALOGIES, SENSES, DIRECTIONS = "Map", "Analogies", "Senses", "Directions and dimensions"
EFFECT = Choice(
    "isotropy_effect", MAP, {"map": MAP, "analogies": ANALOGIES, "senses": SENSES, "directions": DIRECTIONS}
)
FIELDS = (EFFECT, *your_words.FIELDS, *tasks.FIELDS)
_DRAWN: dict[str, Callable[..., None]] = {
    MAP: your_words.word_map,
    ANALOGIES: tasks.analogies,
    SENSES: tasks.senses,
}


@state.fragment
def show(models: Models, used: Source, space: Space, answers: Sequence[Answer[MeasuredSpaces]]) -> None:
    """Draw the tabs; input in one of them reruns only this fragment. `used` is the source for the first model."""

    def query_of(function: Callable[..., Any], **arguments: Any) -> Callable[[Model], Call]:
        """Return the query for a model: the function with the model's source and the space."""
        return lambda model: Call(function, source=source.of_model(used, models[0], model), space=space, **arguments)

    for name, tab in state.tabs(EFFECT).items():
        if not tab.open:
            continue
        with tab:
            if name == DIRECTIONS:
                measures.directions(answers)
            else:
                _DRAWN[name](models, query_of, used, space)
