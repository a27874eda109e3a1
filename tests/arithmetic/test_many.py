"""Many sentences at once: each line is what one sentence alone gives, and failures are counted and named."""

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask
from embtools.arithmetic import controls, effects, verdict
from embtools.arithmetic.effects import ADDED_WORD
from embtools.arithmetic.many import ManyResults, answer_rows, effort, target_words
from embtools.arithmetic.rows import MAX_ROWS
from embtools.mask_filling.edits import Change
from embtools.models.unknown_words import UnknownWord

ROME, ROME_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
ROWS = (
    ("Rome is the capital of ___.", (ROME_EDIT,)),
    ("[MASK] is the capital of rome [MASK].", (ROME_EDIT, "the = a")),
    ("The king is [MASK].", ()),
    ("The king is old.", ()),
    ("The king is [MASK].", (ROME_EDIT,)),
)


@pytest.mark.parametrize(("scope", "k"), [("input", 1), ("tied", 3)])
def test_each_row_is_what_fill_mask_gives(tiny, scope, k) -> None:  # type: ignore[no-untyped-def]
    found = answer_rows(ROWS, tiny, k=k, scope=scope, strength=0.8, leave_out=("king",)).answers
    good = found[found["problem"] == ""]
    for number in (1, 2, 3):
        sentence, edits = ROWS[number - 1]
        text = sentence.replace("___", "[MASK]")
        named = {"scope": scope, "strength": 0.8, "leave_out": ("king",)}
        shown = good[good["row"] == number]
        for run, column in (((), "before"), (edits, "after")):
            alone = fill_mask(text, tiny, k=k, edits=run, **named)
            assert shown[f"answer_{column}"].tolist() == alone["token"].tolist()
            np.testing.assert_allclose(shown[f"probability_{column}"], alone["probability"], atol=1e-6)
        assert shown["rank"].tolist() == [*range(1, k + 1)] * text.count("[MASK]")
        assert set(shown["edits"]) == {"; ".join(edits)}


def test_a_row_that_cannot_be_read_says_why_and_the_others_go_on(tiny) -> None:  # type: ignore[no-untyped-def]
    found = answer_rows(ROWS, tiny).answers.set_index("row")
    assert "has no [MASK]" in found.loc[4, "problem"]
    assert "'rome' is not in the sentence" in found.loc[5, "problem"]
    assert found.loc[3, "problem"] == "" and found.loc[4, "answer_after"] == "" and pd.isna(found.loc[4, "rank"])


def test_results_describe_themselves(tiny) -> None:  # type: ignore[no-untyped-def]
    results = answer_rows(ROWS, tiny)
    assert results.edited and results.answered
    pd.testing.assert_frame_equal(results.summary, effects.summary(results.effects))
    assert results.findings == tuple(effects.findings(results.summary))
    assert results.caution == effects.caution(results.summary) != ""
    nothing = answer_rows([("no mask", ())], tiny)
    assert not (nothing.edited or nothing.answered or nothing.findings or nothing.caution)


def test_the_effort_grows_with_the_text_the_controls_and_the_model(tiny, bundled) -> None:  # type: ignore[no-untyped-def]
    plain = effort(ROWS[:1], tiny)
    assert effort(ROWS[:1] * 2, tiny) == pytest.approx(2 * plain)
    assert effort(ROWS[:1], tiny, with_controls=True) == pytest.approx(17 / 2 * plain)
    assert effort(ROWS[:1], bundled) / plain == pytest.approx(bundled.parameters / tiny.parameters)
    assert effort(ROWS[2:3], tiny, with_controls=True) == effort(ROWS[2:3], tiny)  # nothing to control


@pytest.mark.parametrize("with_controls", [True, False])
def test_a_table_in_which_every_row_fails_has_the_same_columns(tiny, with_controls) -> None:  # type: ignore[no-untyped-def]
    named = {"model": tiny, "with_controls": with_controls}
    good, bad = answer_rows(ROWS, **named), answer_rows([("no mask", ()), ("nor here", (ROME_EDIT,))], **named)
    assert list(bad.answers.columns) == list(good.answers.columns) and len(bad.answers) == 2
    assert bad.answers["problem"].str.contains("has no").all()
    texts = ["answer_before", "answer_after", *(["finding", "matching_control"] if with_controls else [])]
    assert (bad.answers[texts] == "").all(axis=None) and bad.answers["rank"].isna().all()
    assert bad.effects.empty and list(bad.effects.columns) == list(good.effects.columns)


def test_the_controls_are_those_of_the_experiment(bundled) -> None:  # type: ignore[no-untyped-def]
    rows = [(ROME, (ROME_EDIT,)), ("Rome is in ___.", ())]
    found = answer_rows(rows, bundled, k=2, with_controls=True, draws=3, seed=2).answers
    alone = controls.experiment(ROME, bundled, change=Change.of((ROME_EDIT,)), k=2, draws=3, seed=2)
    first, second, *rest = (line for _, line in found.iterrows())
    assert first["finding"] == verdict.finding(alone)
    assert first["matching_control"] == verdict.matching_control(alone)
    for line in alone.summary.itertuples():
        assert first[line.control.replace(" ", "_")] == pytest.approx(line.mean, rel=1e-5)
    assert [line["finding"] for line in (second, *rest)] == [""] * 3  # only the first answer has a finding
    assert found["random_difference"].notna().sum() == 1


