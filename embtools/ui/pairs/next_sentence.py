"""Panel for next-sentence prediction: the probability of one pair and of its controls, and segment ids."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.charts.pairs import next_sentence as charts
from embtools.pairs import next_sentence, segments, verdict
from embtools.pairs.next_sentence import NextSentence
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.fields import Choice, Number
from embtools.ui.pairs import pair
from embtools.ui.share import Code

TAB = "Next sentence"
BY_WORDS = "chosen automatically"
TOPIC = Choice("pairs_topic", BY_WORDS, (BY_WORDS, *next_sentence.topics()))
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
class View:
    """A pair with its controls, the headline and the alt text."""

    result: NextSentence
    headline: str
    alt: str


def first() -> tuple[str, str, str, int]:
    """The default query: first sentence, second sentence, topic, seed."""
    return pair.FIRST.default, pair.SECOND.default, "", 0


def score(first: str, second: str, topic: str, seed: int, *, model: Any, progress: Progress = silent) -> View:
    """Score a pair and its controls. Raises ValueError as `with_controls` does."""
    result = next_sentence.with_controls(first, second, model, topic=topic, seed=seed, progress=progress)
    return View(result, verdict.finding(result), charts.alt(result.summary))


def show(model: str, code: Code) -> None:
    """Draw the two sentences, the bars, the settings, and expanders with all pairs and the segment ids."""
    problems = pair.bar()
    topic = "" if TOPIC.value == BY_WORDS else TOPIC.value
    answer = jobs.ask(
        "pairs-next-sentence",
        score,
        model,
        (pair.FIRST.value.strip(), pair.SECOND.value.strip(), topic, int(SEED.value)),
        first(),
        label="Scoring the pair and its controls",
        place=problems,
    )
    if answer is None:
        return
    view = answer.value
    with jobs.results(answer, "pairs-next-sentence", f"{answer.asked[0][:80]} | {answer.asked[1][:80]}"):
        _chart(view)
    _settings(view.result)
    expander = state.fold("asked", "All pairs scored", ":material/list:")
    if expander.open:
        with expander:
            figures.table(
                view.result.runs,
                name="asked",
                column_config={"probability": st.column_config.NumberColumn(format="percent")},
            )
    code.add("next-sentence", *_code(answer.asked))
    code.drop("segments")
    expander = state.fold("segments", "Tokens and segment ids", ":material/looks_two:")
    if expander.open:
        with expander:
            _segments(model, view.result, code)


def _chart(view: View) -> None:
    result = view.result
    st.header(texts.plain(view.headline), anchor=False)
    figures.chart(
        cached.figure(charts.bars, result.runs, result.summary, result.topic),
        result.summary,
        name="next-sentence",
        alt=view.alt,
    )
    page.seen(
        "The blue bar is the probability that the second sentence follows the first ([[next-sentence prediction]])."
        " Grey bars are [[control|controls]]: pairs in which the second sentence does not continue the first. Each dot"
        " is one drawn sentence. " + verdict.again(result)
    )


def _settings(result: NextSentence) -> None:
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
            help="Draws other control sentences at random, on the same topic and on other topics.",
        )
    if TOPIC.value == BY_WORDS:
        st.caption(
            f"Topic chosen automatically: {result.topic}."
            if result.topic
            else "BERT knows none of the words, so there are no control sentences on the same topic."
        )


def _segments(model: str, result: NextSentence, code: Code) -> None:
    first, second = result.first, result.second
    page.seen(
        "BERT reads a pair as [CLS] A [SEP] B [SEP]. The [[segment id]] says which sentence a token belongs to. In"
        " BERT's training, a single sentence has the id 0; the article “Understanding BERT — Word Embeddings” gives it"
        " 1."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("The two sentences")
        figures.table(cached.compute(tokens, model, first, second), name="pair-tokens")
    with right:
        st.caption("Only the first sentence")
        figures.table(
            cached.compute(single_sentence, model, first),
            name="single-sentence-tokens",
            column_config={
                "segment": "segment id in BERT's training",
                "segment_in_article": "segment id in the article",
            },
        )
        code.add(
            "segments",
            "print(segments.tokens(first, second, model), segments.single_sentence(first, model), sep='\\n')",
        )
        try:
            others = cached.compute(other_segments, model, first, second)
        except ValueError as error:
            st.text(str(error))
            return
        st.caption("Next-sentence probability with other segment ids")
        figures.table(
            others,
            name="other-segments",
            column_config={"probability": st.column_config.NumberColumn(format="percent")},
        )
    code.add(
        "segments",
        "print(segments.tokens(first, second, model), segments.single_sentence(first, model), sep='\\n')",
        "print(segments.other_segments(first, second, model))",
    )


def tokens(first: str, second: str, *, model: Any) -> Any:
    """The tokens of a pair."""
    return segments.tokens(first, second, model)


def single_sentence(sentence: str, *, model: Any) -> Any:
    """The tokens of one sentence."""
    return segments.single_sentence(sentence, model)


def other_segments(first: str, second: str, *, model: Any) -> Any:
    """Next-sentence probability of the pair with other segment ids."""
    return segments.other_segments(first, second, model)


def _code(query: tuple[Any, ...]) -> list[str]:
    first, second, topic, seed = query
    return [
        f"first, second = {first!r}, {second!r}",
        f"result = next_sentence.with_controls(first, second, model, topic={topic!r}, seed={seed})",
        "print(verdict.finding(result), verdict.again(result), result.summary, result.runs, sep='\\n')",
    ]
