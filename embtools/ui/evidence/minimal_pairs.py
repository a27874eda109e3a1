"""The panel of minimal pairs: two sentences token by token, and below them a battery of many pairs."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import evidence as charts
from embtools.evidence import minimal_pairs, pair_batteries, pair_files
from embtools.evidence.minimal_pairs import MAX_CHARACTERS as MAX_SENTENCE
from embtools.evidence.minimal_pairs import MAX_TOKENS, METHODS, TOKEN, MinimalPair
from embtools.evidence.pair_batteries import PairBattery, Scoring
from embtools.evidence.pair_files import ACCEPTABLE, MAX_BYTES, MAX_CHARACTERS, MAX_ITEMS, STEREOSET
from embtools.messages import counted
from embtools.rooms.question import Ask
from embtools.tables.columns import Chosen
from embtools.ui import captions, entry, figures, long_work, page, running, shown, state, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Minimal pairs"
FIRST_SENTENCE = Text("evidence_pair_first", "The keys to the old door are on the table.", MAX_SENTENCE)
SECOND_SENTENCE = Text("evidence_pair_second", "The keys to the old door is on the table.", MAX_SENTENCE)
_METHODS = dict(zip(METHODS, ("each token alone", "with the rest of its word", "shared tokens only"), strict=True))
METHOD = Choice("evidence_pair_method", _METHODS[METHODS[0]], _METHODS)
OWN_LIST = "your own pairs"
LIST = Choice("evidence_pair_list", "built-in pairs", {"builtin": "built-in pairs", "own": OWN_LIST})
PAIRS = Text("evidence_pair_own", "", MAX_CHARACTERS)
COUNT = Number("evidence_pair_count", 200, 1, MAX_ITEMS, 1)
PUBLISHED = Flag("evidence_pair_published", True)
_FILE = "evidence-pair-file"
_MANY_FIELDS = (LIST, PAIRS, COUNT, PUBLISHED)
FIELDS = (FIRST_SENTENCE, SECOND_SENTENCE, METHOD, *_MANY_FIELDS)
ASKED_ABOUT = (METHOD, *_MANY_FIELDS)
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
MANY_FIRST = Call(pair_batteries.pair_battery, pairs=pair_files.built_in(), how=Scoring(TOKEN, int(COUNT.default)))
DETAILS = (MANY_FIRST,)


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
    _many(models, call["method"])


def question(models: Models) -> Ask:
    """Ask a class about the many pairs."""
    result: PairBattery = running.run(_many_query(query()["method"]), models[0])
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


def _many(models: Models, method: str) -> None:
    """Draw the choice of a list; for each model the rates by group, and all pairs, which a click opens above."""
    st.subheader("Many pairs", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control("Pairs", required=True, **LIST.widget)
        entry.number_input(
            "Number of pairs",
            width=150,
            help="If the list is longer, a fixed random sample is scored (the same pairs every time).",
            **COUNT.widget,
        )
        _upload()
    if LIST.value == OWN_LIST:
        entry.text_area(
            "Your pairs (table: good,bad,phenomenon)",
            height=140,
            placeholder="good,bad,phenomenon\nThe dogs are here.,The dogs is here.,agreement",
            help=f"The first line names the columns. At most {MAX_ITEMS:,} pairs and {MAX_CHARACTERS:,} characters.",
            **PAIRS.widget,
        )
        if not str(PAIRS.value).strip():
            st.text("Write pairs of sentences or upload a file. The first line names the columns; see the example.")
            return
        uploads.pasted(pair_files.read, str(PAIRS.value), "evidence-pair-pasted", read_file, errors=False)
    problems = st.container()
    call = running.attempt(lambda: _many_query(method), problems)
    if call is None:
        return
    if call["pairs"].kind != ACCEPTABLE:
        st.toggle(
            "Published method",
            help="Score a file from CrowS-Pairs or StereoSet by the method of its authors. Otherwise, the method chosen"
            " above is used.",
            **PUBLISHED.widget,
        )
    if not long_work.may_begin("evidence-pair-battery", "Score all pairs", call, models, _many_effort):
        return
    answers = running.ask(
        "pair_rates",
        call,
        models,
        MANY_FIRST,
        label="Scoring all pairs",
        container=problems,
        within={"pairs": call["pairs"]},
        prints=("headline", "rates", "items"),
    )
    running.say(pair_batteries.two_pair_batteries, answers)
    for column in running.containers(answers):
        with column as answer:
            _many_results(answer, [each.value for each in answers])


def _many_query(method: str) -> Call:
    """Return the query of the fields; raises ValueError for pairs that cannot be read."""
    pairs = pair_files.read_pairs(str(PAIRS.value)) if LIST.value == OWN_LIST else pair_files.built_in()
    if PUBLISHED.value and pairs.kind != ACCEPTABLE:
        method = pair_batteries.PUBLISHED
    return Call(pair_batteries.pair_battery, pairs=pairs, how=Scoring(method, int(COUNT.value)))


def read_file(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    """Return the field values for an uploaded file or a pasted table: all of its pairs are scored."""
    found = pair_files.read(source, columns)
    values = {PAIRS.key: pair_files.write_csv(found.value), LIST.key: OWN_LIST, COUNT.key: len(found.value.rows)}
    return uploads.Filled(values, counted(len(found.value.rows), "pair"), found.notes)


def _many_effort(query: Call) -> Call:
    return Call(pair_batteries.effort, **query.complete)


def _upload() -> None:
    with uploads.popover("Upload a file", _FILE):
        st.caption(
            "A file from BLiMP (JSONL), CrowS-Pairs (CSV) or StereoSet (JSON), or a table (CSV, TSV, text or JSON) with"
            " the columns good, bad and, optionally, phenomenon. If they have other names, you choose which column is"
            " what. The file is read but not stored. It can"
            f" be up to {MAX_BYTES // 1_000_000} MB in size and contain up to {MAX_ITEMS:,} pairs."
        )
        uploads.field("File", uploads.TABLES, _FILE, read_file, most=MAX_BYTES)
    uploads.notes(_FILE)


def _many_results(answer: Answer[PairBattery], both: Sequence[PairBattery]) -> None:
    result = answer.value
    shown.headline(result.headline)
    about = (captions.Setting("pairs", LIST),)
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(charts.pair_rates, result, name="pair-rates", options={"about": about})
        page.caption(
            "Each circle is the share of pairs in which the first sentence has the higher score, a"
            " [[pseudo-log-likelihood]] unless another method is named below, with its 95% [[interval]]. The dashed"
            " line is chance, 50%."
        )
    with right:
        options = {"pick": _pick(result), "about": about, "table": False}
        figures.show(charts.pair_differences, result, beside=both, name="pair-differences", options=options)
        page.caption(
            "Each mark is a [[minimal pair]]. To the right of 0, the first sentence is preferred. Crosses mark the"
            " pairs in which it is not. Click a mark, or choose a row of the table, to see the tokens of that"
            " pair above."
        )
    for sentence in result.findings:
        st.text(sentence)
    if result.method_note:
        st.text(result.method_note)
    if result.kind == STEREOSET:
        st.text(result.three_scores)
        figures.show(charts.stereoset_scores, result, name="three-scores", options={"about": about})
        page.caption(
            "Three scores by group, with 95% [[confidence interval|intervals]] over the targets if there are at least"
            " 8. Ideal are 100 for the language model, 50 for stereotypes and 100 for ICAT, which combines both."
        )
    if result.kind != ACCEPTABLE:
        st.text("The stereotypes are those of the file. A rate near 50% does not show that a model is unbiased.")
    _pairs(answer)


def _pairs(answer: Answer[PairBattery]) -> None:
    result = answer.value
    with figures.expander("all-minimal-pairs", "All pairs and files", ":material/list:") as is_open:
        if is_open:
            name, title = f"minimal-pairs{shown.suffix()}", shown.described("All pairs with their scores")
            figures.rows(result.items, title, _pick(result).row, name=name, height=320)
            if len(result.left_out):
                st.text("Left out")
                figures.table(result.left_out, name=f"minimal-pairs-left-out{shown.suffix()}", height=160)
            scores = {} if result.scores is None else {"scores": result.scores}
            frames = {"pairs": result.items, "rates": result.rates, **scores}
            figures.files(frames, answer.query, answer.model, name="minimal-pairs")


def _pick(result: PairBattery) -> figures.Pick:
    """Return how a mark or a row of the table puts the sentences of its pair into the fields."""

    def choose(number: Any) -> None:
        rows = result.items[result.items["number"] == int(number)]
        if len(rows):
            state.put(_example(str(rows["first"].iloc[0]), str(rows["second"].iloc[0])))

    return figures.Pick(choose, lambda row: row["number"])


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
