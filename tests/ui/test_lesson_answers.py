"""What lessons can ask: every reading is computed from the fields, and agrees with the library's own functions."""

import numpy as np
import pytest

import embtools
from embtools import fill_mask, nearest, next_sentence, similarity_matrix
from embtools.clusters.isotropy.population import STATIC
from embtools.clusters.isotropy.spaces import measure_spaces
from embtools.concepts import Probes
from embtools.concepts.direction import find_direction
from embtools.concepts.layer_probes import probe_layers
from embtools.evidence import Cases
from embtools.evidence.minimal_pairs import minimal_pair
from embtools.features.mixes import decompose_word
from embtools.layers.similar_layers import layer_similarity
from embtools.lessons.guesses import right_choice
from embtools.lessons.lesson import Choice, Step
from embtools.mask_filling.relations import EDIT, relation
from embtools.spaces.space import Space
from embtools.statistics.geometry import cka
from embtools.tracing.averages import average
from embtools.tracing.cases import DrawnCases
from embtools.tracing.components import trace_components
from embtools.ui import fields, menu, panels
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading
from embtools.ui.lessons import shown_panel
from embtools.ui.shown import Model
from tests.concepts.lists import FEMALE, MALE

pytestmark = pytest.mark.usefixtures("as_shipped", "patient")

ALL = [
    (page.name, tab, name)
    for page in menu.IDEAS
    for tab, panel in panels.of(page.name).items()
    for name in getattr(panel, "READINGS", {})
]
NEEDS = {  # readings for which the defaults have no answer
    ("similarity", "heatmap"): "similarity_first=red&similarity_second=blue",
    ("similarity", "odd"): "similarity_odd=apple, car, banana",
    ("attention", "words"): "attention_versus=street",
}

PROMISED = {  # lessons that teachers have saved name these readings
    "arithmetic/edit": "top before changed probability control",
    "arithmetic/analogies": "nearest nearest-other",
    "similarity/heatmap": "closest cosine above-random",
    "similarity/odd": "pick",
    "clusters/map": "kept in-order in-group groups",
    "bias/sentence": "most-changed",
    "bias/occupations": "first-group second-group",
    "bias/association": "clear effect",
    "inputs/terms": "same cosine",
    "inputs/lookup": "dimensions tokens probability",
    "attention/words": "share more special",
    "tracing/attribution": "needed attended agree",
    "layers/word": "clear input best",
    "layers/similarity": "ends neighbours",
    "pairs/next": "probability unlike-random swapped",
    "pairs/similarity": "above-random",
    "evidence/battery": "rate low paraphrase specificity control correct reached",
    "evidence/minimal": "first difference decides",
    "concepts/probe": "accuracy guessing input control layer",
    "concepts/direction": "accuracy shuffled clear",
    "features/word": "heaviest words explained",
    "clusters/isotropy": "before after",
    "tracing/map": "layer halfway changed",
    "tracing/components": "head without-heads without-attention lost",
    "tracing/average": "stays random other set-aside",
}


def empty() -> tuple[()]:
    """A result of which nothing is read."""
    return ()


def nothing(_: Model) -> Call:
    """The query of a reading that does not depend on its result."""
    return Call(empty)


