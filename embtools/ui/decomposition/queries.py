"""Fields of the tabs for a word and for a formula, the query they form, its result, and its Python code."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.decomposition import controls, dictionary, targets
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.parts import SHARE as DEFAULT_SHARE
from embtools.decomposition.parts import SMALLEST, Parts, decompose
from embtools.decomposition.sparsity import sparsity_path
from embtools.decomposition.target import Target, normalised
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, part, silent
from embtools.recipes import SUM_FOUR
from embtools.ui import folders
from embtools.ui.fields import Choice, Flag, Number, Text

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

OCCURRENCES, STATIC = "occurrences", "static embeddings"
BY_SHARE, BY_ALPHA = "share", "alpha"

WORD, SENTENCE = Text("decomposition_word", "cold", 100), Text("decomposition_sentence", "", 1_000)
NUMBER = Number("decomposition_occurrence", 1, 1, 50_000, 1)
FORMULA = Text("decomposition_formula", "king - man + woman", 500)
RECIPE = Choice("decomposition_recipe", SUM_FOUR)
DICTIONARY = Choice(
    "decomposition_dictionary", OCCURRENCES
)  # or STATIC, or the name of a folder offered by this server
CHOSEN = Text("decomposition_words", "", 2_000)  # of a folder; if empty, a random sample of all occurrences
BY = Choice("decomposition_by", BY_SHARE, (BY_SHARE, BY_ALPHA))
SHARE, ALPHA = (
    Number("decomposition_share", DEFAULT_SHARE, SMALLEST, 1.0, 0.01),
    Number("decomposition_alpha", 0.9, 0.0, 1e4, 0.1),
)
SAME_WORD, SAME_SENTENCE = Flag("decomposition_same_word"), Flag("decomposition_same_sentence", True)
PENALTY = (BY, SHARE, ALPHA)
WORD_FIELDS = (WORD, NUMBER, SENTENCE, RECIPE, DICTIONARY, CHOSEN, SAME_WORD, SAME_SENTENCE, *PENALTY)
FORMULA_FIELDS = (FORMULA, SAME_WORD, *PENALTY)


@dataclass(frozen=True)
class Query:
    """A vector to decompose, a dictionary and a penalty.

    With a `formula`, the vector is its result and the dictionary holds static embeddings. With a `folder`, the vector
    is one of its occurrences, and the dictionary is a sample of its occurrences, or of those of the `chosen` words.
    """

    word: str = WORD.default
    number: int = 1
    sentence: str = ""
    formula: str = ""
    recipe: str = SUM_FOUR
    dictionary: str = OCCURRENCES
    share: float = DEFAULT_SHARE
    alpha: float | None = None
    same_word: bool = False
    same_sentence: bool = True
    folder: CorpusFolder | None = None
    chosen: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The query in a few words, for the label of a result that no longer matches the fields."""
        return self.formula or self.word

    @property
    def at_default_penalty(self) -> "Query":
        """The query with the default penalty: queries that differ only in the penalty share it."""
        return replace(self, share=DEFAULT_SHARE, alpha=None)

    @property
    def rules(self) -> dict[str, Any]:
        """Keyword arguments that say which words may be parts."""
        return {"same_word": self.same_word, "same_sentence": self.same_sentence}


@dataclass(frozen=True, eq=False)
class Result:
    """The decomposition of a vector.

    target      the vector
    parts       its parts
    near        what the same number of nearest words explains (`controls.nearest`)
    sentences   the sentences of the corpus that contain the word
    count       the number of its occurrences in a folder
    drawn       a sentence that says how much of a folder was used
    """

    target: Target
    parts: Parts
    near: pd.DataFrame
    sentences: tuple[str, ...]
    count: int = 0
    drawn: str = ""


FIRST, FIRST_FORMULA = Query(), Query(word="", formula=FORMULA.default, dictionary=STATIC)


def dictionaries() -> tuple[str, ...]:
    """Names of the dictionaries that a word can be decomposed into on this server."""
    return OCCURRENCES, STATIC, *folders.names()


def penalty() -> dict[str, Any]:
    """The penalty set in the fields, as a keyword argument."""
    return {"alpha": float(ALPHA.value)} if BY.value == BY_ALPHA else {"share": float(SHARE.value)}


