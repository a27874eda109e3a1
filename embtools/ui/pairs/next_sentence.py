"""Panel for next-sentence prediction: the probability of one pair and of its controls, and segment ids."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import pairs as charts
from embtools.pairs import next_sentence, segment_tokens
from embtools.pairs.next_sentence import NextSentence
from embtools.pairs.segment_tokens import Segments
from embtools.rooms.question import Ask
from embtools.ui import captions, figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.lesson_answers import Reading
from embtools.ui.pairs import pair
from embtools.ui.shown import Model, Models

TAB = "Next sentence"
USES_EDIT = True
BY_WORDS = "chosen automatically"
TOPIC = Choice("pairs_topic", BY_WORDS, {"auto": BY_WORDS} | {topic: topic for topic in next_sentence.topics()})
SEED = Number("pairs_seed", 0, 0, 9999, 1)
FIELDS = (*pair.FIELDS, TOPIC, SEED)
PRESETS: dict[str, dict[str, Any]] = {
    "The store": {},
    "How bees make honey": pair.of(
        "How do bees make honey?", "Bees collect nectar from flowers and dry it in the hive."
    ),
    "A glass of milk": pair.of("He poured the milk into a glass.", "Then he drank it."),
    "Rome and penguins": pair.of("Rome is the capital of Italy.", "Penguins are birds that cannot fly."),
}
ASKED_ABOUT = pair.FIELDS
FIRST = Call(next_sentence.with_controls, first=pair.FIRST.default, second=pair.SECOND.default)
_PERCENT = {"probability": st.column_config.NumberColumn(format="percent")}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return *pair.FIELDS, captions.Setting("topic of the control sentences", TOPIC), captions.changed("seed", SEED)


def show(models: Models) -> None:
    """Draw the two sentences; for each model the bars, all pairs and the segment ids; and the settings."""
    problems = pair.bar()
    answers = running.ask(
        "scored",
        _query,
        models,
        FIRST,
        label="Scoring the pair and its controls",
        container=problems,
        prints=("headline", "repetition", "summary", "runs"),
    )
    if not answers:
        return
    for container in running.containers(answers):
        with container as answer:
            _bars(answer.value)
    _settings([answer.value for answer in answers])
    for container in running.containers(answers, part="more"):
        with container as answer:
            with figures.expander("asked", "All pairs scored", ":material/list:") as opened:
                if opened:
                    figures.table(
                        answer.value.runs, "All pairs scored", name=f"asked{shown.suffix()}", column_config=_PERCENT
                    )
            with figures.expander("segments", "Tokens and segment ids", ":material/looks_two:") as opened:
                if opened:
                    _segments(answer)


def _query(_: Model) -> Call:
    return Call(
        next_sentence.with_controls,
        first=pair.FIRST.value.strip(),
        second=pair.SECOND.value.strip(),
        topic="" if TOPIC.value == BY_WORDS else TOPIC.value,
        seed=int(SEED.value),
    )


def question(models: Models) -> Ask:
    """Ask a class about this pair."""
    query = Call(next_sentence.pair_question, first=pair.FIRST.value.strip(), second=pair.SECOND.value.strip())
    return lambda choices: running.run(query.but(choices=tuple(choices)), models[0])


def _bars(result: NextSentence) -> None:
    shown.headline(result.headline)
    figures.show(charts.controls, result, name="next-sentence")
    page.caption(
        "The blue bar is the probability that the second sentence follows the first ([[next-sentence prediction]])."
        " Grey bars are [[control|controls]]: pairs in which the second sentence does not continue the first. Each dot"
        f" is one sentence: 200 random ones, and all that the corpus has on the same topic. {result.repetition}"
    )


def _settings(results: Sequence[NextSentence]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=320):
            st.selectbox(
                "Topic of the control sentences",
                help="The topics of the built-in corpus. The automatic choice is the topic whose words have"
                " static embeddings most similar to those of your two sentences.",
                **TOPIC.widget,
            )
        st.button(
            "Draw other sentences",
            icon=":material/casino:",
            on_click=state.put,
            args=({SEED.key: (int(SEED.value) + 1) % 10_000},),
            key="pairs-draw",
            help="Draws other random control sentences. On the same topic, all sentences are used.",
        )
    if TOPIC.value == BY_WORDS:
        topics = dict.fromkeys(result.topic for result in results)
        st.caption(
            f"Topic chosen automatically: {' | '.join(topics)}."
            if all(topics)
            else "BERT knows none of the words, so there are no control sentences on the same topic."
        )


def _segments(answer: running.Answer[NextSentence]) -> None:
    page.caption(
        "BERT reads a pair as [CLS] A [SEP] B [SEP]. The [[segment id]] says which sentence a token belongs to. In"
        " BERT's training, a single sentence has the id 0; the article “Understanding BERT — Word Embeddings” gives it"
        " 1."
    )
    query = Call(segment_tokens.segments, first=answer.value.first, second=answer.value.second)
    result: Segments | None = running.detail("ids", query, answer.model, prints=("pair", "single", "other"))
    if result is None:
        return
    left, right = shown.split([1, 1], gap="medium")
    with left:
        st.caption("The two sentences")
        figures.table(result.pair, "Tokens of the two sentences", name=f"pair-tokens{shown.suffix()}")
    with right:
        st.caption("Only the first sentence")
        figures.table(
            result.single,
            "Tokens of the first sentence alone",
            name=f"single-sentence-tokens{shown.suffix()}",
            column_config={
                "segment": "segment id in BERT's training",
                "segment_in_article": "segment id in the article",
            },
        )
        if result.other is None:
            st.text(result.reason)
            return
        st.caption("Next-sentence probability with other segment ids")
        figures.table(
            result.other,
            "Next-sentence probability with other segment ids",
            name=f"other-segments{shown.suffix()}",
            column_config=_PERCENT,
        )


def _swapped(result: NextSentence) -> float:
    row = result.of(next_sentence.SWAPPED)
    if row is None:
        raise ValueError("The swapped pair could not be scored.")
    return float(row["probability"])


READINGS = {
    "probability": Reading(
        _query, "Probability that the second sentence follows", "number", "probability", "%", by_bert=True
    ),
    "unlike-random": Reading(
        _query,
        "Whether it follows clearly better than random sentences, and than those on the same topic",
        "yes or no",
        "clear",
    ),
    "swapped": Reading(_query, "Probability with the sentences swapped", "number", _swapped, "%", by_bert=True),
}
