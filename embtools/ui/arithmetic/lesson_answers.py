"""What a lesson can ask about edits and formulas."""

from embtools.arithmetic.edit_result import EditedAnswers
from embtools.arithmetic.formula import NearestWords
from embtools.ui.arithmetic import edit_query, formula
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.running import Answer
from embtools.ui.shown import Model


def _edited(model: Model) -> EditedAnswers:
    query = edit_query.reading(model)
    read = Answer("arithmetic-reading", query, model, result(query, model))
    answers: EditedAnswers = result(edit_query.answers(model, read), model)
    return answers


def _before(model: Model) -> str:
    answers = _edited(model).answers
    return str(answers.loc[answers["rank_before"].idxmin(), "token"])


def _reached(model: Model) -> bool:
    """Return whether a control makes the new answer at least as probable as the edit does."""
    answers = _edited(model)
    if not answers.edited:
        raise ValueError("There is no edit to compare with controls.")
    return bool((answers.compared["highest"] >= answers.probability).any())


def _same_answer(model: Model) -> bool:
    """Return whether a single run of a control has the edit's answer."""
    answers = _edited(model)
    if not answers.edited:
        raise ValueError("There is no edit to compare with controls.")
    return bool((answers.compared["same_answer"] > 0).any())


def _near(model: Model) -> NearestWords:
    near: NearestWords = result(formula._query(model), model)
    return near


READINGS = {
    "edit": {
        "top": Reading("Top answer (after the edit)", "word", lambda model: _edited(model).word, by_bert=True),
        "before": Reading("Top answer before the edit", "word", _before, by_bert=True),
        "changed": Reading(
            "Whether the edit changes the top answer", "yes or no", lambda model: _edited(model).word != _before(model)
        ),
        "probability": Reading(
            "Probability of the top answer", "number", lambda model: 100 * _edited(model).probability, "%", by_bert=True
        ),
        "control": Reading("Whether a control reaches the same probability", "yes or no", _reached),
        "control-answer": Reading("Whether a run of a control leads to the same answer", "yes or no", _same_answer),
    },
    "formula": {
        "nearest": Reading(
            "Nearest word, own words kept", "word", lambda model: str(_near(model).kept["token"].iloc[0])
        ),
        "nearest-other": Reading(
            "Nearest word, own words excluded", "word", lambda model: str(_near(model).left_out["token"].iloc[0])
        ),
    },
}
