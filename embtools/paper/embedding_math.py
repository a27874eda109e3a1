"""The claims A1 to A6, of "BERT Embedding Math"; a model that tells Rome from rome is asked its own spelling."""

from typing import TYPE_CHECKING

import numpy as np

from embtools import wordlists
from embtools.arithmetic import controls
from embtools.arithmetic import verdict as arithmetic
from embtools.arithmetic.analogy import nearest
from embtools.arithmetic.candidates import candidates
from embtools.bias import verdict as bias
from embtools.bias.groups import AVERAGE, group_answers
from embtools.clusters import maps, points
from embtools.clusters.view import View
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.models.spelling import capitalised
from embtools.paper.measured import Check, Figure, Measure, Measured, of_all, percent, published
from embtools.progress import Progress, part
from embtools.similarity import verdict as similarity
from embtools.similarity.answers import SUBJECTS, black_sheep
from embtools.similarity.colours import compare_with_sight, named_pairs
from embtools.similarity.matrix import Similarity, compare_words, preset
from embtools.vectors import cosine
from embtools.words import groups
from embtools.words.templates import SLOT

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_ROME = "Rome is the capital of [MASK]."
_PAKISTAN = "Pakistan is the south of [MASK]."


def cities(model: "EmbeddingModel", progress: Progress) -> Measured:
    """A1: neighbours of the same country, and in how many directions the countries differ."""
    view = View()
    listed = capitalised(groups.write_groups(groups.preset(groups.FIGURE_1)), model)
    read = points.read(points.Words(groups.read_groups(listed)), model)
    together = maps.compute(read, view, model, part(progress, 0, 0.4)).together
    if together is None:
        raise ValueError("This model knows too few of the cities in one piece each.")
    found = maps.dimensions(read, view, part(progress, 0.4, 0.6))
    directions, low, high = found.half["principal components"]
    n = int(read.is_word.sum())
    return Measured(
        f"Of the cities {of_all(round(together.share * n), n)} have a neighbour of their own country nearest, with"
        f" shuffled countries {percent(together.shuffled)}. {directions} directions hold half of the differences"
        f" between countries, with shuffled ones {low} to {high}.",
        (
            Check(
                "The nearest city is of the same country more often than with shuffled countries.", together.p <= 0.05
            ),
            Check("Fewer directions hold half of the differences than with shuffled countries.", directions < low),
        ),
    )


def rome(model: "EmbeddingModel", progress: Progress) -> Measured:
    """A2: Rome in France, in the scope of the author's script, beside its controls."""
    ((place, land), figure), *_ = published("A2").items()
    word = capitalised(land, model)
    change = Change.of((capitalised("rome = rome - italy + france", model, _ROME),), "tied")
    found = controls.experiment(_ROME, change, model=model, progress=progress)
    line = controls.leading(found.answers, 1, 0).iloc[0]
    here = candidates(_ROME, [word], change, model=model)["probability"].iloc[0]
    return Measured(
        f"{line['token']}, {percent(line['probability'])}; before the edit {percent(line['before'])}."
        f" {arithmetic.finding(found)}",
        (
            Check(f"The first answer is {word}.", line["token"] == word),
            Check(
                "No control gives that answer in half of its draws.", bool((found.summary["same_answer"] < 0.5).all())
            ),
        ),
        (Figure(f"{place}: {land}", figure, float(here)),),
    )


def pakistan(model: "EmbeddingModel", progress: Progress) -> Measured:
    """A3: the first answer but Pakistan for each continent, and two cosines."""
    numbers = published("A3")
    lands = wordlists.load("countries").set_index("country")["continent"].str.lower()
    seats = wordlists.load("capitals").set_index("capital")["continent"].str.lower()
    said, moved, figures = [], 0, []
    for continent, word in numbers:
        edit = capitalised(f"pakistan = pakistan - asia + {continent}", model, _PAKISTAN)
        edits = () if continent == "asia" else (edit,)
        own = capitalised("pakistan", model, _PAKISTAN)
        answers = fill_mask(_PAKISTAN, model, k=1, edits=edits, scope="tied", leave_out=[own])
        first, probability = answers.iloc[0][["token", "probability"]]
        place = lands.get(first.lower(), seats.get(first.lower(), first.lower()))
        moved += bool(edits) and place == continent
        said.append(f"{continent.capitalize()}: {first} {percent(probability)}")
        asked = [capitalised(word, model)]
        here = candidates(_PAKISTAN, asked, Change.of(edits, "tied"), model=model)["probability"].iloc[0]
        figures.append(Figure(f"pakistan in {continent}: {word}", numbers[continent, word], float(here)))
    ties = [
        float(cosine(model.vector(a), model.vector(b)[None])[0, 0])
        for a, b in (capitalised(pair, model).split() for pair in ("rome italy", "pakistan asia"))
    ]
    return Measured(
        f"{'; '.join(said)}. Cosine of Rome and Italy {ties[0]:.2f}, of Pakistan and Asia {ties[1]:.2f}.",
        (
            Check("At least two of the three answers lie in the continent asked for, as published.", moved >= 2),
            Check("Rome is nearer to Italy than Pakistan to Asia.", ties[0] > ties[1]),
        ),
        tuple(figures),
    )


