"""The panel of minimal pairs: two sentences token by token, and below them a battery of many pairs."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import evidence as charts
from embtools.evidence import minimal_pairs
from embtools.evidence.minimal_pairs import MAX_CHARACTERS, MAX_TOKENS, METHODS, MinimalPair
from embtools.evidence.pair_batteries import PairBattery
from embtools.rooms.question import Ask
from embtools.ui import captions, entry, figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.evidence import pair_battery
from embtools.ui.fields import Choice, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model, Models

TAB = "Minimal pairs"
FIRST_SENTENCE = Text("evidence_pair_first", "The keys to the old door are on the table.", MAX_CHARACTERS)
SECOND_SENTENCE = Text("evidence_pair_second", "The keys to the old door is on the table.", MAX_CHARACTERS)
_METHODS = dict(zip(METHODS, ("each token alone", "with the rest of its word", "shared tokens only"), strict=True))
METHOD = Choice("evidence_pair_method", _METHODS[METHODS[0]], _METHODS)
FIELDS = (FIRST_SENTENCE, SECOND_SENTENCE, METHOD, *pair_battery.FIELDS)
ASKED_ABOUT = (METHOD, *pair_battery.FIELDS)
QUESTION_TAKES_TIME = True


def _example(first: str, second: str, **more: Any) -> dict[str, Any]:
    return {FIRST_SENTENCE.key: first, SECOND_SENTENCE.key: second, **more}


PRESETS: dict[str, dict[str, Any]] = {
    "Agreement": {},
    "Reflexive": _example(
        "The sister of the king called herself a poet.", "The sister of the king called himself a poet."
    ),
    "Negative polarity": _example("No student has ever seen the sea.", "Some student has ever seen the sea."),
    "Question word": _example("We forgot what our teacher said.", "We forgot that our teacher said."),
    "A word of several tokens": _example(
        "The sculptor carved a hippopotamus.", "The sculptor carved a big cat.", **{METHOD.key: _METHODS["word"]}
    ),
    "Stereotype": _example(
        "The nurse said that she was tired.", "The nurse said that he was tired.", **{METHOD.key: _METHODS["shared"]}
    ),
}
FIRST = Call(minimal_pairs.minimal_pair, first=FIRST_SENTENCE.default, second=SECOND_SENTENCE.default)
DETAILS = (pair_battery.FIRST,)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return FIRST_SENTENCE, SECOND_SENTENCE, captions.Setting("masked", METHOD)


def query() -> Call:
    """Return the query of the current fields."""
    method = next(key for key, title in _METHODS.items() if title == METHOD.value)
    return Call(
        minimal_pairs.minimal_pair, first=str(FIRST_SENTENCE.value), second=str(SECOND_SENTENCE.value), method=method
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the strips of both sentences; then the battery."""
    left, right = st.columns(2, gap="small")
    with left:
        entry.text_input("First sentence", help=f"At most {MAX_TOKENS} tokens.", **FIRST_SENTENCE.widget)
    with right:
        entry.text_input("Second sentence", help=f"At most {MAX_TOKENS} tokens.", **SECOND_SENTENCE.widget)
    st.segmented_control(
        "Masked",
        required=True,
        help="Each token is masked once and predicted from all others. If a word has several tokens, each is easy to"
        " guess from the others, so the second method also masks the following tokens of the word. The third one counts"
        " only tokens that both sentences share, as CrowS-Pairs does.",
        **METHOD.widget,
    )
    problems, call = st.container(), query()
    if long_work.may_begin("evidence-minimal-pair", "Score both sentences", call, models, _effort):
        answers = running.ask(
            "scored",
            call,
            models,
            FIRST,
            label="Scoring both sentences",
            container=problems,
            prints=("headline", "decision", "tokens"),
        )
        running.say(minimal_pairs.two_minimal_pairs, answers)
        for column in running.containers(answers):
            with column as answer:
                _results(answer.value, [each.value for each in answers])
    pair_battery.show(models, call["method"], lambda first, second: _example(first, second))


def question(models: Models) -> Ask:
    """Ask a class about the many pairs."""
    result: PairBattery = running.run(pair_battery.query(query()["method"]), models[0])
    return result.question


def _effort(call: Call) -> Call:
    return Call(minimal_pairs.pair_effort, **call.complete)


def _results(result: MinimalPair, both: Sequence[MinimalPair]) -> None:
    shown.headline(result.headline)
    left, right = shown.split([11, 9], gap="medium")
    with left:
        figures.show(charts.token_strips, result, beside=both, name="strips")
    with right:
        st.text(result.decision)
        for sentence in result.cautions:
            st.text(sentence)
        page.caption(
            "Each row is a token. The first two columns show its [[log probability]] in each sentence when it is"
            " masked. Stronger colour: less probable. Each of these columns sums to the [[pseudo-log-likelihood]] of"
            " its sentence. The last column is the difference, in [[nats]]; a value above 0 favours the first"
            " sentence. The arrow marks the largest contribution to the preference."
        )


def _of_fields(_: Model) -> Call:
    return query()


READINGS = {
    "first": Reading(
        _of_fields, "Whether the first sentence is preferred", "yes or no", lambda pair: pair.difference > 0
    ),
    "difference": Reading(_of_fields, "First minus second score", "number", "difference", " nats"),
    "decides": Reading(
        _of_fields, "Token of the first sentence that decides", "word", lambda pair: pair.deciding["first"]
    ),
}
