"""The first tab of the Pairs page: does the second sentence follow the first?"""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.charts.pairs import following as charts
from embtools.pairs import following, segments, verdict
from embtools.pairs.following import Following
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.fields import Choice, Number
from embtools.ui.pairs import pair
from embtools.ui.share import Code

TAB = "Next sentence"
BY_WORDS = "by their words"
TOPIC = Choice("pairs_topic", BY_WORDS, (BY_WORDS, *following.topics()))
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


@dataclass(frozen=True)
class Sight:
    """A pair with its controls, and what is said of them."""

    result: Following
    finding: str
    alt: str


def first() -> tuple[str, str, str, int]:
    """What is asked at first."""
    return pair.FIRST.default, pair.SECOND.default, "", 0


def asked(first: str, second: str, topic: str, seed: int, *, model: Any, progress: Progress = silent) -> Sight:
    """The pair and its controls. Raises ValueError as `following.following` does."""
    result = following.following(first, second, model, topic=topic, seed=seed, progress=progress)
    return Sight(result, verdict.finding(result), charts.alt(result.summary))


def show(model: str, code: Code) -> None:
    """The two sentences; the bars; the settings and the segment ids in folds."""
    problems = pair.bar()
    topic = "" if TOPIC.value == BY_WORDS else TOPIC.value
    answer = jobs.ask(
        "pairs-following",
        asked,
        model,
        (pair.FIRST.value.strip(), pair.SECOND.value.strip(), topic, int(SEED.value)),
        first(),
        label="Reading the pair and its controls",
        place=problems,
    )
    if answer is None:
        return
    seen = answer.value
    with jobs.results(answer, "pairs-following", f"{answer.asked[0][:80]} | {answer.asked[1][:80]}"):
        _hero(seen)
    _settings(seen.result)
    fold = state.fold("asked", "Every pair that was asked", ":material/list:")
    if fold.open:
        with fold:
            figures.table(
                seen.result.runs,
                name="asked",
                column_config={"probability": st.column_config.NumberColumn(format="percent")},
            )
    code.add("following", *_code(answer.asked))
    code.drop("segments")
    fold = state.fold("segments", "Pieces and segment ids", ":material/looks_two:")
    if fold.open:
        with fold:
            _segments(model, seen.result, code)


def _hero(seen: Sight) -> None:
    result = seen.result
    st.header(texts.plain(seen.finding), anchor=False)
    figures.chart(
        cached.figure(charts.bars, result.runs, result.summary, result.topic),
        result.summary,
        name="following",
        alt=seen.alt,
    )
    page.seen(
        "The bar is the probability that the second sentence follows the first ([[next-sentence prediction]]); grey"
        " bars and dots are [[control|controls]] that do not continue it. " + verdict.again(result)
    )


def _settings(result: Following) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=320):
            st.selectbox(
                "Sentences on the same topic are about",
                help="The subjects of the built-in corpus. By their words: the one whose words have the most similar"
                " static embeddings.",
                **TOPIC.widget,
            )
        st.button(
            "Draw other sentences",
            icon=":material/casino:",
            on_click=state.put,
            args=({SEED.key: (int(SEED.value) + 1) % 10_000},),
            key="pairs-draw",
            help=glossary.definition("seed"),
        )
    if TOPIC.value == BY_WORDS:
        st.caption(f"Topic chosen by their words: {result.topic}." if result.topic else "No topic fits their words.")


def _segments(model: str, result: Following, code: Code) -> None:
    first, second = result.first, result.second
    page.seen(
        "A pair is read as [CLS] A [SEP] B [SEP]; the [[segment id]] says which sentence a piece belongs to. A single"
        " sentence has 0 in BERT's training; the text “Understanding BERT — Word Embeddings” gives it 1."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("The two sentences")
        figures.table(cached.compute(segments_of, model, first, second), name="pair-pieces")
    with right:
        st.caption("The first sentence alone")
        figures.table(
            cached.compute(alone, model, first),
            name="alone-pieces",
            column_config={"bert": "segment id (BERT)", "text": "segment id (the text)"},
        )
        code.add(
            "segments",
            "print(segments.pieces(first, second, model), segments.alone(first, model), sep='\\n')",
        )
        try:
            told = cached.compute(told_otherwise, model, first, second)
        except ValueError as error:
            st.text(str(error))
            return
        st.caption("The answer when BERT is told otherwise")
        figures.table(told, name="told", column_config={"probability": st.column_config.NumberColumn(format="percent")})
    code.add(
        "segments",
        "print(segments.pieces(first, second, model), segments.alone(first, model), sep='\\n')",
        "print(segments.told_otherwise(first, second, model))",
    )


def segments_of(first: str, second: str, *, model: Any) -> Any:
    """The pieces of a pair."""
    return segments.pieces(first, second, model)


def alone(sentence: str, *, model: Any) -> Any:
    """The pieces of one sentence."""
    return segments.alone(sentence, model)


def told_otherwise(first: str, second: str, *, model: Any) -> Any:
    """The pair under other segment ids."""
    return segments.told_otherwise(first, second, model)


def _code(question: tuple[Any, ...]) -> list[str]:
    first, second, topic, seed = question
    return [
        f"first, second = {first!r}, {second!r}",
        f"result = following.following(first, second, model, topic={topic!r}, seed={seed})",
        "print(verdict.finding(result), verdict.again(result), result.summary, result.runs, sep='\\n')",
    ]