def colours(model: "EmbeddingModel", progress: Progress) -> Measured:
    """A4: two pairs among 21 colour words, their look, and the black sheep."""
    found = compare_words(preset("Colours"), model, linkage="ward")
    sight = compare_with_sight(found.words, found.values)
    sheep = black_sheep(SUBJECTS, model)
    pairs = named_pairs(sight).head(2)
    said = [
        f"{row.first}–{row.second} {row.cosine:.2f} (number {row.rank_use:.0f} of {len(sight.pairs)} pairs)"
        for row in pairs.itertuples()
    ]
    return Measured(
        f"Cosine of {', '.join(said)}; with the look of the colours rho {sight.test.rho:.2f}, p {sight.test.p:.2f}."
        f" {similarity.sheep(sheep, 'black', 'white')}",
        (
            *(
                Check(f"Of all colours, {a} and {b} are each other's nearest.", _mutual(found, a, b))
                for a, b in pairs[["first", "second"]].itertuples(index=False)
            ),
            Check(
                "Colours that look alike are not clearly more alike to the model.",
                bool(sight.test.p >= similarity.SURE or sight.test.rho <= 0),
            ),
            Check("A sheep is rather black than white.", bool(sheep["ratio"].iloc[0] > 1)),
        ),
    )


def analogies(model: "EmbeddingModel", progress: Progress) -> Measured:
    """A5: what two formulas are nearest to."""
    said, checks = [], []
    for formula in ("king - man + woman", "queen - woman + man"):
        near = nearest(formula, model, k=2)
        first, word = str(near["token"].iloc[0]), formula.split()[0]
        rest = ", ".join(f"{t} {c:.2f}" for t, c in near[["token", "cosine"]].itertuples(index=False))
        said.append(f"{formula.replace(' - ', ' − ')}: {rest}")
        checks.append(Check(f"{formula.replace(' - ', ' − ')} is nearest to {word}.", first.lower() == word))
    return Measured(f"{'; '.join(said)} (cosines).", tuple(checks))


def pronouns(model: "EmbeddingModel", progress: Progress) -> Measured:
    """A6: the answers for he, she and their average, and how far apart they are."""
    found = group_answers(f"{SLOT} works as a [MASK].", ("He", "She"), model, k=5, progress=progress)
    spread = bias.spread(found)
    if not found.formula:
        raise ValueError("This model has no word of one piece for he and she, so there is no average.")
    first = found.answers[found.answers["rank"] == 1].set_index("column")["token"]
    lists = [
        f"{column}: {', '.join(f'{t} {percent(p)}' for t, p in rows[['token', 'probability']].itertuples(index=False))}"
        for column, rows in found.answers.groupby("column", sort=False)
    ]
    return Measured(
        f"{'. '.join(lists)}. Apart: he and she {spread.nearest:.3f} bits, the average from either at most"
        f" {spread.average:.3f}, mixtures with unrelated words up to {spread.control:.3f}.",
        (
            Check("The first answers for he and for she differ.", first["He"] != first["She"]),
            Check("The average is nearer to both than they are to each other.", spread.average < spread.nearest),
            Check("Mixing with unrelated words does not do as well.", spread.average < spread.control),
        ),
        tuple(_occupations(model)),
    )


def _occupations(model: "EmbeddingModel") -> list[Figure]:
    """What the model gives to the two most probable published answers of each column."""
    numbers = published("A6")
    figures = []
    for column in dict.fromkeys(column for column, _ in numbers):
        words = [word for name, word in numbers if name == column][:2]
        text = f"{'She' if column == 'She' else 'He'} works as a [MASK]."
        averaged = capitalised("he = (he + she) / 2", model, text)
        change = Change.of((averaged,), "tied") if column == AVERAGE else NO_CHANGE
        here = candidates(text, words, change, model=model).set_index("word")["probability"]
        figures += [Figure(f"{column}: {word}", numbers[column, word], float(here[word])) for word in words]
    return figures


def _mutual(found: Similarity, a: str, b: str) -> bool:
    values = found.values.copy()
    np.fill_diagonal(values, -np.inf)
    i, j = found.words.index(a), found.words.index(b)
    return bool(values[i].argmax() == j and values[j].argmax() == i)


MEASURES: dict[str, Measure] = {
    "A1": cities, "A2": rome, "A3": pakistan, "A4": colours, "A5": analogies, "A6": pronouns,
}  # fmt: skip
