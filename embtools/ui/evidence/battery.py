"""The panel of a battery: an edit for many words, its rates next to those of the controls, and each case."""

from typing import Any

import streamlit as st

from embtools.charts.evidence import battery as charts
from embtools.evidence import battery, cases, files, relations, result
from embtools.evidence.result import Battery
from embtools.models.catalogue import BUNDLED
from embtools.ui import fields, figures, glossary, page, running, shown, state, texts, uploads
from embtools.ui import models as chosen_models
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.shown import Model, Models

TAB = "Battery"
OWN = "your own pairs"
_FIRST = relations.relation("capital")
RELATION = Choice("evidence_relation", _FIRST.title, {**relations.TITLES, "own": OWN})
PAIRS = Text("evidence_pairs", "", cases.MAX_CHARACTERS)
EDIT = Text("evidence_edit", relations.EDIT, 500)
SENTENCES = Text("evidence_sentences", "\n".join(_FIRST.sentences[:2]), 2_000)
STAY = Text("evidence_stay", _FIRST.must_stay[0], 2_000)
COUNT = Number("evidence_count", 40, 2, 200, 1)
OTHERS = Number("evidence_others", 3, 1, 200, 1)
SCOPE = Choice("evidence_scope", "input", ("input", "tied"))
STRENGTH = Number("evidence_strength", 1.0, -1.0, 2.0, 0.05)
OF = Choice("evidence_of", "all pairs", {"all": "all pairs", "correct": "pairs answered correctly before"})
CASE = Text("evidence_case", "", 200)
FIELDS = (RELATION, PAIRS, EDIT, SENTENCES, STAY, COUNT, OTHERS, SCOPE, STRENGTH, OF, CASE)
MOST_RUNS = 100_000
"""Forward passes that the page makes for one battery; the command line makes more."""


def _example(key: str) -> dict[str, Any]:
    """Return the fields of a built-in relation: its name and its sentences."""
    chosen = relations.relation(key)
    return {
        RELATION.key: chosen.title,
        SENTENCES.key: "\n".join(chosen.sentences[:2]),
        STAY.key: chosen.must_stay[0],
    }


PRESETS: dict[str, dict[str, Any]] = {
    "Capitals": {},
    "Capitals: only add the new country": {EDIT.key: "{a} = {a} + {c}"},
    "Languages": _example("language"),
    "Colours of things": _example("colour"),
    "Opposites": _example("opposite"),
    "Pronouns": _example("pronoun"),
}
FIRST = Call(
    battery.battery,
    pairs=_FIRST.pairs[: int(COUNT.default)],
    edit=EDIT.default,
    sentences=fields.lines(SENTENCES.default),
    must_stay=fields.lines(STAY.default),
    others=int(OTHERS.default),
)
_CAPTION = (
    " Blue squares: the edit changes the top answer to the new word c. Orange crosses: it does not. Grey circles: it"
    " does not, and the answer was already wrong without the edit. The words that fail most are on the left. Click a"
    " mark to see the case."
)


def show(models: Models) -> None:
    """Draw the fields, and for each model the headline, all cases, the rates and the case that was clicked."""
    problems = _bar()
    try:
        query = _query()
    except ValueError as error:
        with problems:
            texts.problem(error)
        return
    if not _may_begin(query, models, problems):
        if not _known(query, models[0]):
            return
        models = models[:1]  # its results need no work, so they do not wait for the second model
    answers = running.ask(
        "measured",
        _stopped(query, models[0]),
        models,
        FIRST,
        label="Running the battery",
        container=problems,
        prints=("headline", "findings", "rates", "rates_of_correct", "by_word", "cases"),
    )
    if not answers:
        return
    running.say(result.two_models, answers)
    for place in running.places(answers):
        with place as answer:
            _results(answer.value)
    st.segmented_control("Rates over", required=True, **OF.widget)
    for place in running.places(answers, part="more"):
        with place as answer:
            _rates(answer.value)
            _case(answer)
            _export(answer)


