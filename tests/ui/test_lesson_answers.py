"""What lessons can ask: every reading is computed from the fields, and agrees with the library's own functions."""

import numpy as np
import pytest

import embtools
from embtools import fill_mask, nearest, next_sentence, similarity_matrix
from embtools.lessons.guesses import right_choice
from embtools.mask_filling.relations import EDIT, relation
from embtools.tracing.average import average
from embtools.ui import fields, lesson_answers, menu, panels, stoppable
from embtools.ui.lesson_answers import Reading
from embtools.ui.lessons import shown_panel
from embtools.ui.shown import Model

ALL = [
    (each.name, tab, name)
    for each in menu.IDEAS
    for tab in panels.of(each.name)
    for name in lesson_answers.of(each.name, tab)
]
NEEDS = {  # readings for which the defaults have no answer
    ("similarity", "heatmap"): "similarity_first=red&similarity_second=blue",
    ("similarity", "odd"): "similarity_odd=apple, car, banana",
    ("attention", "words"): "attention_versus=street",
}

PROMISED = {  # lessons that teachers have saved name these readings
    "arithmetic/edit": "top before changed probability control",
    "arithmetic/formula": "nearest nearest-other",
    "similarity/heatmap": "closest cosine above-random",
    "similarity/odd": "pick",
    "clusters/map": "kept in-order in-group groups",
    "bias/sentence": "most-changed",
    "bias/occupations": "first-group second-group",
    "bias/association": "clear effect",
    "inputs/terms": "same cosine",
    "inputs/lookup": "dimensions tokens probability",
    "attention/words": "share more special",
    "attention/attribution": "needed attended agree",
    "layers/word": "clear input best",
    "pairs/next": "probability unlike-random swapped",
    "pairs/similarity": "above-random",
    "evidence/battery": "rate low paraphrase specificity control correct reached",
    "tracing/map": "layer halfway changed",
    "tracing/components": "head without-heads without-attention",
    "tracing/average": "stays random other smaller",
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a page there is no progress bar."""
    monkeypatch.setattr(stoppable, "PATIENCE", 1e9)


def answer(address: str, name: str):  # type: ignore[no-untyped-def]
    panel = shown_panel.of(address)
    with fields.given(panel.values):
        return panel.readings[name].read(Model("bundled"))


@pytest.mark.parametrize("kind", ["word", "yes or no", "number"])
def test_every_reading_of_a_kind_has_an_answer_of_that_kind(kind: str, bundled) -> None:  # type: ignore[no-untyped-def]
    small = {
        "occupations": "bias_words=nurse, engineer, doctor, teacher", "battery": "evidence_count=6&evidence_others=1",
        "average": "tracing_capitals=4",
    }  # fmt: skip
    for name, tab, reading in ALL:
        found = lesson_answers.of(name, tab)[reading]
        if found.kind == kind:
            more = NEEDS.get((name, tab)) or small.get(tab, "")
            value = answer(f"{name}?{name}_tab={tab}&{more}" if len(panels.of(name)) > 1 else f"{name}?{more}", reading)
            assert isinstance(value, {"word": str, "yes or no": bool, "number": float}[kind]), (
                name,
                tab,
                reading,
                value,
            )
            assert found.written(value) and found.label[0].isupper() and not found.label.endswith(".")


def test_answers_about_masks_are_those_of_fill_mask(bundled) -> None:  # type: ignore[no-untyped-def]
    text, edit = "Madrid is the capital of [MASK].", "madrid = madrid - spain + france"
    plain, edited = fill_mask(text, bundled, k=1).iloc[0], fill_mask(text, bundled, k=1, edits=[edit]).iloc[0]
    address = f"arithmetic?arithmetic_text={text}&arithmetic_edits={edit.replace('+', '%2B')}"
    assert answer(address, "before") == plain["token"] and answer(address, "top") == edited["token"]
    assert answer(address, "changed") is (plain["token"] != edited["token"])
    assert answer(address, "probability") == pytest.approx(100 * edited["probability"], rel=1e-4)


def test_answers_about_formulas_and_words_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    address = "arithmetic?arithmetic_tab=formula&arithmetic_formula=paris - france %2B italy"
    near = nearest("paris - france + italy", bundled, k=5)["token"]
    assert answer(address, "nearest") == near[0]
    assert answer(address, "nearest-other") == next(word for word in near if word not in ("paris", "france", "italy"))
    words = ["good", "bad", "great", "table"]
    cosines = similarity_matrix(words, bundled)
    address = "similarity?similarity_words=good,bad,great,table&similarity_first=good&similarity_second=great"
    assert answer(address, "closest") == words[1 + int(np.argmax(cosines[0, 1:]))]
    assert answer(address, "cosine") == pytest.approx(cosines[0, 2], abs=1e-5)


def test_answers_about_pairs_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    first, second = "He poured the milk into a glass.", "Then he drank it."
    address = f"pairs?pairs_first={first}&pairs_second={second}"
    assert answer(address, "probability") == pytest.approx(100 * next_sentence(first, second, bundled), rel=1e-4)
    assert answer(address, "swapped") == pytest.approx(100 * next_sentence(second, first, bundled), rel=1e-4)


def test_answers_about_batteries_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    chosen, address = relation("young"), "evidence?evidence_relation=own&evidence_others=1"
    pairs, sentence, stay = chosen.pairs[:10], "Each baby {a} is a [MASK].", "A {a} is a kind of [MASK]."
    given = {"sentences": (chosen.sentences[0], sentence), "must_stay": (stay,), "others": 1}
    result = embtools.battery(pairs, bundled, edit=EDIT, **given)
    lines = "%0A".join(f"{a}, {b}" for a, b in pairs)
    address += f"&evidence_pairs={lines}&evidence_sentences={chosen.sentences[0]}%0A{sentence}&evidence_stay={stay}"
    rates = result.rates.set_index(["measure", "condition"])["rate"] * 100
    controls = rates["efficacy"].drop("edit")
    for name, measure in (("rate", "efficacy"), ("paraphrase", "paraphrase"), ("specificity", "specificity")):
        assert answer(address, name) == pytest.approx(rates[measure, "edit"])
    assert answer(address, "control") == pytest.approx(controls.max())
    assert answer(address, "reached") is bool(controls.max() >= rates["efficacy", "edit"])
    right = [fill_mask(chosen.sentences[0].replace("{a}", a), bundled, k=1)["token"].item() == b for a, b in pairs]
    assert answer(address, "correct") == pytest.approx(100 * np.mean(right))
    with pytest.raises(ValueError, match="no sentence that measures paraphrase"):
        answer(address.replace(f"%0A{sentence}", ""), "paraphrase")


def test_answers_about_traces_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    texts = "The capital of France is [MASK].", "The capital of Poland is [MASK]."
    address = f"tracing?tracing_compare=sentences&tracing_text={texts[0]}&tracing_second={texts[1]}"
    frame = embtools.trace(texts[0], bundled, second_text=texts[1])
    shares = frame.pivot(index="layer", columns="position", values="sufficiency")
    words = frame.drop_duplicates("position").set_index("position")["token"]
    assert answer(address, "halfway") == words[shares.loc[3].idxmax()]
    mask = shares[words[words == "[MASK]"].index[0]].to_numpy()
    assert answer(address, "layer") == np.diff(mask).argmax() + 1
    tops = [fill_mask(text, bundled, k=1)["token"].item() for text in texts]
    assert answer(address, "changed") is (tops[0] != tops[1])
    heads = embtools.trace_heads(texts[0], bundled, second_text=texts[1])
    address += "&tracing_tab=components"
    assert answer(address, "head") == pytest.approx(100 * heads["sufficiency"].max(), rel=1e-4)
    assert answer(address, "without-heads") is bool((heads["first_answer"] != heads["second_answer"]).all())
    result = average(relation("capital").pairs, bundled, count=4, seed=2)
    address = "tracing?tracing_tab=average&tracing_capitals=4&tracing_seed=2"
    shares = result.effects["share"] * 100
    assert [answer(address, name) for name in ("random", "other")] == pytest.approx(shares[1:].tolist(), rel=1e-4)
    assert answer(address, "stays") == pytest.approx(100 * result.layers["stays"].item(), rel=1e-4)
    best = result.heads.iloc[0]
    assert answer(address, "smaller") is bool(best["sufficiency"] < best["selected"])


def test_fields_of_a_visitor_do_not_change_the_answer(bundled) -> None:  # type: ignore[no-untyped-def]
    field = panels.of("pairs")["next"].FIELDS[0]
    with fields.given({field.key: "other"}):
        assert field.value == "other"
        with fields.given({}):
            assert field.value == field.default
    assert field.value == field.default


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [("", "italy", "italy"), ("", True, "yes"), ("", False, "no"), ("", 384.0, "384"), ("", -0.357, "−0.36"),
     ("%", 79.1, "79%"), ("%", 7.88, "7.9%"), ("", 30522.0, "30,522")],
)  # fmt: skip
def test_an_answer_is_written_for_people(unit: str, value: str | bool | float, text: str) -> None:
    assert Reading("Label", "number", lambda model: value, unit).written(value) == text
    assert right_choice((), value) is None


def test_promised_readings_stay() -> None:
    """New readings are welcome; none that saved lessons may name can go."""
    for panel, names in PROMISED.items():
        assert set(names.split()) <= set(lesson_answers.of(*panel.split("/"))), panel
