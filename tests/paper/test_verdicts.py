"""How conditions are decided, what is stored and printed of them, and the command."""

import json
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from embtools.paper import __main__ as command
from embtools.paper import claims, conditions, measured, reports
from embtools.paper.claims import claims as every_claim
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART, Condition, Figure, Measured

# How conditions are decided, compared with scipy and with the definitions


@given(st.integers(0, 40), st.sampled_from([0.5, 1 / 20]))
def test_a_share_is_decided_by_the_two_sided_binomial_test(count: int, chance: float) -> None:
    found = conditions.more_often("", count, 40, chance)
    p = binomtest(count, 40, chance).pvalue
    assert found.holds is (None if p > 0.05 else count > 40 * chance)
    assert f"{count} of 40" in found.evidence and "Exact binomial test" in found.evidence


@pytest.mark.parametrize(("wins", "losses", "holds"), [(6, 1, None), (34, 3, True), (3, 34, False), (0, 0, None)])
def test_a_paired_comparison_is_decided_by_the_pairs_that_differ(wins, losses, holds) -> None:  # type: ignore[no-untyped-def]
    assert conditions.better("", wins, losses, 5, name="It", evidence="").holds is holds


def test_controls_decide_by_one_in_twenty() -> None:
    """51 of 604 are significantly more than 5%; with 0 of 18 there are too few controls to decide."""
    assert conditions.rare("", 51, 604, evidence="").holds is False
    assert conditions.rare("", 0, 19, evidence="").holds is True
    assert conditions.rare("", 0, 18, evidence="").holds is None
    assert conditions.rare("", 20, 604, evidence="").holds is True


def test_seeds_that_disagree_decide_nothing() -> None:
    assert conditions.same_for_all("", [True] * 20, evidence="").holds is True
    assert conditions.same_for_all("", [False] * 20, evidence="").holds is False
    mixed = conditions.same_for_all("", [True] * 19 + [None], evidence="")
    assert mixed.holds is None and "19 of 20" in mixed.evidence
    assert len(conditions.SEEDS) == 20


def test_an_interval_that_includes_the_limit_decides_nothing() -> None:
    assert conditions.below("", -0.1, 0.29, 0.3, evidence="").holds is True
    assert conditions.below("", 0.2, 0.4, 0.3, evidence="").holds is None
    assert conditions.below("", 0.31, 0.4, 0.3, evidence="").holds is False


# Verdicts follow from conditions; published numbers are in the texts that the cards show


@pytest.mark.parametrize(
    ("held", "verdict"),
    [
        ((True, True), HOLDS),
        ((True, False), PART),
        ((False, False), FAILS),
        ((), CANNOT),
    ],
)
def test_a_verdict_follows_from_its_conditions(held, verdict) -> None:  # type: ignore[no-untyped-def]
    assert Measured("", tuple(Condition("", h, "") for h in held)).verdict == verdict


def test_an_undecided_condition_matters_only_if_it_could_change_the_verdict() -> None:
    """By brute force: fill in every undecided condition both ways and compare the verdicts."""
    for held in product((True, False, None), repeat=3):
        choices = [(h,) if h is not None else (True, False) for h in held]
        possible = {measured.verdict([Condition("", h, "") for h in filled]) for filled in product(*choices)}
        expected = possible.pop() if len(possible) == 1 else CANNOT
        assert measured.verdict([Condition("", h, "") for h in held]) == expected, held


def test_every_published_number_is_on_its_card() -> None:
    for claim in ("A2", "A3", "A6", "B3", "B4", "B5", "C3", "E1"):
        (row,) = [each for each in every_claim() if each.id == claim]
        shown = [float(n.replace(",", "").replace("−", "-")) for n in re.findall(r"−?\d[\d,]*\.?\d*", row.published)]
        percents = "%" in row.published
        for value in measured.published(claim).values():
            assert any(number == pytest.approx(100 * value if percents else value, abs=6e-4) for number in shown), value
        for _, word in measured.published(claim):
            assert claim not in ("A2", "A3", "A6", "C3") or word in row.published


def test_every_card_names_the_model_of_the_published_figures() -> None:
    """B7's figures are those of Devlin's cased model, those of the third article of a model with 128 numbers."""
    models = {claim.id: claim.model for claim in every_claim()}
    assert all(models.values())
    assert "cased" in models["B7"] and "uncased" not in models["B7"]
    assert all(models[f"A{n}"] == "bert-base-uncased" for n in range(1, 7))
    assert all(models[f"C{n}"] == "google/bert_uncased_L-12_H-128_A-2" for n in range(1, 5))
    assert "not BERT" in models["D6"]


# Tables, the line of the command and the headline

GOOD = Measured(
    "france, 71.4%",
    (Condition("The top answer is france.", True, "Exact."),),
    (Figure("rome: france", 0.929, 0.714),),
)
HALF = Measured(
    "a | b", (Condition("One.", True, "1."), Condition("Two.", False, "2."), Condition("Three.", None, "3."))
)


def test_the_tables_hold_what_is_known() -> None:
    table = reports.table({"A2": GOOD, "A4": HALF}).set_index("id")
    assert len(table) == 28 and table.loc["A1", "verdict"] == reports.UNKNOWN
    assert table.loc["A2", ["this_model", "verdict", "criterion"]].tolist() == [
        "france, 71.4%", "holds", "✓ The top answer is france. (Exact.)",
    ]  # fmt: skip
    assert table.loc["A4", "criterion"] == "✓ One. (1.) ✗ Two. (2.) ? Three. (3.)"
    assert reports.comparison({"A2": GOOD, "A4": HALF}).to_numpy().tolist() == [
        ["A2", "rome: france", "probability", 0.929, 0.714]
    ]