def test_limits(tiny) -> None:  # type: ignore[no-untyped-def]
    for rows, k, sentence in (
        ([], 1, "There is no sentence"),
        ([("Rome is [MASK].", ())] * (MAX_ROWS + 1), 1, "There are 201 rows; at most 200"),
        (ROWS, 0, "0 answers were asked for"),
        (ROWS, 101, "101 answers were asked for"),
    ):
        with pytest.raises(ValueError, match=sentence):
            answer_rows(rows, tiny, k=k)


def test_progress_is_reported_after_each_row_and_can_stop(tiny) -> None:  # type: ignore[no-untyped-def]
    reported: list[float] = []
    answer_rows(ROWS, tiny, progress=reported.append)
    assert reported == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_rows(ROWS, tiny, progress=stop)


def test_target_words_are_checked_before_anything_is_computed(tiny) -> None:  # type: ignore[no-untyped-def]
    assert target_words(["She", "she", "king"], tiny) == (("she", ("she",)), ("king", ("king",)))
    with pytest.raises(ValueError, match="6 target words; at most 5"):
        answer_rows(ROWS, tiny, k=1, targets=["a", "b", "c", "d", "e", "f"])
    with pytest.raises(UnknownWord, match="quen"):
        answer_rows(ROWS, tiny, k=1, targets=["quen"])


def test_effects_are_measured_in_rows_with_an_edit_and_a_mask(tiny) -> None:  # type: ignore[no-untyped-def]
    for scope, rows in (("input", {1, 2}), ("tied", {1, 2, 5})):  # row 3 has no edit, row 4 no mask
        found = answer_rows(ROWS, tiny, targets=["she", "king"], scope=scope, strength=0.7).effects
        assert list(found.columns) == list(effects.COLUMNS) and set(found["row"]) == rows
        assert len(found) == 2 * (len(rows) + 1)  # the second row has two masks
        assert all((line.sentence, line.edits) == (ROWS[line.row - 1][0], "; ".join(ROWS[line.row - 1][1]))
                   for line in found.itertuples())  # fmt: skip


def test_without_target_words_each_edit_is_measured_by_the_word_that_it_adds(bundled) -> None:  # type: ignore[no-untyped-def]
    rows = [
        (ROME, (ROME_EDIT,)),
        ("John was a [MASK].", ("john = john + strong + quick",)),
        ("Berlin is in [MASK].", ()),
    ]
    found = answer_rows(rows, bundled).effects
    assert found[["row", "target", "word"]].to_numpy().tolist() == [
        [1, ADDED_WORD, "france"], [2, ADDED_WORD, "strong or quick"]
    ]  # fmt: skip


# The headline


def headline(answers: pd.DataFrame) -> str:
    return ManyResults(answers, pd.DataFrame()).headline


def frame(**columns: object) -> pd.DataFrame:
    rows = {"row": [1, 1, 2, 3, 4], "rank": [1, 2, 1, 1, None], "edits": "x", "answer_before": ["a", "b", "a", "a", ""],
            "answer_after": ["c", "d", "c", "a", ""], "matching_control": ["", "", "added only", "", ""],
            "strongest_run": ["c is added", "", "c is added", "d is added", ""], "strongest": [0.1, None, 0.8, 0.9, None],
            "problem": ["", "", "", "", "why"]}  # fmt: skip
    return pd.DataFrame(rows | columns).astype({"rank": "Int64"})


def test_the_headline_counts_sentences_and_those_that_a_control_explains() -> None:
    found = frame()
    text = "The top answer changes in 2 of 3 sentences"
    bad = "1 of 4 sentences could not be answered."
    effect = "leads to the same answer or has more than half of the edit's effect."
    strongest = "The strongest run: if c is added, c gets 80% (sentence 2)."
    assert headline(found) == f"{text}. In 1 of them, at least one control run {effect} {strongest} {bad}"
    assert headline(found[found["row"] == 1]).startswith(
        f"The top answer changes in 1 of 1 sentence. No control run {effect} The strongest run: if c is added, "
    )
    assert headline(found.drop(columns=["matching_control", "strongest_run", "strongest"])) == f"{text}. {bad}"
    assert headline(found[found["row"] == 3]) == "The top answer changes in 0 of 1 sentence."


def test_the_headline_counts_sentences_with_an_edit() -> None:
    some = frame(edits=["x", "x", "", "x", "x"])
    assert headline(some).startswith("The top answer changes in 1 of 2 sentences with an edit.")
    assert headline(frame(edits="")) == (
        "BERT answered 3 sentences without an edit. 1 of 4 sentences could not be answered."
    )


def test_the_headline_says_when_nothing_could_be_answered() -> None:
    bad = frame()[lambda rows: rows["problem"] != ""]
    assert headline(bad) == "The sentence could not be answered."
    assert headline(pd.concat([bad, bad.assign(row=5)])) == "None of the 2 sentences could be answered."
