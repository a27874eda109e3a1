"""Many sentences at once: each line is what one sentence alone gives; log odds by hand and by scipy; tables that are read."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies
from scipy import stats

from embtools import fill_mask
from embtools.arithmetic import controls, effects, verdict
from embtools.arithmetic.effects import ADDED_WORD, EDIT
from embtools.arithmetic.many import ManyResults, answer_rows, effort, target_words
from embtools.arithmetic.one_row import ANSWERS, answer_row
from embtools.arithmetic.rows import MAX_CHARACTERS, MAX_ROWS, checked, read_rows, read_table, write_rows
from embtools.mask_filling.edits import Change, Patch, resolve
from embtools.mask_filling.forward import mask_logits
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


TWO = "[MASK] is the capital of rome [MASK]."


def log_odds(model, text, patch, words, mask=0):  # type: ignore[no-untyped-def]
    """From the logits: the log of the sum over the words, minus that over all others."""
    logits = mask_logits(text, model, patches=[patch])[0, mask].astype(np.float64)
    inside = np.isin(np.arange(len(logits)), [model.ids[word] for word in words])
    return np.logaddexp.reduce(logits[inside]) - np.logaddexp.reduce(logits[~inside])


@pytest.mark.parametrize("with_controls", [False, True])
def test_the_answers_are_the_first_of_the_experiment_before_and_after(tiny, with_controls) -> None:  # type: ignore[no-untyped-def]
    change = Change.of((ROME_EDIT,))
    lines, _ = answer_row(TWO, tiny, change=change, k=2, with_controls=with_controls, draws=1)
    ranked = controls.experiment(TWO, tiny, change=change, k=2, draws=1).answers
    assert [(line["mask"], line["rank"]) for line in lines] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for line in lines:
        at_mask = ranked[ranked["mask"] == line["mask"]]
        for run in ("before", "after"):
            (row,) = at_mask[at_mask[f"rank_{run}"] == line["rank"]].itertuples()
            assert line[f"answer_{run}"] == row.token
            assert line[f"probability_{run}"] == pytest.approx(getattr(row, f"probability_{run}"), abs=1e-6)
        more = line.keys() - set(ANSWERS)
        assert bool(more) == (with_controls and line["rank"] == 1)  # a finding belongs to the first answer alone


@pytest.mark.parametrize(
    ("text", "edits", "scope"), [(ROME, (ROME_EDIT,), "input"), (TWO, (ROME_EDIT, "the = a"), "tied")]
)
def test_the_change_in_log_odds_is_that_of_the_logits(tiny, text, edits, scope) -> None:  # type: ignore[no-untyped-def]
    change, targets = Change.of(edits, scope, 0.7), target_words(["she", "king"], tiny)
    _, lines = answer_row(text, tiny, change=change, k=1, targets=targets)
    found = pd.DataFrame(lines)
    assert list(found.columns) == list(effects.COLUMNS[3:])
    assert (found["run"] == EDIT).all() and set(found["target"]) == {"she", "king"}
    assert len(found) == 2 * text.count("[MASK]")
    patch = resolve(change, tiny)
    for line in found.itertuples():
        before = log_odds(tiny, text, Patch(), [line.word], line.mask - 1)
        after = log_odds(tiny, text, patch, [line.word], line.mask - 1)
        assert (line.log_odds_before, line.log_odds_after) == pytest.approx((before, after), abs=1e-5)
        assert line.change == pytest.approx(after - before, abs=1e-5)
        for p, odds in ((line.probability_before, before), (line.probability_after, after)):
            assert p == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)


def test_without_target_words_the_word_that_the_edit_adds_is_measured(bundled) -> None:  # type: ignore[no-untyped-def]
    text, change = "John was a [MASK].", Change.of(("john = john + strong + quick",))
    _, (line,) = answer_row(text, bundled, change=change, k=1)
    assert (line["target"], line["word"]) == (ADDED_WORD, "strong or quick")
    before, after = (
        log_odds(bundled, text, patch, ["strong", "quick"]) for patch in (Patch(), resolve(change, bundled))
    )
    assert line["change"] == pytest.approx(after - before, abs=1e-4)
    function = Change.of(("nurse = reject(nurse, she - he)",))  # adds no word
    assert answer_row("The nurse is [MASK].", bundled, change=function, k=1)[1] == []
    assert answer_row("Berlin is in [MASK].", bundled, change=Change(), k=1)[1] == []


def test_each_control_is_measured_as_the_mean_of_its_draws(bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of((ROME_EDIT,))
    _, lines = answer_row(
        ROME, bundled, change=change, k=1, targets=(("paris", ("paris",)),), with_controls=True, draws=3, seed=2
    )
    runs = controls.controls(ROME, bundled, change=change, draws=3, seed=2)
    assert [line["run"] for line in lines] == [EDIT, *dict.fromkeys(run.name for run in runs)]
    before = log_odds(bundled, ROME, Patch(), ["paris"])
    for line in lines[1:]:
        draws = [log_odds(bundled, ROME, run.patch, ["paris"]) for run in runs if run.name == line["run"]]
        assert line["draws"] == len(draws)
        assert line["change"] == pytest.approx(np.mean(draws) - before, abs=1e-4)


CELL = strategies.text("ab ,;=\"'", min_size=1, max_size=8).map(str.strip).filter(bool)


def test_rows_are_checked_whoever_made_them_and_a_file_needs_no_edits() -> None:
    assert checked([("a ___", ["x = y"])]) == (("a ___", ("x = y",)),)
    for rows, sentence in (
        ([], "There is no sentence"),
        ([("Rome is [MASK].", ())] * (MAX_ROWS + 1), "There are 201 rows; at most 200"),
        ([("", ())], "Row 1 has no sentence"),
    ):
        with pytest.raises(ValueError, match=sentence):
            checked(rows)
    assert read_table(b"\xef\xbb\xbfid,sentence\n1,The king is ___.\n").value == (("The king is ___.", ()),)


def test_a_text_is_read_line_by_line() -> None:
    assert read_rows("  a ___ | x = y ;; z = w; \n\n b ___|\nc | d | e\n") == (
        ("a ___", ("x = y", "z = w")),
        ("b ___", ()),
        ("c", ("d | e",)),
    )


@given(strategies.lists(strategies.tuples(CELL, strategies.lists(CELL.filter(lambda c: ";" not in c), max_size=3))))
def test_what_is_written_is_read_again(rows) -> None:  # type: ignore[no-untyped-def]
    rows = tuple((sentence, tuple(edits)) for sentence, edits in rows)
    if rows:
        assert read_rows(write_rows(rows)) == rows
        file = pd.DataFrame([(s, "; ".join(e)) for s, e in rows], columns=["Sentence ", "EDITS"])
        assert read_table(file.to_csv(index=False).encode()).value == rows


def test_a_long_text_and_a_table_without_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match="60,001 characters; at most 60,000"):
        read_rows("x" * (MAX_CHARACTERS + 1))
    for data, sentence in (
        (b"x,edits\na,b\n", "no column named sentence. Its columns are 'x' and 'edits'"),
        (b"sentence,edits\n,rome = italy\n", "There is no sentence"),
        (b"sentence\n" + b"x" * 300_000, "at most 240,000 are read"),
    ):
        with pytest.raises(ValueError, match=sentence):
            read_table(data)


def table(changes: dict[str, list[float]], target: str = "she") -> pd.DataFrame:
    """Effects of one target: the change in each sentence, by run."""
    lines = [
        {"row": n, "sentence": f"sentence {n}", "edits": "a = b", "mask": 1, "target": target, "word": target,
         "run": run, "draws": 1, "probability_before": 0.2, "probability_after": 0.3, "log_odds_before": 0.0,
         "log_odds_after": change, "change": change, "lowest": change, "highest": change}
        for run, values in changes.items() for n, change in enumerate(values, 1)
    ]  # fmt: skip
    return pd.DataFrame(lines, columns=list(effects.COLUMNS))


TWELVE = [0.6, 0.9, 1.2, 1.6, 1.3, 1.3, 1.0, 1.9, -0.2, 0.7, 1.0, 1.5]


@given(
    row=strategies.lists(strategies.floats(-30, 30), min_size=2, max_size=8),
    ids=strategies.sets(strategies.integers(0, 7), min_size=1),
)
def test_log_odds_are_exact_where_the_word_is_almost_certain(row, ids) -> None:  # type: ignore[no-untyped-def]
    ids = [i for i in ids if i < len(row)] or [0]
    if len(ids) == len(row):
        ids = ids[:-1]
    logits = np.array(row)
    inside = np.isin(np.arange(len(row)), ids)
    expected = np.logaddexp.reduce(logits[inside]) - np.logaddexp.reduce(logits[~inside])
    probabilities = np.exp(logits - np.logaddexp.reduce(logits))
    assert effects.log_odds(probabilities, ids) == pytest.approx(expected, abs=1e-9)


def test_the_summary_by_hand_and_by_scipy() -> None:
    (line,) = effects.summary(table({EDIT: TWELVE})).itertuples()
    assert (line.target, line.run, line.sentences, line.rose, line.fell) == ("she", EDIT, 12, 11, 1)
    assert line.mean == pytest.approx(np.mean(TWELVE))
    assert line.p_value == pytest.approx(stats.binomtest(11, 12).pvalue) == pytest.approx(2 * (1 + 12) / 2**12)
    assert (line.low, line.high) == pytest.approx(stats.t.interval(0.95, 11, np.mean(TWELVE), stats.sem(TWELVE)))
    assert (line.smallest, line.largest) == (-0.2, 1.9)
    # Another bootstrap, of another random number generator.
    (line,) = effects.summary(table({EDIT: TWELVE * 2})).itertuples()
    values = (TWELVE * 2,)
    other = stats.bootstrap(values, np.mean, method="percentile", n_resamples=20_000, rng=1).confidence_interval
    assert (line.low, line.high) == pytest.approx(tuple(other), abs=0.03)


def test_sentences_count_not_masks_and_not_repeated_rows() -> None:
    once = table({EDIT: [1.0, 2.0, -1.0]})
    masks = pd.concat([once.assign(change=once["change"] - 0.5), once.assign(mask=2, change=once["change"] + 0.5)])
    again = pd.concat([once, once[once["row"] == 1].assign(row=4)])  # the same sentence with the same edit
    for more in (masks, again):
        pd.testing.assert_frame_equal(effects.summary(more), effects.summary(once))


def test_one_sentence_has_no_interval() -> None:
    summary = effects.summary(table({EDIT: [0.5]}))
    assert summary[["low", "high"]].isna().all(axis=None)
    assert effects.findings(summary) == [
        "The log odds of “she” rise by 0.50 on average. They rise in 1 of 1 sentence (sign test: p = 1)."
    ]
    assert effects.caution(summary) == (
        "With 1 sentence, the sign test cannot reach p = 0.05, and there are too few values for an interval."
    )


def test_every_target_and_run_has_a_row_and_every_target_a_sentence() -> None:
    runs = {EDIT: TWELVE, "added only": [x + 0.4 for x in TWELVE], "random difference": [-0.1] * 12}
    found = pd.concat([table(runs), table({run: [-x for x in values] for run, values in runs.items()}, "he")])
    summary = effects.summary(found)
    assert summary[["target", "run"]].to_numpy().tolist() == [[t, run] for t in ("she", "he") for run in runs]
    she, he = effects.findings(summary)
    assert she == (
        f"The log odds of “she” rise by 1.07 on average (95% interval {summary['low'][0]:.2f} to"
        f" {summary['high'][0]:.2f}). They rise in 11 of 12 sentences (sign test: p = 0.00635). With the strongest"
        " control, adding without subtracting, they change by +1.47."
    )
    assert he.startswith(
        f"The log odds of “he” fall by 1.07 on average (95% interval {-summary['high'][3]:.2f} to"
        f" {-summary['low'][3]:.2f}). They fall in 11 of 12 sentences"
    )
    assert he.endswith("With the strongest control, adding without subtracting, they change by −1.47.")


def test_an_interval_across_zero_keeps_its_signs() -> None:
    line = {"target": ADDED_WORD, "run": EDIT, "sentences": 4, "rose": 2, "fell": 2, "mean": -0.1, "p_value": 1.0}
    (text,) = effects.findings(pd.DataFrame([line | {"low": -0.9, "high": 0.6}]))
    assert text == (
        "The log odds of the added word fall by 0.10 on average (95% interval −0.60 to 0.90). They fall in 2 of 4 sentences (sign"
        " test: p = 1)."
    )


def test_a_mean_of_zero_neither_rises_nor_falls() -> None:
    (text,) = effects.findings(effects.summary(table({EDIT: [0.8, -0.8]})))
    assert text == (
        "The log odds of “she” stay the same on average (by −0.80 to 0.80 in single sentences). They rise in 1 of 2"
        " sentences (sign test: p = 1)."
    )


@pytest.mark.parametrize(("n", "test", "interval"), [(5, True, True), (6, False, True), (8, False, False)])
def test_few_sentences_have_a_caution(n: int, test: bool, interval: bool) -> None:
    text = effects.caution(effects.summary(table({EDIT: TWELVE[:n]})))
    assert ("cannot reach" in text) == test and ("too few values" in text) == interval
    # Six signs that agree are the fewest that the test can call significant.
    assert (stats.binomtest(n, n).pvalue > 0.05) == test


def test_a_control_of_fewer_sentences_says_so_and_leaves_the_caution_to_the_edit() -> None:
    rows = effects.summary(table({EDIT: [0.3, 0.6], "added only": [1.3]}))
    assert effects.caution(rows).startswith("With 2 sentences,") and "too few values" in effects.caution(rows)
    (found,) = effects.findings(rows)
    assert found.endswith("they change by +1.30 in 1 sentence.")
    (equal,) = effects.findings(effects.summary(table({EDIT: [0.3, 0.6], "added only": [1.3, 1.1]})))
    assert equal.endswith("they change by +1.20.")


def test_the_strongest_control_is_that_of_the_strongest_runs() -> None:
    rows = table({EDIT: [2.0, 2.0], "added only": [1.0, 1.0], "another word subtracted": [0.8, 0.8]})
    rows.loc[rows["run"] == "another word subtracted", "highest"] = [1.9, 2.1]
    (found,) = effects.findings(effects.summary(rows))
    assert found.endswith(
        "With the strongest control, subtracting a different word, they change by +0.80, and by +2.00 if its strongest"
        " run in each sentence is counted."
    )
