"""The cases of the Evidence page: relation or own pairs, edit, sentences, and what is known about them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.mask_filling import cases, pairs, relations
from embtools.mask_filling.experiments import Cases
from embtools.mask_filling.training_overlap import similar_wordings, trained_relations
from embtools.messages import counted
from embtools.models.catalogue import BUNDLED
from embtools.tables.columns import Chosen
from embtools.ui import captions, entry, fields, figures, glossary, running, state, texts, trained, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Field, Number, Text
from embtools.ui.shown import Model, Models

OWN = "your own pairs"
FIRST = relations.relation("capital")
RELATION = Choice("evidence_relation", FIRST.title, {**relations.TITLES, "own": OWN})
PAIRS = Text("evidence_pairs", "", pairs.MAX_CHARACTERS)
EDIT = Text("evidence_edit", relations.EDIT, 500)
SENTENCES = Text("evidence_sentences", "\n".join(FIRST.sentences[:2]), 2_000)
STAY = Text("evidence_stay", FIRST.must_stay[0], 2_000)
COUNT = Number("evidence_count", 40, 2, pairs.MAX_PAIRS, 1)
CASE = Text("evidence_case", "", 200)
FIELDS: tuple[Field, ...] = (RELATION, PAIRS, EDIT, SENTENCES, STAY)
"""The fields that several tabs share."""
KEYS = {title: key for key, title in relations.TITLES.items()}


def example(key: str) -> dict[str, Any]:
    """Return the fields of a built-in relation: its name and its sentences."""
    chosen = relations.relation(key)
    return {
        RELATION.key: chosen.title,
        SENTENCES.key: "\n".join(chosen.sentences[:2]),
        STAY.key: chosen.must_stay[0],
    }


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names of the shared fields."""
    own = (PAIRS,) if RELATION.value == OWN else ()
    return EDIT, SENTENCES, STAY, *own, captions.Setting("relation", RELATION)


def given(count: Number, others: Number) -> Cases:
    """Return the cases of the fields; raises ValueError for pairs that cannot be read."""
    listed = pairs.read_pairs(PAIRS.value) if RELATION.value == OWN else KEYS[RELATION.value]
    numbers = {"others": int(others.value), "first": int(count.value)}
    return Cases(listed, str(EDIT.value), _distinct(SENTENCES), _distinct(STAY), **numbers)


def first_sentence(cases: Cases) -> Cases:
    """Return the cases with only the first sentence, for a question to a class. Raises ValueError for no sentence."""
    if not cases.sentences:
        raise ValueError("Write at least one sentence.")
    return replace(cases, sentences=cases.sentences[:1], must_stay=())


def first(count: Number, others: Number) -> Cases:
    """Return the cases of the fields' defaults."""
    sentences, stay = fields.lines(SENTENCES.default), fields.lines(STAY.default)
    return Cases(FIRST.key, EDIT.default, sentences, stay, others=int(others.default), first=int(count.default))


def _distinct(field: Text) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fields.lines(field.value)))


def usable(query: Call, model: Model) -> bool:
    """Return whether the edit and the sentences can be used, before work on them is offered."""
    try:
        running.run(Call(cases.known_edit, edit=query["cases"].edit), model)
        query["cases"].read()
    except ValueError:
        return False
    return True


def bar(count: Number, others: Number) -> Any:
    """Draw the fields, with those of a tab for the numbers of pairs and new words; returns the container for errors."""
    with st.container(key="evidence-bar"):
        first, second, third, upload, fourth = st.columns([6, 5, 2, 4, 2], gap="small", vertical_alignment="bottom")
    with first:
        st.selectbox("Relation a → b", on_change=_relation_chosen, **RELATION.widget)
    with second:
        entry.text_input(
            "Edit",
            help="Placeholders: {a} is the word that is changed, {b} the answer that belongs to {a}, and {c} the"
            " answer of another pair, which should become the new answer.",
            **EDIT.widget,
        )
        uploads.say(*filter(None, [cases.same_as_writing(EDIT.value)]))
    with third:
        entry.number_input(
            "Pairs",
            help="Tests a random sample of the relation or of your list, always the same. The new words are drawn from"
            " all pairs.",
            **count.widget,
        )
    with upload:
        uploads.table("a, b (other columns are ignored)", "evidence-file", read_file)
    with fourth:
        entry.number_input(
            "New words",
            help="Each pair is tested with this number of other words c, drawn at random. If there are fewer, all"
            " of them are used.",
            **others.widget,
        )
    if RELATION.value == OWN:
        entry.text_area(
            "Pairs (one per line: a, b)",
            height=140,
            placeholder="Rome, Italy\nParis, France",
            help=f"At most {pairs.MAX_PAIRS:,} pairs and {pairs.MAX_CHARACTERS:,} characters. Pairs in which a word is"
            " not a single token are left out; the page says which.",
            **PAIRS.widget,
        )
        uploads.pasted(pairs.read, str(PAIRS.value), "evidence-pasted", read_file, errors=False)
    return st.container()


