"""Fields of the Isotropy page, and its computations, each step cached."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from embtools.isotropy import overview, own_words, tasks
from embtools.isotropy.overview import Overview, SpaceMeasures, with_controls
from embtools.isotropy.own_words import Grouped
from embtools.isotropy.population import STATIC, population
from embtools.isotropy.tasks import Scores
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, part, silent
from embtools.recipes import SUM_FOUR
from embtools.spaces.moments import ledoit_wolf
from embtools.spaces.space import TOP, Space
from embtools.ui import cached, folders, texts
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.spaces import Spaces
from embtools.words import groups

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

T = TypeVar("T")
Source = str | CorpusFolder
INSIDE = "words in sentences"
SOURCE, RECIPE = Choice("isotropy_source", STATIC), Choice("isotropy_recipe", SUM_FOUR)
SPACE = Spaces("isotropy", TOP)
NEIGHBOURS, HEATMAP, MAP, ANALOGIES, SENSES, ODD, DIRECTIONS = EFFECTS = (
    "Neighbours", "Heatmap", "Map", "Analogies", "Senses", "Odd one out", "Directions and dimensions",
)  # fmt: skip
EFFECT = Choice("isotropy_effect", NEIGHBOURS, EFFECTS)
WORD, K = Text("isotropy_word", "rome", 100), Number("isotropy_k", 8, 3, own_words.MAX_NEIGHBOURS, 1)
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


def source() -> Source:
    """The source of the vectors: STATIC, a layer combination or a folder. Raises ValueError for a damaged folder."""
    if SOURCE.value == INSIDE:
        return str(RECIPE.value)
    return folders.opened(SOURCE.value) or STATIC


def named(source: Source) -> str:
    """The name of a source as visitors see it."""
    return folders.name_of(source) if isinstance(source, CorpusFolder) else source


def code(source: Source) -> str:
    """The source as Python; a folder is opened at the start of the copied code."""
    return "folder" if isinstance(source, CorpusFolder) else repr(source)


def measured(source: Source, space: Space, *, model: "EmbeddingModel", progress: Progress = silent) -> SpaceMeasures:
    """The measures of one space."""
    return overview.measured(population(source, model, progress=part(progress, 0, 0.8)), space)


def task_scores(source: Source, space: Space, *, model: "EmbeddingModel", progress: Progress = silent) -> Scores:
    """The scores of one space in the tasks."""
    return overview.task_scores(population(source, model, progress=part(progress, 0, 0.5)), space)


def space_measures(
    name: str, source: Source, space: Space, *, model: "EmbeddingModel", progress: Progress = silent
) -> dict[str, SpaceMeasures]:
    """The measures of the space and its controls. `name` is the name of the model, under which each one is cached."""
    return _each(measured, name, source, space, progress)


def overviews(
    name: str, source: Source, space: Space, *, model: "EmbeddingModel", progress: Progress = silent
) -> dict[str, Overview]:
    """The measures and the task scores of the space and its controls; the scores take longer."""
    scores = _each(task_scores, name, source, space, progress)
    return {
        title: Overview(**vars(one), scores=scores[title])
        for title, one in space_measures(name, source, space, model=model).items()
    }


def _each(function: Callable[..., T], name: str, source: Source, space: Space, progress: Progress) -> dict[str, T]:
    spaces = with_controls(space)
    return {
        title: cached.compute(function, name, source, one, progress=part(progress, i / len(spaces), 1 / len(spaces)))
        for i, (title, one) in enumerate(spaces.items())
    }


def answered(function: Callable[..., T], model: str, *arguments: Any) -> T | None:
    """The cached result of a function, or None after showing the error message."""
    try:
        return cached.compute(function, model, *arguments)
    except ValueError as error:
        texts.problem(error)
        return None


def neighbours(source: Source, word: str, space: Space, k: int, *, model: "EmbeddingModel") -> pd.DataFrame:
    """Nearest neighbours of a word in every space."""
    return own_words.neighbours(population(source, model), word, with_controls(space), k)


def word_groups(source: Source, text: str, space: Space, *, model: "EmbeddingModel") -> Grouped:
    """Groups of words in every space."""
    return own_words.compare_groups(population(source, model), groups.read_groups(text), with_controls(space))


def analogy(source: Source, words: tuple[str, ...], space: Space, *, model: "EmbeddingModel") -> pd.DataFrame:
    """The visitor's own analogy in every space."""
    return own_words.analogy_ranks(population(source, model), words, with_controls(space))


def puzzle(source: Source, words: tuple[str, ...], space: Space, *, model: "EmbeddingModel") -> pd.DataFrame:
    """The odd one out in every space."""
    return own_words.odd_one_out(population(source, model), words, with_controls(space))


def tables(source: Source, space: Space, which: str, *, model: "EmbeddingModel") -> dict[str, pd.DataFrame]:
    """Results of the built-in analogies or of the senses in every space, item by item."""
    vectors = population(source, model)
    result: dict[str, Any] = {}
    for name, one in with_controls(space).items():
        rows = vectors.fit(one).apply(vectors.vectors)
        if which == ANALOGIES:
            result[name] = tasks.analogies(vectors, vectors.means(rows, vectors.owner))
        else:
            result[name] = tasks.senses(vectors, rows)
    return result


def shrinkage(source: Source, *, model: "EmbeddingModel") -> float:
    """Ledoit–Wolf shrinkage for these vectors."""
    vectors = population(source, model)
    return ledoit_wolf(vectors.vectors, vectors.known)
