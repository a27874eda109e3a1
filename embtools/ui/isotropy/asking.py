"""What the Isotropy page is asked: its fields, and what it computes, each step remembered."""

from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.isotropy import beside, tasks
from embtools.isotropy.beside import Grouped
from embtools.isotropy.looks import Look, compared, look
from embtools.isotropy.population import STATIC, population
from embtools.progress import Progress, part, silent
from embtools.recipes import SUM_FOUR
from embtools.spaces.moments import ledoit_wolf
from embtools.spaces.space import TOP, Space
from embtools.ui import cached
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.spaces import Spaces
from embtools.words import groups

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

INSIDE = "words in sentences"
SOURCE, RECIPE = Choice("isotropy_source", STATIC, (STATIC, INSIDE)), Choice("isotropy_recipe", SUM_FOUR)
SPACE = Spaces("isotropy", TOP)
NEIGHBOURS, HEATMAP, MAP, ANALOGIES, SENSES, ODD, DIRECTIONS = EFFECTS = (
    "Neighbours", "Heatmap", "Map", "Analogies", "Senses", "Odd one out", "Directions and dimensions",
)  # fmt: skip
EFFECT = Choice("isotropy_effect", NEIGHBOURS, EFFECTS)
WORD, K = Text("isotropy_word", "rome", 100), Number("isotropy_k", 8, 3, beside.MAX_NEIGHBOURS, 1)
WORDS = Text(
    "isotropy_words",
    "countries: france, germany, italy, spain, japan, egypt\n"
    "cities: paris, berlin, rome, madrid, tokyo, cairo\n"
    "colours: red, blue, green, yellow, white, black\n"
    "animals: dog, cat, horse, lion, cow, bird\n"
    "family: mother, father, sister, brother, daughter, son\n"
    "seasons: winter, summer, spring, autumn",
    5_000,
)
ANALOGY = Text("isotropy_analogy", "man, king, woman, queen", 300)
PUZZLE = Text("isotropy_puzzle", "red, blue, green, horse", 1_000)
FIELDS = (SOURCE, RECIPE, *SPACE.fields, EFFECT, WORD, K, WORDS, ANALOGY, PUZZLE)
FIRST = STATIC, Space(TOP)


def source() -> str:
    """Where the vectors come from: STATIC, or the recipe of the layers."""
    return STATIC if SOURCE.value == STATIC else str(RECIPE.value)


def sight(
    name: str, source: str, space: Space, *, model: "EmbeddingModel", progress: Progress = silent
) -> dict[str, Look]:
    """The space and its controls at a glance. `name` is the model's: under it each look is remembered."""
    spaces = compared(space)
    return {
        title: cached.compute(look, name, source, one, progress=part(progress, i / len(spaces), 1 / len(spaces)))
        for i, (title, one) in enumerate(spaces.items())
    }


def neighbours(source: str, word: str, space: Space, k: int, *, model: "EmbeddingModel") -> pd.DataFrame:
    """The neighbours of a word in every space."""
    return beside.neighbours(population(source, model), word, compared(space), k)


def grouped(source: str, text: str, space: Space, *, model: "EmbeddingModel") -> Grouped:
    """Words in groups in every space."""
    return beside.grouped(population(source, model), groups.read_groups(text), compared(space))


def analogy(source: str, words: tuple[str, ...], space: Space, *, model: "EmbeddingModel") -> pd.DataFrame:
    """One's own analogy in every space."""
    return beside.own_analogy(population(source, model), words, compared(space))


def puzzle(source: str, words: tuple[str, ...], space: Space, *, model: "EmbeddingModel") -> pd.DataFrame:
    """The odd one out in every space."""
    return beside.odd_one_out(population(source, model), words, compared(space))


def tables(source: str, space: Space, which: str, *, model: "EmbeddingModel") -> dict[str, pd.DataFrame]:
    """The built-in analogies or the senses, question by question, in every space."""
    vectors = population(source, model)
    found: dict[str, Any] = {}
    for name, one in compared(space).items():
        rows = vectors.fit(one).apply(vectors.vectors)
        if which == ANALOGIES:
            found[name] = tasks.analogies(vectors, vectors.means(rows, vectors.owner))
        else:
            found[name] = tasks.senses(vectors, rows)
    return found


def shrinkage(source: str, *, model: "EmbeddingModel") -> float:
    """The shrinkage that Ledoit & Wolf choose for these vectors."""
    vectors = population(source, model)
    return ledoit_wolf(vectors.vectors, vectors.known)