def _bar() -> Any:
    """Draw the fields; returns the container for errors."""
    relation, edit, count, others = st.columns([3, 4, 1, 1], gap="small", vertical_alignment="bottom")
    with relation:
        st.selectbox("Relation a → b", on_change=_relation_chosen, **RELATION.widget)
    with edit:
        st.text_input(
            "Edit",
            help="Placeholders: {a} is the word that is changed, {b} its own answer, and {c} the answer of another"
            " pair, which should become the new answer.",
            **EDIT.widget,
        )
    with count:
        st.number_input("Pairs", help="The first pairs of the list are tested.", **COUNT.widget)
    with others:
        st.number_input(
            "New words",
            help="Each pair is tested with this number of other words c, drawn at random. If there are not so many,"
            " all are used.",
            **OTHERS.widget,
        )
    if RELATION.value == OWN:
        st.text_area(
            "Pairs (one per line: a, b)",
            height=140,
            placeholder="Rome, Italy\nParis, France",
            help=f"At most {cases.MAX_PAIRS:,} pairs; the first {COUNT.high} or fewer are tested. Pairs in which a word"
            " is not a single token are left out.",
            **PAIRS.widget,
        )
    with figures.expander("sentences", "Sentences and settings", ":material/tune:") as opened:
        if opened:
            _sentences()
    return st.container()


def _sentences() -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.text_area(
            "Sentences whose answer should change (one per line)",
            height=110,
            help=f"With {{a}} and one [MASK]; at most {cases.MAX_SENTENCES}. The first sentence measures efficacy, the"
            " others paraphrase.",
            **SENTENCES.widget,
        )
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **SCOPE.widget)
    with right:
        st.text_area(
            "Sentences whose answer should stay (one per line)",
            height=110,
            help="With {a} and one [MASK]. They measure specificity. This can be empty.",
            **STAY.widget,
        )
        st.slider("Strength", help="0 is the original vector and 1 the result of the formula.", **STRENGTH.widget)
    similar = relations.similar_sentences((*fields.lines(SENTENCES.value), *fields.lines(STAY.value)))
    if similar:
        st.caption("The training text of the bundled model contains sentences similar to these:")
        st.text("\n".join(similar))
    uploads.table("a, b (other columns are ignored)", "evidence-file", _read)


def _relation_chosen() -> None:
    keys = {title: key for key, title in relations.TITLES.items()}
    if RELATION.value in keys:
        state.put(_example(keys[RELATION.value]))
    state.put({CASE.key: ""})


def _read(data: bytes) -> dict[str, Any]:
    return {PAIRS.key: cases.write_pairs(cases.from_csv(data)), RELATION.key: OWN, CASE.key: ""}


def _query() -> Call:
    """Return the query of the fields; raises ValueError for pairs that cannot be read."""
    if RELATION.value == OWN:
        pairs = cases.read_pairs(PAIRS.value)
    else:
        keys = {title: key for key, title in relations.TITLES.items()}
        pairs = relations.relation(keys[RELATION.value]).pairs
    return Call(
        battery.battery,
        pairs=pairs[: int(COUNT.value)],
        edit=str(EDIT.value),
        sentences=fields.lines(SENTENCES.value),
        must_stay=fields.lines(STAY.value),
        others=int(OTHERS.value),
        scope=SCOPE.value,
        strength=float(STRENGTH.value),
    )


def _known(query: Call, model: Model) -> bool:
    """Return whether an answer needs no work: it is in the cache, or it is the first one of the included model."""
    return (query == FIRST and model.name == BUNDLED) or (model.was_opened and running.known(query, model))


def _may_begin(query: Call, models: Models, problems: Any) -> bool:
    waiting = [model for model in models if not _known(query, model) and not running.refused(query, model)]
    if not waiting:
        return True
    model = models[0]
    named = {name: query[name] for name in ("pairs", "sentences", "must_stay", "others")}
    try:
        seconds = running.run(Call(battery.effort, **named), model)
        sentences = len(named["sentences"]) + len(named["must_stay"])
        runs = running.run(Call(battery.runs, pairs=query["pairs"], sentences=sentences, others=query["others"]), model)
        if runs > MOST_RUNS:
            raise ValueError(
                f"This battery has {runs:,} forward passes; this page makes at most {MOST_RUNS:,}. Use fewer pairs, new"
                " words or sentences, or the command line: python -m embtools.evidence"
            )
    except ValueError as error:
        with problems:
            texts.problem(error)
        return False
    seconds = running.of_all(seconds, models) - (0 if model in waiting else seconds)
    runs *= len(waiting)
    return running.requested("evidence-battery", f"Run {runs:,} forward passes", seconds, (models, query))