def answer(address: str, name: str):  # type: ignore[no-untyped-def]
    panel = shown_panel.of(address)
    with fields.given(panel.values):
        return panel.readings[name].read(Model("bundled"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["word", "yes or no", "number"])
def test_every_reading_of_a_kind_has_an_answer_of_that_kind(kind: str, bundled) -> None:  # type: ignore[no-untyped-def]
    small = {
        "occupations": "bias_words=nurse, engineer, doctor, teacher", "battery": "evidence_count=6&evidence_others=1",
        "average": "tracing_capitals=4",
    }  # fmt: skip
    for name, tab, reading in ALL:
        found = panels.of(name)[tab].READINGS[reading]
        if found.kind == kind:
            more = NEEDS.get((name, tab)) or small.get(tab, "")
            value = answer(f"{name}?{name}_tab={tab}&{more}" if len(panels.of(name)) > 1 else f"{name}?{more}", reading)
            expected = {"word": str, "yes or no": bool, "number": float}[kind]
            assert isinstance(value, expected), (name, tab, reading, value)
            assert found.written(value) and found.label[0].isupper() and not found.label.endswith(".")


@pytest.mark.slow
def test_answers_about_masks_are_those_of_fill_mask(bundled) -> None:  # type: ignore[no-untyped-def]
    text, edit = "Madrid is the capital of [MASK].", "madrid = madrid - spain + france"
    plain, edited = fill_mask(text, bundled, k=1).iloc[0], fill_mask(text, bundled, k=1, edits=[edit]).iloc[0]
    address = f"arithmetic?arithmetic_text={text}&arithmetic_edits={edit.replace('+', '%2B')}"
    assert answer(address, "before") == plain["token"] and answer(address, "top") == edited["token"]
    assert answer(address, "changed") is (plain["token"] != edited["token"])
    assert answer(address, "probability") == pytest.approx(100 * edited["probability"], rel=1e-4)


@pytest.mark.slow
def test_answers_about_formulas_and_words_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    address = "arithmetic?arithmetic_tab=analogies&arithmetic_formula=paris - france %2B italy"
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


@pytest.mark.slow
def test_answers_about_batteries_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    chosen, address = relation("young"), "evidence?evidence_relation=own&evidence_others=1"
    pairs, sentence, stay = chosen.pairs[:10], "Each baby {a} is a [MASK].", "A {a} is a kind of [MASK]."
    given = {"sentences": (chosen.sentences[0], sentence), "must_stay": (stay,), "others": 1}
    result = embtools.battery(Cases(pairs, EDIT, **given), bundled)
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


@pytest.mark.slow
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
    blocked = trace_components(texts[0], bundled, second_text=texts[1])
    assert answer(address, "lost") == pytest.approx(100 * blocked.knockouts.set_index("layer")["knockout"]["all"])
    assert f"({answer(address, 'lost'):.0f}% of the effect is lost)" in blocked.knockout_sentence
    result = average(DrawnCases("capital", count=4, seed=2), bundled)
    address = "tracing?tracing_tab=average&tracing_capitals=4&tracing_seed=2"
    shares = result.effects["share"] * 100
    assert [answer(address, name) for name in ("random", "other")] == pytest.approx(shares[1:].tolist(), rel=1e-4)
    assert answer(address, "stays") == pytest.approx(100 * result.layers["stays"].item(), rel=1e-4)
    best = result.heads.iloc[0]
    assert answer(address, "set-aside") == pytest.approx(100 * best["sufficiency"], rel=1e-4)


def test_answers_about_layers_and_minimal_pairs_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    lines = [f"The {word} stood near the old house of my uncle." for word in ("king", "dog", "horse", "tree")]
    address = "layers?layers_tab=similarity&layers_similarity_text=" + "%0A".join(lines)
    vectors = layer_similarity(lines, bundled).vectors
    assert answer(address, "ends") == pytest.approx(cka(vectors[:1], vectors[-1:]).item(), abs=1e-4)
    steps = [cka(vectors[i : i + 1], vectors[i + 1 : i + 2]).item() for i in range(bundled.layers)]
    assert answer(address, "neighbours") == pytest.approx(min(steps), abs=1e-4)
    first, second = "The dogs are here.", "The dogs is here."
    address = f"evidence?evidence_tab=minimal&evidence_pair_first={first}&evidence_pair_second={second}"
    tokens = minimal_pair(first, second, bundled).tokens
    differences = tokens["log_probability_first"] - tokens["log_probability_second"]
    assert answer(address, "difference") == pytest.approx(differences.sum())
    assert answer(address, "first") is bool(differences.sum() > 0)
    assert answer(address, "decides") == tokens["first"][(differences * np.sign(differences.sum())).idxmax()]


@pytest.mark.slow
def test_answers_about_probes_and_directions_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    found = probe_layers(Probes("tense", "mean of tokens", "never seen", 0.01), bundled)
    address = "concepts?concepts_task=tense"
    assert answer(address, "accuracy") == pytest.approx(100 * found.accuracy.best_held_out[0])
    assert answer(f"{address}&concepts_measure=description-length", "guessing") == pytest.approx(100 * found.baseline)
    assert answer(f"{address}&concepts_probe_layer=2", "accuracy") == pytest.approx(100 * found.table["accuracy"][2])
    assert answer(address, "input") == pytest.approx(100 * found.table["accuracy"][0])
    assert answer(address, "control") == pytest.approx(100 * found.table["control"][found.layer])
    assert answer(address, "layer") == found.table["accuracy"].idxmax()
    direction = find_direction(MALE, FEMALE, bundled, layer=2)
    groups = f"concepts_first={', '.join(MALE)}&concepts_second={', '.join(FEMALE)}"
    address = f"concepts?concepts_tab=direction&{groups}&concepts_layer=2"
    assert answer(address, "accuracy") == pytest.approx(100 * direction.row["accuracy"])
    assert answer(address, "shuffled") == pytest.approx(100 * np.mean(direction.shuffled))
    assert answer(address, "clear") is bool(direction.p <= 0.05)


@pytest.mark.slow
def test_answers_about_mixes_and_spaces_are_those_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    mix = decompose_word("warm", bundled)
    address = "features?features_tab=word&features_word=warm"
    assert answer(address, "heaviest") == mix.parts.words["word"][0]
    assert answer(address, "words") == mix.parts.table["word"].nunique()
    assert answer(address, "explained") == pytest.approx(100 * mix.parts.explained)
    measured = measure_spaces(STATIC, bundled, space=Space("centred"))
    row = measured.table.set_index("measure").loc["mean cosine of random pairs"]
    address = "clusters?clusters_tab=isotropy&clusters_isotropy_space=centred"
    before, after = answer(address, "before"), answer(address, "after")
    assert (before, after) == pytest.approx(tuple(row.iloc[:2])) and abs(after) < 0.01 < before


def test_fields_of_a_visitor_do_not_change_the_answer(bundled) -> None:  # type: ignore[no-untyped-def]
    field = panels.of("pairs")["next"].FIELDS[0]
    with fields.given({field.key: "other"}):
        assert field.value == "other"
        with fields.given({}):
            assert field.value == field.default
    assert field.value == field.default


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [("", "italy", "italy"), ("", True, "yes"), ("", -0.357, "−0.36"), ("%", 79.1, "79%"), ("%", 7.88, "7.9%"),
     ("%", 9.96, "10%"), (" nats", 2.0, "2.00 nats")],
)  # fmt: skip
def test_an_answer_is_written_for_people(unit: str, value: str | bool | float, text: str) -> None:
    assert Reading(nothing, "Label", "number", "it", unit).written(value) == text
    assert right_choice((), value) is None
    assert Reading(nothing, "Label", "number", "it", digits=0).written(30522.0) == "30,522"