def prepare(
    query: Query, model: "EmbeddingModel", progress: Progress = silent
) -> tuple[Target, Dictionary, tuple[str, ...]]:
    """The target, the dictionary, and the sentences of the corpus that contain the word."""
    if query.formula:
        return targets.formula(query.formula, model), dictionary.of_vocabulary(model), ()
    if query.folder is not None:
        return *_in_folder(query, query.folder, model, progress), ()
    normalised(query.word, model)  # errors are raised before a thousand sentences are encoded
    read = encode_corpus(built_in_corpus(), model, recipe=query.recipe, progress=progress)
    places = read.table["sentence"].to_numpy()[read.of(normalised(query.word, model))]
    if query.sentence:
        target = targets.from_sentence(query.sentence, model, word=query.word, recipe=query.recipe)
    else:
        target = targets.occurrence(read, model, word=query.word, number=query.number)
    atoms = dictionary.of_vocabulary(model) if query.dictionary == STATIC else dictionary.of_occurrences(read)
    return target, atoms, tuple(read.sentences[n] for n in places)


def _in_folder(
    query: Query, folder: CorpusFolder, model: "EmbeddingModel", progress: Progress
) -> tuple[Target, Dictionary]:
    """The target, from the folder or a typed sentence, and a dictionary of the folder's occurrences."""
    normalised(query.word, model)
    if query.chosen:
        atoms = dictionary.of_words(folder, model, words=query.chosen, progress=progress)
    else:
        atoms = dictionary.of_folder(folder, model, progress=progress)
    if query.sentence:
        return targets.from_sentence(query.sentence, model, word=query.word, recipe=folder.recipe), atoms
    return targets.from_folder(folder, model, word=query.word, number=query.number, atoms=atoms), atoms


def decomposed(query: Query, *, model: "EmbeddingModel", progress: Progress = silent) -> Result:
    """The result of a query. Raises ValueError for unreadable input and for a penalty that is too small."""
    target, atoms, sentences = prepare(query, model, progress)
    result = decompose(target, atoms, share=query.share, alpha=query.alpha, **query.rules)
    folder, count, drawn = query.folder, 0, ""
    if folder is not None:
        count, drawn = folder.count(target.name), dictionary.coverage(folder, atoms, query.chosen)
    return Result(target, result, controls.nearest(target, atoms, result, **query.rules), sentences, count, drawn)


def compared(query: Query, *, model: "EmbeddingModel", progress: Progress = silent) -> pd.DataFrame:
    """The controls of a decomposition (`controls.compare`), which take longer than the decomposition itself."""
    target, atoms, _ = prepare(query, model, part(progress, 0.0, 0.3))
    result = decompose(target, atoms, share=query.share, alpha=query.alpha, **query.rules)
    return controls.compare(target, atoms, result, **query.rules, progress=part(progress, 0.3, 0.7))


def path(query: Query, *, model: "EmbeddingModel", progress: Progress = silent) -> pd.DataFrame:
    """The parts for a range of penalties, for a query with the default penalty (`Query.at_default_penalty`)."""
    target, atoms, _ = prepare(query, model, part(progress, 0.0, 0.3))
    return sparsity_path(target, atoms, **query.rules, progress=part(progress, 0.3, 0.7))


def code(query: Query) -> list[str]:
    """The query as lines of Python."""
    if query.formula:
        lines = [f"target = targets.formula({query.formula!r}, model)", "atoms = of_vocabulary(model)"]
    elif query.folder is not None:
        lines = [
            folders.code(query.folder),
            f"atoms = of_words(folder, model, words={query.chosen!r})"
            if query.chosen
            else "atoms = of_folder(folder, model)",
            f"print(coverage(folder, atoms, {query.chosen!r}))",
        ]
        if query.sentence:
            lines.append(
                f"target = targets.from_sentence({query.sentence!r}, model, word={query.word!r}, recipe=folder.recipe)"
            )
        else:
            lines.append(
                f"target = targets.from_folder(folder, model, word={query.word!r}, number={query.number}, atoms=atoms)"
            )
    else:
        lines = [f"occurrences = encode_corpus(built_in_corpus(), model, recipe={query.recipe!r})"]
        if query.sentence:
            arguments = f"{query.sentence!r}, model, word={query.word!r}, recipe={query.recipe!r}"
            lines.append(f"target = targets.from_sentence({arguments})")
        else:
            lines.append(f"target = targets.occurrence(occurrences, model, word={query.word!r}, number={query.number})")
        lines.append(
            "atoms = " + ("of_vocabulary(model)" if query.dictionary == STATIC else "of_occurrences(occurrences)")
        )
    arguments = f"share={query.share!r}" if query.alpha is None else f"alpha={query.alpha!r}"
    return [
        *lines,
        f"rules = {query.rules!r}",
        f"mix = decompose(target, atoms, {arguments}, **rules)",
        "compared = controls.compare(target, atoms, mix, **rules)",
        "print(verdict.finding(target.name, mix, compared), verdict.optimum(mix), verdict.trust(compared), sep='\\n')",
        "print(mix.table, mix.words, mix.figures, compared, controls.summary(compared), sep='\\n')",
        "print(sparsity_path(target, atoms, **rules))",
    ]
