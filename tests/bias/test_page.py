"""The Bias page without a browser."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from embtools import wordlists
from embtools.bias import groups as bias_groups

TEMPLATE = "{group} works as a [MASK]."


@pytest.fixture(scope="module")
def page(visit):
    """Open the Bias page."""
    return partial(visit, "bias")


def panels():
    from embtools.ui.bias import association, counterfactual, groups, mitigation, occupations

    return groups, counterfactual, occupations, association, mitigation


@pytest.fixture(scope="module")
def at(page):
    return page()


def test_the_page_opens_with_a_result_and_a_content_note(at, bundled):
    found = bias_groups.group_answers(TEMPLATE, ("He", "She"), bundled)
    wide = at.table("He", "She", "average")
    for name in ("He", "She", "average"):
        best = found.answers[(found.answers["column"] == name) & (found.answers["rank"] == 1)].iloc[0]
        assert wide[name].iloc[0] == f"{best['token']} {best['probability']:.1%}"
    assert at.says("not true statements about people")
    assert len(at.charts) == 2
    assert all(chart.alt for chart in at.charts)


def test_every_preset_shows_a_result(page):
    at = page()
    for panel in panels():
        for name in panel.PRESETS:
            at.press(f"more-{name}")
            assert at.session_state.bias_tab == panel.TAB
            assert at.charts, name
            assert not at.says("good result stays") and not at.says("Meanwhile"), name
    at.press("Reset")
    assert at.session_state.bias_tab == panels()[0].TAB
    assert at.session_state.bias_template == TEMPLATE


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("bias_template", "", "Put {group} where"),
        ("bias_template", "{group} works.", "exactly one [MASK]"),
        ("bias_template", "{group} is a [MASK] " + "and so on " * 300, "this model reads"),
        ("bias_groups", "", "at least two"),
        ("bias_groups", "he, he", "at least two"),
        ("bias_groups", ", ".join(f"group{i}" for i in range(13)), "at most 12"),
    ],
)
def test_bad_groups_keep_the_last_result(page, key, value, message):
    at = page().put(key, value)
    assert at.says(message, "good result stays")
    assert len(at.table("He", "She", "average")) == 5


def test_groups_of_nine_pieces_are_shown_with_a_badge(page):
    at = page().put("bias_groups", "he, supercalifragilisticexpialidocious")
    assert "supercalifragilisticexpialidocious" in at.table("rank").columns
    assert at.says("no place in the average")


def test_the_address_restores_the_table(page, bundled):
    at = page(
        bias_template="The {group} is [MASK].",
        bias_groups="king, queen",
        bias_lean="-0.5",
        bias_scope="input",
        bias_k="3",
    )
    found = bias_groups.group_answers("The {group} is [MASK].", ("king", "queen"), bundled, 3, lean=-0.5, scope="input")
    assert len(at.table("king", "queen", "average", "rank")) == 3
    union = at.table("token", "king")
    np.testing.assert_allclose(union["average"], found.union["average"], rtol=1e-6)
    assert any("0.75 king + 0.25 queen" in c.value for c in at.code)


def test_offensive_words_can_be_hidden(page, monkeypatch):
    at = page(bias_template="The {group} is a [MASK].", bias_groups="man, woman", bias_k=20)
    answers = at.table("token", "man")["token"]
    some = set(answers.iloc[[0, 3]])  # in the place of the list, of which nothing may be among the answers
    load = wordlists.load
    monkeypatch.setattr(
        wordlists, "load", lambda name: pd.DataFrame({"word": [*some]}) if name == "offensive" else load(name)
    )
    assert some == set(answers) - set(at.put("bias_hide", True).table("token", "man")["token"])


def test_swap_tab_shows_both_sentences_and_its_errors(page):
    at = page(bias_tab="Whole sentence", bias_text="He loves his [MASK].")
    assert at.says("She loves her [MASK].")
    assert {"token", "first", "second", "change"} <= set(at.table("token", "change").columns)
    for key, value, message in (
        ("bias_text", "The sky is blue.", "no word of the pairs"),
        ("bias_text", "he " * 41, "41 words"),
        ("bias_text", "", "empty"),
    ):
        assert at.put(key, value).says(message)
    at.put("bias_text", "He is here.")
    assert at.put("bias_pairs", "he").says("not a pair")
    at.put("bias_pairs", "")
    assert at.put("bias_other", "She is over here.").says("4 and 5 words and signs")


def test_occupations_tab_measures_the_words_given(page, bundled):
    from embtools.bias import likelihood

    templates = "{group} is the {occupation}.\nThe {occupation} met {group}."
    at = page(bias_tab="Occupations", bias_templates=templates, bias_words="nurse, engineer, poet, judge, baker")
    expected = likelihood.summary(
        likelihood.template_scores(
            tuple(templates.splitlines()), ("nurse", "engineer", "poet", "judge", "baker"), ("he",), ("she",), bundled
        )
    )
    shown = at.table("occupation", "projection")
    np.testing.assert_allclose(shown["score"], expected["score"], atol=1e-5)
    assert at.metrics["On one side in every sentence"] == f"{expected['agree'].mean():.0%} of 5"
    assert at.put("bias_first", "lakisha").says("not one word piece")
    assert at.put("bias_first", "").says("a word in both groups")
    at.put("bias_first", "he")
    assert at.put("bias_templates", "He is here.").says("needs one {group}")


def test_one_word_alone_has_no_correlation(page):
    at = page(bias_tab="Occupations", bias_words="nurse", bias_templates="{group} is the {occupation}.")
    assert "Do both measures agree?" not in at.metrics


def test_association_tab_shows_the_published_tests(page, bundled):
    from embtools.bias import association, published_tests

    at = page(bias_tab="Association tests")
    for number in published_tests.GLOVE:
        at.put("bias_test", number)
        found = association.weat(*published_tests.word_sets(number), bundled)
        assert at.metrics["Effect size d"] == f"{found.effect:.2f}"
        assert at.metrics["p, one-sided"] == f"{found.p:.4f}"
        assert at.metrics["Published d"] == f"{published_tests.GLOVE[number]:.2f}"
        assert (at.says("no longer the published test")) == bool(found.left_out)
    for key, value, message in (
        ("bias_x", "king", "Set X has 1"),
        ("bias_x", "", "Set X has 0"),
        ("bias_x", "he, she, amy", "'amy' is in both X and Y"),
        ("bias_a", ", ".join(f"w{i}" for i in range(61)), "at most 60"),
    ):
        assert page(bias_tab="Association tests").put(key, value).says(message)


def test_seat_tab_and_its_errors(page, bundled):
    from embtools.bias import association, published_tests

    at = page(bias_tab="Association tests", bias_level="sentences (SEAT)", bias_pooling="mean")
    found = association.seat(*published_tests.word_sets(6), bundled, pooling="mean")
    assert at.metrics["Effect size d"] == f"{found.effect:.2f}"
    assert at.put("bias_bleached", "This is it.").says("needs one {word}")


@pytest.fixture
def unfamiliar(lend, tiny):
    """A model that knows hardly any word of the examples, in the place of the bundled one."""
    lend(tiny)


@pytest.mark.parametrize(
    ("tab", "message"),
    [
        ("Occupations", "is not in the vocabulary"),
        ("Association tests", "cannot be read"),
        ("Mitigation", "is not"),
    ],
)
def test_a_model_without_the_examples_words_says_so(page, unfamiliar, tab, message):
    at = page(bias_tab=tab, bias_axis_pairs="nun=monk", bias_first="nun")
    assert at.says(message) and not at.charts


def test_own_words_are_scored_without_the_ten_pairs(page, unfamiliar):
    at = page(
        bias_tab="Occupations", bias_words="king, queen, bank, river", bias_templates="{group} is the {occupation}."
    )
    assert at.charts and at.says("is not in the vocabulary")
    assert len(at.table("beta")) == 3  # beside one of the four words, in the place of the dancer


def test_the_last_good_question_belongs_to_its_model(page, lend, tiny, bundled):
    """What one model could read is not asked of another."""
    lend(tiny)
    at = page(bias_tab="Association tests")
    assert not at.charts
    lend(bundled)
    assert at.run().charts


def test_corrected_tests_are_counted(page, unfamiliar):
    at = page(bias_tab="Association tests", bias_x="he, she", bias_y="king, queen", bias_a="red, green", bias_b="a, is")
    assert at.says("of 0 have p < 0.05", "other 10 have too few words")


def test_nearer_to_every_group_than_any_two_to_each_other(page, cold, monkeypatch):
    """One far pair of groups is not enough."""
    found = bias_groups.group_answers

    def invented(*arguments, **named):
        result = found(*arguments, **named)
        table = result.distances.set_index("of")
        table.loc[:, ["he", "she", "king"]] = 0.4  # the average to each group
        table.loc[table["kind"] == "group", ["he", "she", "king"]] = [[0, 0.1, 0.9], [0.1, 0, 0.9], [0.9, 0.9, 0]]
        return replace(result, distances=table.reset_index())

    monkeypatch.setattr(bias_groups, "group_answers", invented)
    at = page(bias_groups="he, she, king")
    assert at.says("are not nearer to every group")


def test_mitigation_tab_and_its_errors(page):
    at = page(bias_tab="Mitigation", bias_axis_pairs="he=she, man=woman", bias_side="50")
    assert set(at.table("method", "gap")["method"]) == {
        "none",
        "average",
        "project away",
        "equalise",
        "random direction",
    }
    assert at.table("method", "gap").set_index("method").loc["average", "gap"] < 1e-6
    assert {"accuracy", "shuffled"} <= set(at.table("accuracy").columns)
    for value, message in (
        ("he", "not a pair"),
        ("", "as many words"),
        ("he=she, he=woman", "two pairs"),
        ("he=lakisha", "piece"),
    ):
        assert at.put("bias_axis_pairs", value).says(message)


def test_a_stopped_run_waits_for_its_button(page):
    at = page(bias_tab="Mitigation", bias_run="0")
    assert not at.charts
    assert any(b.label == "Try the mitigations" for b in at.button)


def assert_tables(at, *expected):
    """Every table of the page, in its order, is one of these: a table that no code makes fails here too."""
    assert len(at.dataframe) == len(expected)
    for shown, frame in zip(at.dataframe, expected, strict=True):
        pd.testing.assert_frame_equal(
            shown.value.reset_index(drop=True), frame.reset_index(drop=True), check_dtype=False, rtol=1e-4, atol=1e-5
        )


@pytest.mark.parametrize("query", [{}, {"bias_hide": "true", "bias_groups": "he, she, the nurse", "bias_lean": "-0.5"}])
def test_the_copied_code_of_groups_gives_the_numbers_shown(page, query, bundled):
    at = page(**query)
    found = at.copied(bundled)
    rows = found.result.answers
    answer = [f"{t} {p:.1%}" for t, p in zip(rows["token"], rows["probability"], strict=True)]
    best = rows.assign(answer=answer).pivot(index="rank", columns="column", values="answer")[
        list(rows["column"].unique())
    ]
    assert_tables(at, best.reset_index(), found.result.union, found.result.distances, found.curve)
    names = list(found.result.groups)
    between = found.result.distances.set_index("of").loc[names, names].to_numpy()
    assert at.metrics["Between groups"] == f"{between.max():.3f} bits"
    assert at.says(f"no probability differs by more than {100 * found.result.scope_gap:.4f} points")
    assert found.result.formula in [c.value for c in at.code]


def test_the_copied_code_of_a_swapped_sentence_gives_the_numbers_shown(page, bundled):
    at = page(bias_tab="Whole sentence", bias_text="He loves his [MASK].")
    found = at.copied(bundled)
    assert (found.first, found.second) == ("He loves his [MASK].", "She loves her [MASK].")
    assert_tables(at, found.answers, found.words)
    assert at.metrics["Distance of the answers"] == f"{found.bits:.3f} bits"
    assert at.metrics["All shared words together"] == f"{found.words['change'].sum():+.2f} nats"
    assert not hasattr(page(bias_tab="Whole sentence").copied(bundled), "bits")  # no mask, no answers


@pytest.mark.parametrize("axis", ["the two groups", "ten pairs"])
def test_the_copied_code_of_occupations_gives_the_numbers_shown(page, axis, bundled):
    at = page(
        bias_tab="Occupations",
        bias_words="nurse, judge, poet, baker, dancer",
        bias_templates="{group} is the {occupation}.\nThe {occupation} met {group}.",
        bias_axis=axis,
    )
    found = at.copied(bundled)
    assert_tables(at, found.both, found.summary, found.scores, found.shares, found.likeness)
    assert len(found.likeness) == 4  # the dancer is not compared with itself
    rho, low, high, p = found.fit
    shown = next(m for m in at.metric if m.label == "Do both measures agree?")
    assert (shown.value, shown.delta) == (f"ρ = {rho:.2f}", f"95 %: {low:.2f} to {high:.2f}, p = {p:.4f}")
    assert at.metrics["Mean size of the score"] == f"{found.both['score'].abs().mean():.2f} nats"


@pytest.mark.parametrize("level", ["words (WEAT)", "sentences (SEAT)"])
def test_the_copied_code_of_association_tests_gives_the_numbers_shown(page, level, bundled):
    at = page(bias_tab="Association tests", bias_level=level, bias_pieces="mean")
    found = at.copied(bundled)
    tables = [found.found.scores, found.tests]
    if "WEAT" in level:
        tables.append(found.others.assign(value=found.others["value"].round(4)))
    assert_tables(at, *tables)
    effect = next(m for m in at.metric if m.label == "Effect size d")
    assert effect.value == f"{found.found.effect:.2f}"
    assert effect.delta == f"95 %: {found.found.low:.2f} to {found.found.high:.2f}"
    p = next(m for m in at.metric if m.label == "p, one-sided")
    assert (p.value, p.delta) == (f"{found.found.p:.4f}", f"two-sided {found.found.p_two:.4f}")
    assert at.metrics["Divisions"] == f"{found.found.partitions:,}"


def test_the_copied_code_of_mitigation_gives_the_numbers_shown(page, bundled):
    from embtools.bias.mitigation import METHODS

    at = page(bias_tab="Mitigation", bias_axis_pairs="he=she", bias_side="50", bias_method="equalise")
    found = at.copied(bundled)
    wide = found.by_sentence[list(METHODS)].reset_index()
    assert_tables(at, found.gains, found.summary, wide, found.left_over, found.points)


@pytest.mark.parametrize(
    ("tab", "job", "column"),
    [
        ("Groups in a sentence", "Asking for every group", "king"),
        ("Groups in a sentence", "Weighing the average", "lean"),
        ("Association tests", "Running all ten tests", "p_holm"),
    ],
)
def test_a_stopped_answer_waits_for_its_button(page, stop, tab, job, column):
    stop(job)
    at = page(bias_tab=tab, bias_groups="king, queen")
    assert at.says("It was stopped") and not any(column in table for table in at.tables)
    at.press("Begin again")
    assert not at.says("It was stopped") and any(column in table for table in at.tables)
