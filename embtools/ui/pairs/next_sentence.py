"""Panel for next-sentence prediction: one pair with its controls and segment ids, or many pairs and the share right."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import pairs as charts
from embtools.messages import counted
from embtools.pairs import batch, next_sentence
from embtools.pairs.batch import Batch
from embtools.pairs.next_sentence import NextSentence, Segments
from embtools.rooms.question import Ask
from embtools.statistics.percentages import rounded
from embtools.tables.columns import Chosen
from embtools.ui import captions, entry, figures, glossary, long_work, page, running, shown, state, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.pairs import pair
from embtools.ui.shown import Model, Models

TAB = "Next sentence"
USES_EDIT = True
ONE, MANY = "One pair", "Many pairs"
NUMBER = Choice("pairs_number", ONE, {"one": ONE, "many": MANY})
BY_WORDS = "chosen automatically"
TOPIC = Choice("pairs_topic", BY_WORDS, {"auto": BY_WORDS} | {topic: topic for topic in next_sentence.topics()})
SEED = Number("pairs_seed", 0, 0, 9999, 1)
ROWS = Text("pairs_rows", batch.write_pairs(batch.built_in("random")), batch.MAX_CHARACTERS)
FIELDS = (NUMBER, *pair.FIELDS, TOPIC, SEED, ROWS)
_OF_MANY = {NUMBER.key: MANY}
PRESETS: dict[str, dict[str, Any]] = {
    "The store": {},
    "How bees make honey": pair.of(
        "How do bees make honey?", "Bees collect nectar from flowers and dry it in the hive."
    ),
    "A glass of milk": pair.of("He poured the milk into a glass.", "Then he drank it."),
    "Rome and penguins": pair.of("Rome is the capital of Italy.", "Penguins are birds that cannot fly."),
    "Real or random continuation": _OF_MANY,
    "In order or reversed": _OF_MANY | {ROWS.key: batch.write_pairs(batch.built_in("swapped"))},
}
ASKED_ABOUT = (NUMBER, *pair.FIELDS)
FIRST = Call(next_sentence.with_controls, first=pair.FIRST.default, second=pair.SECOND.default)
_BUILT_IN = Call(batch.follow, pairs=batch.read_pairs(ROWS.default))
_PERCENT = {"probability": st.column_config.NumberColumn(format="percent")}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if NUMBER.value == MANY:
        return (ROWS,)
    return *pair.FIELDS, captions.Setting("topic of the control sentences", TOPIC), captions.changed("seed", SEED)


def show(models: Models) -> None:
    """Draw the choice between one pair and many; then the fields, and for each model the results."""
    st.segmented_control("Number of pairs", required=True, label_visibility="collapsed", **NUMBER.widget)
    if NUMBER.value == MANY:
        _many(models)
    else:
        _one(models)


def _one(models: Models) -> None:
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
    if NUMBER.value == MANY:
        raise ValueError(f"A question needs a single pair. Choose “{ONE}” to ask about it.")
    query = Call(next_sentence.pair_question, first=pair.FIRST.value.strip(), second=pair.SECOND.value.strip())
    return lambda choices: running.run(query.but(choices=tuple(choices)), models[0])


def _bars(result: NextSentence) -> None:
    shown.headline(result.headline)
    figures.show(charts.controls, result, name="next-sentence")
    page.caption(
        "The blue bar is the probability that the second sentence follows the first ([[next-sentence prediction]])."
        " Grey bars are [[control|controls]]: pairs in which the second sentence does not continue the first. Each dot"
        f" is one sentence: up to 200 random ones, and all that the corpus has on the same topic. {result.repetition}"
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
    query = Call(next_sentence.segments, first=answer.value.first, second=answer.value.second)
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


def _many(models: Models) -> None:
    """Draw the field for the pairs, and next to it for each model the share that is right, with all probabilities."""
    left, right = shown.fields_and_results(models)
    with left:
        entry.text_area(
            "Pairs (one per line: first | second | label)",
            height=250,
            help="Example: The train was late. | We missed the concert. | yes. The label says whether the second"
            " sentence really follows: yes or no. You can leave it out; then only the probabilities are shown.",
            **ROWS.widget,
        )
        problems = st.container()
        uploads.table("first, second and, optionally, label (yes or no)", "pairs-file", _read)
    with problems:
        found = uploads.pasted(batch.read, str(ROWS.value), "pairs-pasted", _read)
    if found is None:
        return
    query = Call(batch.follow, pairs=found)
    size = counted(len(found), "pair")
    if not long_work.may_begin(
        "pairs-many", f"Score {size}", query, models, lambda own: Call(batch.effort, pairs=own["pairs"])
    ):
        return
    with right, st.container(key="hero"):
        answers = running.ask(
            "many",
            query,
            models,
            _BUILT_IN,
            label=f"Scoring {size}",
            container=problems,
            prints=("headline", "correct", "labelled", "low", "high", "baseline", "above", "compared", "frame"),
        )
        if not answers:
            return
        for container in running.containers(answers):
            with container as answer:
                _scores(answer.value)


def _scores(result: Batch) -> None:
    shown.headline(result.headline)
    with st.container(horizontal=True):
        if result.labelled:
            st.metric(
                "Correct",
                f"{result.correct} of {result.labelled}",
                help="BERT is right if the probability is at least 50% for a pair labelled yes, or below 50% for a pair"
                " labelled no.",
            )
            st.metric(
                "95% interval", f"{rounded(result.low)} to {rounded(result.high)}", help=glossary.definition("interval")
            )
        if result.compared:
            st.metric(
                "Beats the shuffled pair",
                f"{result.above} of {result.compared}",
                help="This is a control. It counts the pairs in which the real second sentence is more likely than one"
                " taken from another pair.",
            )
    figures.show(charts.strips, result, name="many")
    page.caption(
        "Each mark is a pair. A mark further right means a higher probability that the second sentence follows the"
        " first ([[next-sentence prediction]]). Thick lines are means. In a shuffled pair, the second sentence comes"
        " from another pair."
    )


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    found = batch.read(source, columns)
    return uploads.Filled({ROWS.key: batch.write_pairs(found.value)}, counted(len(found.value), "pair"), found.notes)


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