def sentences(settings: Callable[[], None] | None = None) -> None:
    """Draw the expander with the sentences and the tab's own `settings()`, if it has any."""
    own = RELATION.value == OWN
    if own:  # always in sight, because the sentences of a built-in relation seldom fit
        _sentences()
        if not settings:
            return
    label = "Advanced settings" if own else "Sentences and settings"
    with figures.expander("sentences", label, ":material/tune:") as opened:
        if not opened:
            return
        if not own:
            _sentences()
        if settings:
            settings()
        _left_out()


def _sentences() -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        entry.text_area(
            "Sentences whose answer should change (one per line)",
            height=110,
            help=f"Each needs {{a}} and one [MASK]; at most {cases.MAX_SENTENCES} sentences. The first one measures"
            " efficacy, the others measure paraphrase.",
            once="sentence",
            **SENTENCES.widget,
        )
    with right:
        entry.text_area(
            "Sentences whose answer should stay the same (one per line)",
            height=110,
            help=f"Each needs {{a}} and one [MASK]; at most {cases.MAX_SENTENCES} sentences. They measure"
            " specificity. You can leave this empty.",
            once="sentence",
            **STAY.widget,
        )


def scope_and_strength(scope: Choice, strength: Number) -> None:
    """Draw the fields for scope and strength."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.segmented_control("Scope", required=True, help=glossary.definition("scope"), **scope.widget)
    with right:
        st.slider("Strength", help="0 is the original vector and 1 the result of the formula.", **strength.widget)


def read_file(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    """Return the field values for an uploaded file or a pasted table: all of its pairs are tested."""
    found = pairs.read(source, columns)
    count = max(int(COUNT.low), len(found.value))
    values = {PAIRS.key: pairs.write_pairs(found.value), RELATION.key: OWN, COUNT.key: count, CASE.key: ""}
    return uploads.Filled(values, counted(len(found.value), "pair"), found.notes)


def _relation_chosen() -> None:
    if RELATION.value in KEYS:
        state.put(example(KEYS[RELATION.value]))
    state.put({CASE.key: ""})


def trained_on(models: Models) -> None:
    """Say below the results what the bundled model was trained on."""
    if not any(model.name == BUNDLED for model in models):
        return
    similar = similar_wordings((*fields.lines(SENTENCES.value), *fields.lines(STAY.value)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="evidence-trained"):
        if KEYS.get(RELATION.value) in trained_relations():
            trained.badge()
        if similar:
            one = "1 sentence resembles" if len(similar) == 1 else f"{len(similar)} sentences resemble"
            st.caption(
                f"{one} training sentences: {texts.plain(', '.join(f'“{wording}”' for wording in similar))}",
                help=texts.plain("Training sentences: " + " ".join(dict.fromkeys(similar.values()))),
            )


def _left_out() -> None:
    """Name the pairs of a word list that are no part of the built-in relation."""
    if RELATION.value not in KEYS or not (found := relations.relation(KEYS[RELATION.value]).left_out):
        return
    reasons: dict[str, list[str]] = {}
    for a, _, reason in found:
        reasons.setdefault(reason, []).append(a)
    parts = "; ".join(f"{', '.join(words)} ({reason})" for reason, words in reasons.items())
    st.text(f"Not in this relation: {parts}.")