def test_the_headline_counts_every_verdict() -> None:
    bad, none = Measured("", (Condition("", False, ""),)), Measured("")
    names = [claim.id for claim in every_claim()]
    found = dict(zip(names, [GOOD] * 22 + [HALF] * 4 + [bad, none], strict=True))
    assert reports.finding(found) == (
        "Of 28 claims, 22 hold in this model, 4 hold in part, 1 fails and 1 is undecided."
    )
    assert reports.finding(dict.fromkeys(names, GOOD)) == "Of 28 claims, 28 hold in this model."
    assert reports.finding({}) == "None of the 28 claims has been computed for this model yet."


def test_a_line_is_a_row_of_the_table() -> None:
    columns = reports.HEAD.splitlines()[0].count("|")
    assert reports.line(every_claim()[3], HALF).count("|") == columns
    assert "| a / b | holds in part: ✓ One. (1.) ✗ Two. (2.) ? Three. (3.) |" in reports.line(every_claim()[3], HALF)
    assert reports.line(every_claim()[3], Measured("")).endswith("| – | undecided |")


# What is stored of the bundled model is what it says; with other weights nothing is read

NUMBER = re.compile(r"−?\d[\d,]*\.?\d*(?:e-\d+)?")  # 4e-07 is one number: what rounding leaves on one processor


def words_and_numbers(text: str) -> tuple[str, list[float]]:
    return NUMBER.sub("#", text), [
        float(n.replace(",", "").replace("−", "-").rstrip(".")) for n in NUMBER.findall(text)
    ]


@pytest.mark.slow
def test_what_is_stored_is_what_the_model_says(bundled) -> None:  # type: ignore[no-untyped-def]
    """All claims, computed again; the only test that does so."""
    saved, found = reports.read_stored(bundled), claims.measure_all(bundled)
    assert list(saved) == list(found) == [claim.id for claim in claims.claims()]
    for name, new in found.items():
        old = saved[name]
        assert old.verdict == new.verdict, name
        assert [(c.statement, c.holds) for c in old.conditions] == [(c.statement, c.holds) for c in new.conditions], (
            name
        )
        old_texts, new_texts = ([each.answer, *(c.evidence for c in each.conditions)] for each in (old, new))
        for one, other in zip(old_texts, new_texts, strict=True):
            (words, numbers), (others, found_numbers) = words_and_numbers(one), words_and_numbers(other)
            assert words == others and numbers == pytest.approx(found_numbers, rel=0.02, abs=0.02), name
        assert [f.name for f in old.figures] == [f.name for f in new.figures]
        assert [f.here for f in old.figures] == pytest.approx([f.here for f in new.figures], abs=2e-4)
        assert "cannot be tested" not in new.answer


def test_writing_and_reading_is_a_round_trip_for_the_same_weights_alone(tiny, tiny_distil, tmp_path) -> None:  # type: ignore[no-untyped-def]
    results = {
        "A2": Measured(
            "a", (Condition("b", True, "x"), Condition("c", None, "y")), (Figure("d", 0.5, 0.25, "cosine"),)
        ),
        "D7": Measured("e"),
    }
    file = tmp_path / "results.json"
    reports.write_stored(tiny, results=results, file=file)
    assert reports.read_stored(tiny, file=file) == results
    assert reports.read_stored(tiny_distil, file=file) == {}
    assert json.loads(file.read_text())["checksum"] == tiny.checksum
    assert reports.read_stored(tiny, file=tmp_path / "none.json") == {}


# `python -m embtools.paper`: one row per claim for any model, and the arguments that it refuses


@pytest.mark.slow
def test_the_command_prints_one_row_per_claim_for_any_model(tiny_folder, capsys) -> None:  # type: ignore[no-untyped-def]
    assert command.main(["--model", str(tiny_folder)]) == 0
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith("| ") and line[2].isupper()]
    assert [row[2:4] for row in rows] == [claim.id for claim in claims.claims()]
    assert all(row.count("|") == 6 for row in rows)
    assert "Of 28 claims" in printed and "SHA-256" in printed
    assert any("undecided" in row and "This claim cannot be tested in this model" in row for row in rows)


def test_writing_is_for_the_bundled_model_alone(bundled, tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "results.json"
    write = reports.write_stored
    monkeypatch.setattr(reports, "write_stored", lambda model, results: write(model, results=results, file=file))
    monkeypatch.setattr(command, "load_model", lambda name: bundled)
    monkeypatch.setattr(claims, "measure", lambda name, model, progress: Measured(name))
    assert command.main(["--write"]) == 0
    assert reports.read_stored(bundled, file=file)["E1"] == Measured("E1")
    for wrong in (["--write", "--model", "elsewhere"], ["--write", "--claim", "A2"]):
        with pytest.raises(SystemExit):
            command.main(wrong)
    capsys.readouterr()


def test_errors_are_one_sentence(capsys) -> None:  # type: ignore[no-untyped-def]
    assert command.main(["--model", "no/such/model"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "no/such/model" in error


def test_a_model_without_segments_and_head_is_asked_for_one_claim(tiny_distil_folder, capsys) -> None:
    assert command.main(["--model", str(tiny_distil_folder), "--claim", "D4", "--claim", "B2"]) == 0
    printed = capsys.readouterr().out
    assert "no next-sentence head" in printed and "no segment embeddings" in printed and "Of 27" not in printed