@pytest.mark.parametrize(
    ("value", "keys", "unit", "written", "right"),
    [
        (49.589, ("20..50", "50..80"), "%", "50%", 1),
        (49.4, ("20..50", "50..80"), "%", "49%", 0),
        (9.96, ("..10", "10.."), "%", "10%", 1),
        (0.8951, ("..0.9", "0.9.."), "", "0.90", 1),
    ],
)
def test_the_right_range_contains_the_number_that_is_displayed(  # type: ignore[no-untyped-def]
    value: float, keys: tuple[str, ...], unit: str, written: str, right: int, monkeypatch
) -> None:
    share = value / 100 if unit == "%" else value
    reading = Reading(nothing, "Label", "number", lambda _: np.float32(share), unit)
    monkeypatch.setitem(panels.of("pairs")["next"].READINGS, "it", reading)
    step = Step("A", "", "pairs", "What?", "it", tuple(Choice(key, key) for key in keys))
    solved = shown_panel.solve(step, shown_panel.of("pairs"), "bundled")
    assert (solved.written, solved.right) == (written, right)


def test_promised_readings_stay() -> None:
    """New readings are welcome; none that saved lessons may name can go."""
    for panel, names in PROMISED.items():
        page, tab = panel.split("/")
        assert set(names.split()) <= set(panels.of(page)[tab].READINGS), panel