def _stopped(query: Call, model: Model) -> Call:
    """Return the query, or the part of it that is finished if the visitor has stopped it."""
    if not running.was_stopped(query, model):
        return query
    named = {name: value for name, value in query.arguments.items() if name != "first"}
    done = battery.finished_pairs(model=model.open(), **named)
    if not done:
        return query
    st.button(
        "Continue",
        icon=":material/play_arrow:",
        on_click=running.resume,
        args=(query, model),
        key="evidence-continue",
    )
    return query.but(first=done)


def _results(found: Battery) -> None:
    shown.headline(found.headline)
    clicks: dict[str, Any] = {"select": ("points",), "on_select": _click(f"cases{shown.suffix()}")}
    figures.show(charts.cases, found, name="cases", options=clicks)
    page.seen("Each mark is one case: a word a whose answer b should become c." + _CAPTION)
    for sentence in found.findings:
        st.text(sentence)


def _click(name: str) -> Any:
    def clicked() -> None:
        if (case := figures.clicked(name)) is not None:
            state.put({CASE.key: str(case)})

    return clicked


def _rates(found: Battery) -> None:
    figures.show(charts.rates, found, correct=OF.value != OF.default, name="rates")
    page.seen(
        "Efficacy: the top answer to the first sentence becomes c. Paraphrase: the same for the other sentences."
        " Specificity: answers that should not change stay the same. The lines are 95% intervals. For them, the words a"
        " and c are drawn again 1,000 times. An edit is only convincing if it does better than every"
        " [[control]]."
    )


def _case(answer: running.Answer[Battery]) -> None:
    """Draw the case that was clicked, with a link to Arithmetic."""
    words = str(CASE.value).split("|")
    if len(words) != 3 or (rows := answer.value.case(*words)).empty:
        return
    a, b, c = words
    st.subheader("Selected case", anchor=False)
    st.text(f"{a}: {b} → {c}")
    figures.table(
        rows.drop(columns=["a", "b", "c", "correct"]), name=f"case{shown.suffix()}", column_order=_order(rows)
    )
    query = answer.query
    if query["strength"] < 0:  # Arithmetic has no negative strengths
        return
    edit = cases.filled_edit(cases.read_edit(query["edit"]), a, b, c)
    address = {
        "arithmetic_text": cases.filled(query["sentences"][0], a),
        "arithmetic_edits": edit,
        "arithmetic_scope": query["scope"],
        "arithmetic_strength": f"{query['strength']:.10g}",
        chosen_models.MODEL.key: answer.model.name,
    }
    st.page_link(
        "pages/arithmetic.py",
        label="Open this case on Arithmetic",
        icon=":material/calculate:",
        query_params=address,
    )


def _export(answer: running.Answer[Battery]) -> None:
    """Draw an expander with all cases and their files."""
    with figures.expander("all-cases", "All cases and files", ":material/download:") as opened:
        if not opened:
            return
        frame = answer.value.cases
        figures.table(frame, name=f"all-cases{shown.suffix()}")

        def parquet() -> bytes:
            described = files.about(answer.model.open(), query=dict(answer.query.arguments))
            return files.encoded(frame, ".parquet", described=described)

        st.download_button(
            "Parquet",
            parquet,  # written when somebody downloads it
            "battery.parquet",
            "application/vnd.apache.parquet",
            key=f"parquet{shown.suffix()}",
            on_click="ignore",
            icon=":material/download:",
            help="Contains the settings, the checksum of the model and the version of this app in its metadata.",
        )


def _order(rows: Any) -> list[str]:
    first = ["condition", "sentence", "answer_before", "answer", "changed"]
    return [*first, *(name for name in rows.columns if name not in (*first, "a", "b", "c", "correct", "measure"))]
