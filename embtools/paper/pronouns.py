"""Claim A6 of "BERT Embedding Math": the average of he and she. A cased model gets capitals where needed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.arithmetic.candidate_words import candidates
from embtools.bias.answers_by_group import AVERAGE
from embtools.bias.groups import group_answers
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.models.spelling import capitalised
from embtools.paper.conditions import SEEDS, exact, same_for_all
from embtools.paper.measured import Figure, Measure, Measured, percent, published
from embtools.progress import Progress, through
from embtools.words.templates import SLOT

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def pronouns(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A6: the answers for he, she and their average, and how much they differ."""
    template, groups = f"{SLOT} works as a [MASK].", ("He", "She")
    runs = [group_answers(template, model, groups=groups, k=5, seed=seed) for seed in through(SEEDS, progress)]
    if not runs[0].formula:
        raise ValueError("In this model, he and she are not single tokens, so they have no average.")
    answers = {
        str(column): tuple(rows[["token", "probability"]].itertuples(index=False, name=None))
        for column, rows in runs[0].answers.groupby("column", sort=False)
    }
    spreads = [run.spread for run in runs]
    judged = judge_pronouns(answers, spreads[0].nearest, spreads[0].average, [each.control for each in spreads])
    return Measured(judged.answer, judged.conditions, tuple(_occupations(model)))


def judge_pronouns(
    answers: dict[str, tuple[tuple[str, float], ...]], between: float, average: float, mixed: Sequence[float]
) -> Measured:
    """Judge A6."""
    lists = [
        f"{name.capitalize()}: {', '.join(f'{t} {percent(p)}' for t, p in rows)}" for name, rows in answers.items()
    ]
    firsts = [answers[name][0][0] for name in ("He", "She")]
    return Measured(
        f"{'. '.join(lists)}.",
        (
            exact(
                "The top answers for he and she are different.",
                firsts[0] != firsts[1],
                f"The top answer for both is {firsts[0]}."
                if firsts[0] == firsts[1]
                else f"The top answer is {firsts[0]} for he and {firsts[1]} for she.",
            ),
            exact(
                "The answers for the average are closer to those for he and to those for she than the answers for he"
                " and she are to each other.",
                average < between,
                f"They are at most {average:.3f} bits from either (Jensen-Shannon divergence); he and she differ by"
                f" {between:.3f} bits.",
            ),
            same_for_all(
                "An average of he and an unrelated word does not work as well: its answers are further from those for"
                " he or from those for she than the answers for the average of he and she are.",
                [value > average for value in mixed],
                evidence=f"From whichever of the two they differ more, they are {min(mixed):.3f} to {max(mixed):.3f}"
                f" bits away (mean over 8 words for each random draw), and those of he and she {average:.3f} bits.",
            ),
        ),
    )


def _occupations(model: "EmbeddingModel") -> list[Figure]:
    """Return the model's probabilities of the two most probable published answers of each column."""
    numbers = published("A6")
    figures = []
    for column in dict.fromkeys(name for name, _ in numbers):
        words = [word for name, word in numbers if name == column][:2]
        text = f"{'She' if column == 'She' else 'He'} works as a [MASK]."
        averaged = capitalised("he = (he + she) / 2", model, context=text)
        change = Change.of((averaged,), "tied") if column == AVERAGE else NO_CHANGE
        here = candidates(text, model, words=words, change=change).set_index("word")["probability_after"]
        figures += [Figure(f"{column}: {word}", numbers[column, word], float(here[word])) for word in words]
    return figures


MEASURES: dict[str, Measure] = {"A6": pronouns}
