"""The studies: means, correlations and divergences against plain computations and scipy, their sentences and their chart."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr

from embtools import wordlists
from embtools.chance import LARGEST_SEED
from embtools.charts import paper as charts
from embtools.mask_filling.cases import plan
from embtools.mask_filling.edits import Change, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.mask_filling.relations import relation
from embtools.paper import study_of_averages, study_of_colours
from embtools.paper.claims import claims
from embtools.paper.studies import MEASURES, study
from embtools.paper.study_of_averages import ADVANTAGE, AVERAGE, BETWEEN, GAIN, MIXED, averages
from embtools.paper.study_of_colours import BOTH, LOOKS, MORE, USE, colour_uses, spearman
from embtools.paper.study_of_ties import (
    COSINES,
    EXCESSES,
    OTHER_CAPITAL,
    OTHER_CONTINENT,
    OWN_CAPITAL,
    OWN_CONTINENT,
    ties,
)
from embtools.paper.study_result import CLAIMS, COLUMNS, TITLES, Study, interval, two_studies


@pytest.fixture(scope="module")
def of_averages(bundled):  # type: ignore[no-untyped-def]
    return averages(bundled)


@pytest.mark.slow
def test_cases_are_those_of_an_edit_that_can_be_typed(of_averages, bundled) -> None:  # type: ignore[no-untyped-def]
    template = "{group} works as a [MASK]."
    row = of_averages.items[(of_averages.items["pair"] == "he/she") & (of_averages.items["sentence"] == template)].iloc[
        0
    ]
    change = Change.of(["he = (he + she) / 2"])
    rows = [next(mask_probabilities(f"{word} works as a [MASK].", bundled))[0] for word in ("he", "she")]
    mean = next(mask_probabilities("he works as a [MASK].", bundled, patches=[resolve(change, bundled)]))[0]
    assert row["between"] == pytest.approx(jensenshannon(*rows, base=2) ** 2, abs=1e-6)
    assert row["average"] == pytest.approx(max(jensenshannon(mean, other, base=2) ** 2 for other in rows), abs=1e-5)
    assert row["mixed"] > row["average"]


@pytest.mark.slow
def test_rows_are_means_of_the_items(of_averages) -> None:  # type: ignore[no-untyped-def]
    items = of_averages.items
    expected = {
        BETWEEN: items["between"].mean(), AVERAGE: items["average"].mean(), MIXED: items["mixed"].mean(),
        GAIN: (items["between"] - items["average"]).mean(), ADVANTAGE: (items["mixed"] - items["average"]).mean(),
    }  # fmt: skip
    for name, value in expected.items():
        row = of_averages.row(name)
        assert row["value"] == pytest.approx(value) and row["low"] < value < row["high"] and row["n"] == len(items)
    assert of_averages.headline.startswith(
        "An average of two gendered words is closer to both than a mix with an unrelated"
    )
    assert (
        of_averages.rows["quantity"].iloc[0] == ADVANTAGE and of_averages.main[1] == of_averages.row(ADVANTAGE)["value"]
    )
    assert {"he/she", "male/female"} <= set(items["pair"]) and not {"his/her", "himself/herself"} & set(items["pair"])


@pytest.mark.slow
def test_the_seed_draws_the_unrelated_words(of_averages, bundled) -> None:  # type: ignore[no-untyped-def]
    other = averages(bundled, seed=1)
    assert not np.allclose(other.items["mixed"], of_averages.items["mixed"])
    np.testing.assert_allclose(
        other.items[["between", "average"]], of_averages.items[["between", "average"]], atol=1e-6
    )


def test_an_average_that_is_farther_than_the_mix_is_not_called_closer() -> None:
    rows = {ADVANTAGE: -0.2, AVERAGE: 0.5, MIXED: 0.3, BETWEEN: 0.9}
    table = pd.DataFrame({"value": rows, "low": -0.3, "high": -0.1})
    assert study_of_averages._headline(table).startswith(
        "An average of two gendered words is not closer to both than a mix with an unrelated word is: 0.500 bits from"
    )


def test_a_model_without_the_words_is_refused(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(study_of_averages, "_NO_SUBJECT", {"her", "his", "man"})  # the only other pair that it knows
    with pytest.raises(ValueError, match="knows fewer than two of the pairs"):
        averages(tiny)
    with pytest.raises(ValueError, match="knows only 3 of the colour words"):
        colour_uses(tiny)


@pytest.fixture(scope="module")
def of_colours(bundled):  # type: ignore[no-untyped-def]
    return colour_uses(bundled)


def test_correlations_are_scipys(of_colours) -> None:  # type: ignore[no-untyped-def]
    items = of_colours.items
    assert len(items) == 210
    expected = {
        USE: spearmanr(items["cosine"], items["use"]).statistic,
        LOOKS: -spearmanr(items["cosine"], items["difference"]).statistic,
        BOTH: -spearmanr(items["use"], items["difference"]).statistic,
    }
    for name, value in expected.items():
        row = of_colours.row(name)
        assert row["value"] == pytest.approx(value, abs=1e-9) and row["low"] < value < row["high"]
    assert of_colours.row(MORE)["value"] == pytest.approx(expected[USE] - expected[LOOKS])
    assert f"{expected[USE]:.2f}" in of_colours.headline and "Mantel's test" in of_colours.notes[0]


def test_use_is_that_of_the_list(of_colours) -> None:  # type: ignore[no-untyped-def]
    listed = wordlists.load("colour_uses").set_index(["first", "second"])["similarity"]
    for row in of_colours.items.head(20).itertuples():
        key = (row.first, row.second) if (row.first, row.second) in listed.index else (row.second, row.first)
        assert row.use == listed[key]


def test_colours_that_are_as_similar_as_their_uses_follow_use_alone(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """The truth is known: the uses are a rising function of the cosines."""

    def uses(words):  # type: ignore[no-untyped-def]
        vectors = np.stack([bundled.vector(word) for word in words]).astype(float)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.exp(vectors @ vectors.T)

    monkeypatch.setattr(study_of_colours, "_use", uses)
    found = colour_uses(bundled)
    assert found.row(USE)["value"] == pytest.approx(1) and found.row(USE)["low"] > 0.99
    assert found.row(MORE)["value"] == pytest.approx(1 - found.row(LOOKS)["value"]) and found.row(MORE)["low"] > 0


def test_correlations_leave_out_rows() -> None:
    rng = np.random.default_rng(0)
    one, other = ((x + x.T) / 2 for x in rng.normal(size=(2, 9, 9)))
    rows = np.array([0, 2, 3, 5, 8])
    i, j = (rows[k] for k in np.triu_indices(5, 1))
    assert spearman(one, other, rows) == pytest.approx(spearmanr(one[i, j], other[i, j]).statistic)


@pytest.fixture(scope="module")
def of_ties(bundled):  # type: ignore[no-untyped-def]
    return ties(bundled)


def test_means_are_those_of_a_plain_loop(of_ties, bundled) -> None:  # type: ignore[no-untyped-def]
    def cosine(one: int, other: int) -> float:
        a, b = (bundled.matrix[i].astype(float) for i in (one, other))
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    for key, own, other in (("capital", OWN_CAPITAL, OTHER_CAPITAL), ("continent", OWN_CONTINENT, OTHER_CONTINENT)):
        pairs = plan(relation(key).pairs, bundled).pairs
        right = [cosine(pair.a_id, pair.b_id) for pair in pairs]
        wrong = [cosine(pair.a_id, i) for pair in pairs for _, i in pair.others]
        assert of_ties.row(own)["value"] == pytest.approx(np.mean(right)) and of_ties.row(own)["n"] == len(right)
        assert of_ties.row(other)["value"] == pytest.approx(np.mean(wrong)) and of_ties.row(other)["n"] == len(wrong)
    value = {name: of_ties.row(name)["value"] for name in (OWN_CAPITAL, OTHER_CAPITAL, OWN_CONTINENT, OTHER_CONTINENT)}
    assert of_ties.row(COSINES)["value"] == pytest.approx(value[OWN_CAPITAL] - value[OWN_CONTINENT])
    excess = value[OWN_CAPITAL] - value[OTHER_CAPITAL] - value[OWN_CONTINENT] + value[OTHER_CONTINENT]
    assert of_ties.row(EXCESSES)["value"] == pytest.approx(excess)


def test_intervals_hold_their_values_and_the_items_are_all_words(of_ties) -> None:  # type: ignore[no-untyped-def]
    assert (of_ties.rows["low"] < of_ties.rows["value"]).all() and (of_ties.rows["value"] < of_ties.rows["high"]).all()
    assert of_ties.items["relation"].value_counts().to_dict() == {"continent": 125, "capital": 68}
    rome = of_ties.items.query("a == 'Rome'").iloc[0]
    assert rome["b"] == "Italy" and rome["cosine"] > rome["others"]
    assert f"{of_ties.row(COSINES)['value']:.2f} (95% interval" in of_ties.headline
    assert "There are only 4 different continents" in of_ties.notes[1]


def test_words_that_belong_together_by_chance_have_no_excess(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """With shuffled countries and continents, the excess over other partners is about zero."""
    real = relation

    def shuffled(key: str):  # type: ignore[no-untyped-def]
        found = real(key)
        seconds = [b for _, b in found.pairs]
        order = np.random.default_rng(1).permutation(len(seconds))
        pairs = tuple((a, seconds[i]) for (a, _), i in zip(found.pairs, order, strict=True))
        return type(found)(found.key, found.title, pairs, found.sentences, found.must_stay, ())

    monkeypatch.setattr("embtools.paper.study_of_ties.relation", shuffled)
    row = ties(bundled, seed=LARGEST_SEED).row(EXCESSES)
    assert abs(row["value"]) < 0.05 and row["low"] < 0 < row["high"]


def test_every_study_has_a_title_and_a_claim() -> None:
    assert set(MEASURES) == set(TITLES) == set(CLAIMS.values()) and set(CLAIMS) <= {claim.id for claim in claims()}
    with pytest.raises(ValueError, match="There is no study 'x'"):
        study("x", None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["ties", "colours"])
def test_a_study_belongs_to_its_claim_and_is_drawn(bundled, name: str) -> None:  # type: ignore[no-untyped-def]
    found = study(name, bundled)
    assert found.key == name and CLAIMS[found.claim] == name and found.main[2] < found.main[1] < found.main[3]
    drawn = charts.study(found)
    shown = sorted(float(x) for trace in drawn.figure.data for x in trace.x)
    assert shown == pytest.approx(sorted(found.rows["value"]), abs=1e-6)
    assert set(found.differences) < set(found.rows["quantity"]) and drawn.frame is found.rows
    assert all(name in drawn.alt for name in found.rows["quantity"])


def test_two_models_are_compared_by_the_main_value() -> None:
    rows = pd.DataFrame([("one", 0.5, 0.4, 0.6, 3)], columns=list(COLUMNS))
    study = Study("x", "A sentence.", "A1", "cosine", "It is so.", rows, rows, (), ("Difference", 0.5, 0.4, 0.6))
    other = Study("x", "A sentence.", "A1", "cosine", "It is so.", rows, rows, (), ("Difference", -0.1, -0.2, 0.0))
    assert two_studies(study, other, ("A", "B")) == (
        "Difference: 0.50 (95% interval 0.40 to 0.60) for A and −0.10 (95% interval −0.20 to 0.00) for B."
    )
    assert study.row("one")["value"] == 0.5 and interval(1, 1, 1).startswith("1.00")
    with pytest.raises(KeyError):
        study.row("two")


def test_the_largest_value_of_a_study_is_the_answer(bundled) -> None:  # type: ignore[no-untyped-def]
    found = study("colours", bundled)
    question = found.question()
    values = found.rows.set_index("quantity")["value"].drop("use minus appearance")
    assert question.choices == tuple(values.index) and question.choices[question.picked] == values.idxmax()
    assert question.answer == f"{values.idxmax()} ({values.max():.2f})"
    assert question.context == found.sentence and question.whose == "The answer"
    assert found.question(("yes", "no")).picked is None
