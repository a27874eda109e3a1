"""The Bias page without a browser."""

import importlib
import inspect
import json
from functools import partial

import numpy as np
import pandas as pd
import pytest

from embtools import wordlists
from embtools.bias import groups as bias_groups
from embtools.bias import leanings, likelihood
from embtools.progress import silent
from embtools.ui import warm
from embtools.ui.bias.panels import PANELS
from tests.figures_of import decoded

pytestmark = pytest.mark.usefixtures("as_shipped")

TEMPLATE = "{group} works as a [MASK]."
GROUPS, SWAP, OCCUPATIONS, TESTS, MITIGATION = "groups", "sentence", "occupations", "association", "mitigation"
FEW = {
    "bias_tab": OCCUPATIONS,
    "bias_words": "nurse, judge, poet, baker, dancer",
    "bias_templates": "{group} is the {occupation}.\nThe {occupation} met {group}.",
}


@pytest.fixture(scope="module")
def page(visit):
    """Open the Bias page."""
    return partial(visit, "bias")


CAPTIONS = {
    GROUPS: "Each row is a word. Each mark is its probability at the mask for one group;",
    SWAP: "Each bar is a word that the sentence shares with its swapped version.",
    OCCUPATIONS: "Each mark shows which group an occupation makes more likely, and by how much",
    TESTS: "Each point is a target word, X above and Y below.",
    MITIGATION: "Each row is a method. Gains: how differently BERT answers for the first pair",
}
EXAMPLES = [(key, name) for key, panel in PANELS.items() for name in panel.PRESETS]


@pytest.fixture(scope="module")
def at(page):
    return page()


def headline(at):
    (header,) = at.header
    return header.value.replace("\\", "")


# The first view


def test_the_page_opens_with_its_finding_a_result_and_a_content_note(at, bundled):
    found = bias_groups.group_answers(TEMPLATE, bundled, groups=("He", "She"))
    assert headline(at) == found.headline
    wide = at.table("rank", "He", "She", "average")
    for name in ("He", "She", "average"):
        best = found.answers[(found.answers["column"] == name) & (found.answers["rank"] == 1)].iloc[0]
        assert wide[name].iloc[0] == f"{best['token']} {best['probability']:.1%}"
    assert at.says("not facts about people")
    assert len(at.charts) == 1 and at.charts[0].alt


@pytest.mark.slow("mitigation", "occupations")
@pytest.mark.parametrize("tab", PANELS)
def test_every_tab_opens_with_one_headline_and_a_caption(page, tab):
    at = page(bias_tab=tab, tables=False)
    assert headline(at).endswith(".")
    assert at.says(CAPTIONS[tab])
    assert all(chart.alt for chart in at.charts)
    assert len(at.charts) <= 4 and not at.problems


@pytest.mark.slow("mitigation")
@pytest.mark.parametrize("tab", PANELS)
def test_a_second_run_does_not_use_the_model(page, tab, monkeypatch):
    from embtools.models.embedding_model import EmbeddingModel

    at = page(bias_tab=tab)
    for name in ("_arguments", "transform", "logits"):
        monkeypatch.setattr(EmbeddingModel, name, None)
    at.run()
    assert headline(at) and not at.problems


def test_the_first_view_is_prepared_before_anybody_comes(page, cold, monkeypatch):
    from embtools.models.embedding_model import EmbeddingModel

    for query in warm.first_queries("bias"):
        warm.ask(query, "bundled", silent)
    monkeypatch.setattr(EmbeddingModel, "_arguments", None)
    for tab in ("groups", "sentence", "association"):
        at = page(bias_tab=tab)
        assert headline(at) and not at.problems


@pytest.mark.slow(
    "mitigation-Only he and she",
    "mitigation-Ten pairs",
    "occupations-First names",
    "occupations-He and she",
    "occupations-Young and old",
)
@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_every_example_shows_a_result_and_is_in_the_address(page, key, name):
    from embtools.ui import examples

    panel = PANELS[key]
    at = page(bias_tab=key, bias_hide=True)
    at.press(f"example-{panel.TAB}-{name}")
    values = examples.values_of(panel, panel.PRESETS[name])
    assert {key: at.session_state[key] for key in values} == values
    assert at.charts and not at.problems and not at.says("Showing the p")
    assert at.session_state.bias_hide  # a teacher's switch is no part of an example
    at.links_to_itself()


def test_reset_returns_to_the_defaults(page):
    at = page(bias_groups="king, queen", bias_text="He is here.", bias_hide=True)
    at.press("Reset")
    assert at.session_state.bias_groups == "He, She"
    assert at.session_state.bias_text.startswith("The nurse")
    assert not at.session_state.bias_hide


# Groups in a sentence


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("bias_template", "", "Put {group} where"),
        ("bias_template", "works", "exactly one [MASK]"),
        ("bias_template", "{group} is a [MASK] [MASK].", "exactly one [MASK]"),
        ("bias_template", "{group} is a [MASK] " + "and so on " * 300, "this model reads"),
        ("bias_template", "x" * 10_000, "exactly one [MASK]"),
        ("bias_groups", "", "at least two"),
        ("bias_groups", "he, he", "at least two"),
        ("bias_groups", ", ".join(f"group{i}" for i in range(13)), "at most 12"),
    ],
)
def test_bad_groups_keep_the_last_result_and_say_what_it_answers(page, key, value, message):
    at = page().put(key, value)
    assert len(at.problems) == 1 and message in at.problems[0]
    assert at.says(f"Showing the previous result, for: {TEMPLATE}")
    assert len(at.table("rank", "He", "She", "average")) == 5


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("She works as a nurse.", "{group} works as a [MASK]."),
        ("Niklas works as a [MASK].", "{group} works as a [MASK]."),
        ("{group} works as a ___.", "{group} works as a [MASK]."),
        ("{group} works as a [mask].", "{group} works as a [MASK]."),
    ],
)
def test_a_visitors_own_sentence_is_answered_at_once(page, text, meant, bundled):
    at = page(bias_template=text)
    assert not at.problems
    assert headline(at) == bias_groups.group_answers(meant, bundled, groups=("He", "She")).headline
    assert at.says("Each group replaces the word") == ("{group}" not in text)
    assert at.session_state.bias_template == text


def test_the_groups_can_replace_another_word(page):
    at = page(bias_template="The old doctor works as a [MASK].")
    assert at.says("Each group replaces the word “old”.")
    at.press("replace-doctor")
    assert at.session_state.bias_template == "The old {group} works as a [MASK]."
    assert not at.says("Each group replaces the word")


def test_groups_of_nine_tokens_are_not_averaged(page):
    at = page().put("bias_groups", "he, supercalifragilisticexpialidocious")
    assert "supercalifragilisticexpialidocious" in at.table("rank").columns
    assert at.says("Not part of the average, because they have several tokens: supercalifragilisticexpialidocious.")
    assert page(bias_groups="he, the nurse", bias_more="weight").says("There is no average")


def test_the_address_restores_the_table(page, bundled):
    at = page(
        bias_template="The {group} is [MASK].",
        bias_groups="king, queen",
        bias_lean="-0.5",
        bias_scope="input",
        bias_k="3",
    )
    found = bias_groups.group_answers(
        "The {group} is [MASK].", bundled, groups=("king", "queen"), k=3, lean=-0.5, scope="input"
    )
    assert len(at.table("king", "queen", "average", "rank")) == 3
    union = at.table("token", "king")
    np.testing.assert_allclose(union["average"], found.union["average"], rtol=1e-6)
    assert at.says("average = 0.75 king + 0.25 queen")


def test_offensive_words_can_be_hidden(page, monkeypatch):
    load = wordlists.load
    groups = page(bias_template="The {group} is a [MASK].", bias_groups="man, woman", bias_k=20)
    sentences = page(bias_tab=SWAP, bias_text="The man is a [MASK].")
    some = set()
    for at, column in ((groups, "man"), (sentences, "second")):
        some |= set(at.table("token", column)["token"].iloc[[0, 3]])
    # Replaces the list, no word of which may be among the answers.
    monkeypatch.setattr(
        wordlists, "load", lambda name: pd.DataFrame({"word": [*some]}) if name == "offensive" else load(name)
    )
    for at, column in ((groups, "man"), (sentences, "second")):
        before = set(at.table("token", column)["token"])
        after = set(at.put("bias_hide", True).table("token", column)["token"])
        assert before & some and not after & some


def test_words_come_from_a_list(page):
    at = page()
    at.session_state["bias-list"] = True
    at.run().press("Use the first word of each group")
    assert at.session_state.bias_groups == "he, she, they"


# Whole sentence


def test_swap_tab_shows_both_sentences_and_its_errors(page):
    at = page(bias_tab=SWAP, bias_text="He loves his [MASK].")
    assert at.says("She loves her [MASK].")
    assert {"token", "first", "second", "change"} <= set(at.table("token", "change").columns)
    for key, value, message in (
        ("bias_text", "The sky is blue.", "contains no word of the pairs"),
        ("bias_text", "he " * 41, "41 words"),
        ("bias_text", "", "empty"),
    ):
        assert message in at.put(key, value).problems[0]
        assert at.says("Showing the previous result, for: He loves his [MASK].")
    at.put("bias_text", "He is here.")
    assert at.put("bias_pairs", "he").says("not a pair")
    at.put("bias_pairs", "")
    assert at.put("bias_other", "She is over here.").says("4 and 5 words and punctuation marks")


# Occupations


def test_occupations_tab_measures_the_words_given(page, bundled):
    at = page(**FEW)
    expected = likelihood.summary(
        likelihood.template_scores(
            tuple(FEW["bias_templates"].splitlines()),
            bundled,
            occupations=tuple(FEW["bias_words"].split(", ")),
            first=("he",),
            second=("she",),
        )
    )
    shown = at.table("occupation", "projection")
    np.testing.assert_allclose(shown["score"], expected["score"], atol=1e-5)
    assert headline(at) == leanings.headline(expected, "he", "she")
    assert at.says(leanings.one_sided(expected))
    assert at.put("bias_first", "lakisha").says("not a single token")
    assert at.put("bias_first", "").says("at least one word in both groups")
    at.put("bias_first", "he")
    at.session_state["bias-sentences"] = True
    assert at.run().put("bias_templates", "He is here.").says("needs one {group}")


def test_the_chart_shows_the_ends_and_on_request_all_words(page):
    at = page(bias_tab=OCCUPATIONS)

    def rows():
        return at.charts[0].spec.count("mathematician"), at.charts[0].spec.count("banker")

    assert rows()[0] and not rows()[1]
    assert len(at.table("occupation", "lowest")) == 60  # the table has all
    at.put("bias_all", True)
    assert all(rows())
    assert not any(t.key == "bias_all" for t in page(**FEW).toggle)  # five words need no such switch


def test_one_word_alone_has_no_correlation(page):
    at = page(bias_tab=OCCUPATIONS, bias_words="nurse", bias_templates="{group} is the {occupation}.")
    assert not at.says("ρ = ") and len(at.charts) == 1


def test_own_words_are_scored_without_the_ten_pairs(page, lend, tiny):
    lend(tiny)
    at = page(
        bias_tab=OCCUPATIONS,
        bias_words="king, queen, bank, river",
        bias_templates="{group} is the {occupation}.",
        open="one-direction",
    )
    assert at.charts and at.says("is not in the vocabulary")
    assert len(at.table("beta")) == 3  # added to one of the four words, replacing the dancer


# Association tests


@pytest.mark.slow
def test_association_tab_shows_the_published_tests(page, bundled):
    from embtools.bias import association
    from embtools.words import word_sets

    at = page(bias_tab=TESTS)
    for number in word_sets.GLOVE:
        at.put("bias-published", number)
        found = association.weat(*word_sets.word_sets(number), bundled)
        assert at.metrics["Effect size d"] == f"{found.effect:.2f}".replace("-", "−")
        assert at.metrics["p, two-sided"] == f"{found.p:.4f}"
        assert at.metrics["Published d"] == f"{word_sets.GLOVE[number]:.2f}"
        assert at.says("no longer the published test") == bool(found.left_out)
    for key, value, message in (
        ("bias_x", "king", "Set X needs at least two different words; it has 1"),
        ("bias_x", "", "Set X needs at least two different words; it has 0"),
        ("bias_x", "he, she, amy", "'amy' is in both X and Y"),
        ("bias_a", ", ".join(f"w{i}" for i in range(61)), "at most 60"),
    ):
        at = page(bias_tab=TESTS, **{key: value})
        assert message in at.problems[0]
        assert at.selectbox(key="bias-published").value is None


def test_own_words_are_typed_below_their_button(page):
    at = page(bias_tab=TESTS)
    assert not at.text_area
    at.session_state["bias-sets"] = True
    at.run().put("bias_x", "king, queen")
    assert at.says("the first words are more strongly associated with “")
    assert "Published d" not in at.metrics


def test_seat_tab_and_its_errors(page, bundled):
    from embtools.bias import association
    from embtools.words import word_sets

    at = page(bias_tab=TESTS, bias_level="seat", bias_pooling="mean")
    found = association.seat(*word_sets.word_sets(6), bundled, pooling="mean")
    assert at.metrics["Effect size d"] == f"{found.effect:.2f}".replace("-", "−")
    at = page(bias_tab=TESTS, bias_level="seat", bias_bleached="This is it.")
    assert "needs one {word}" in at.problems[0]


@pytest.mark.parametrize("layer", ["0", "3", "6", "last", "12", "x"])
def test_an_unknown_layer_becomes_the_last_one(page, layer, bundled):
    from embtools.bias import association
    from embtools.words import word_sets

    at = page(bias_tab=TESTS, bias_level="seat", bias_pooling="word", bias_layer=layer)
    number = int(layer) if layer in ("0", "3") else -1
    found = association.seat(*word_sets.word_sets(6), bundled, pooling="word", layer=number)
    assert at.metrics["Effect size d"] == f"{found.effect:.2f}".replace("-", "−")


def test_corrected_tests_are_counted(page, lend, tiny):
    lend(tiny)
    at = page(bias_tab=TESTS, bias_x="he, she", bias_y="king, queen", bias_a="red, green", bias_b="a, is")
    assert at.says("0 of 0 tests have a two-sided p < 0.05", "The other 10 tests have too few single-token words.")


# Mitigation


@pytest.mark.slow
def test_mitigation_tab_and_its_errors(page):
    from embtools.bias.mitigated import METHODS

    at = page(bias_tab=MITIGATION, bias_axis_pairs="he=she, man=woman", bias_side="50")
    assert tuple(at.table("method", "gap")["method"]) == METHODS
    assert at.table("method", "gap").set_index("method").loc["average", "gap"] < 1e-6
    left = at.table("accuracy", "shuffled").set_index("method")
    assert left.loc["LEACE", "loss_fitted"] == pytest.approx(1, abs=1e-4)
    assert at.says(
        "constant answer: the best one has a loss of 1.00 bits",
        f"{left.loc['LEACE', 'accuracy']:.0%} of the biased words",
    )
    for value, message in (
        ("he", "not a pair"),
        ("", "need the same number of words, at least one"),
        ("he=she, he=woman", "'he' occurs in two pairs"),
        ("he=he", "Both words of a pair are 'he'"),
        ("he=lakisha", "not a single token"),
    ):
        assert message in at.put("bias_axis_pairs", value).problems[0]
        assert at.says("Showing the previous result, for: he=she, man=woman")


@pytest.mark.slow
def test_the_legend_explains_the_marks(page):
    at = page(bias_tab=MITIGATION, bias_side="50", tables=False)
    for chart, more in zip(at.charts[:3], ((), (), ("chance",)), strict=True):
        names = {"method", "control", *more}
        figure = json.loads(chart.spec)
        shown = {trace["name"]: trace["marker"]["symbol"] for trace in figure["data"]}
        assert set(shown) == names
        assert len(set(shown.values())) == len(names)
        control = next(trace for trace in figure["data"] if trace["name"] == "control")
        rows = [figure["layout"]["yaxis"]["ticktext"][int(row)] for row in decoded(control["y"])]
        assert rows == ["random direction", "random directions"]


# Another model


@pytest.mark.parametrize(
    ("tab", "message"),
    [(OCCUPATIONS, "is not in the vocabulary"), (TESTS, "cannot be read"), (MITIGATION, "is not")],
)
def test_a_model_without_the_examples_words_says_so(page, lend, tiny, tab, message):
    lend(tiny)
    at = page(bias_tab=tab, bias_axis_pairs="nun=monk", bias_first="nun")
    assert at.says(message) and not at.charts


def test_the_last_good_query_belongs_to_its_model(page, lend, tiny, bundled):
    """The last good query of one model is not used for another."""
    lend(tiny)
    at = page(bias_tab=TESTS)
    assert not at.charts
    lend(bundled)
    assert at.run().charts


# Long work


@pytest.mark.slow(
    "mitigation-methods-Compare the methods-query2", "occupations-likelihood-Score the occupations-query0"
)
@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize(
    ("tab", "module", "button", "query"),
    [
        (OCCUPATIONS, "likelihood", "Score the occupations", {"run": "bias-occupations"}),
        (TESTS, "association", "Encode the sentences", {"run": "bias-association", "bias_level": "seat"}),
        (MITIGATION, "methods", "Compare the methods", {"run": "bias-mitigation"}),
    ],
)
def test_a_link_to_long_work_says_how_long_it_takes_and_waits(page, cold, monkeypatch, tab, module, button, query):
    home = importlib.import_module(f"embtools.bias.{module}")

    def effort(*_, **__):
        return 30.0

    effort.__signature__ = inspect.signature(home.effort)
    monkeypatch.setattr(home, "effort", effort)
    at = page(bias_tab=tab, **query)
    assert not at.charts and at.says("About 30 seconds on this server. The link")
    at.press(button)
    assert at.charts and not at.says("seconds on this server")


@pytest.mark.slow("mitigation-Comparing the methods-accuracy")
@pytest.mark.parametrize(
    ("tab", "job", "column"),
    [
        (GROUPS, "Computing the answers for every group", "king"),
        (TESTS, "Running all ten tests", "p_adjusted"),
        (MITIGATION, "Comparing the methods", "accuracy"),
    ],
)
def test_a_stopped_answer_waits_for_its_button(page, stop, tab, job, column):
    stop(job)
    at = page(bias_tab=tab, bias_groups="king, queen", bias_axis_pairs="he=she", bias_side="50")
    assert at.says("was stopped.")
    stopped = at.says("Showing the page's example") or not any(column in table for table in at.tables)
    assert stopped
    at.press("Run again")
    assert not at.says("was stopped.") and not at.says("Showing the p")
    assert any(column in table for table in at.tables)


# The copied code


def assert_tables(at, *expected):
    """Every table of the page is one of these, and each of these a table: one that no code makes fails here too."""
    assert len(at.dataframe) == len(expected)
    for shown, frame in zip(at.dataframe, expected, strict=True):
        pd.testing.assert_frame_equal(
            shown.value.reset_index(drop=True), frame.reset_index(drop=True), check_dtype=False, rtol=1e-4, atol=1e-5
        )


def assert_printed(at, found):
    """The sentences of the page that the code makes, among them the headline, are printed by it unchanged."""
    sentences = [value for value in found.printed if isinstance(value, str) and value.endswith(".")]
    assert headline(at) in sentences
    assert at.says(*sentences)


@pytest.mark.parametrize("query", [{}, {"bias_hide": "true", "bias_groups": "he, she, the nurse", "bias_lean": "-0.5"}])
def test_the_copied_code_of_groups_gives_the_numbers_shown(page, query, bundled):
    at = page(**query)
    found = at.copied(bundled)
    rows = found.result.answers
    answer = [f"{t} {p:.1%}" for t, p in zip(rows["token"], rows["probability"], strict=True)]
    best = rows.assign(answer=answer).pivot(index="rank", columns="column", values="answer")[
        list(rows["column"].unique())
    ]
    assert_tables(at, found.result.union, best.reset_index(), found.result.distances)
    assert_printed(at, found)
    assert at.says(f"average = {found.result.formula}")


def test_the_copied_code_of_the_curve_gives_the_numbers_shown(page, bundled):
    at = page(bias_more="weight")
    found = at.copied(bundled)
    pd.testing.assert_frame_equal(at.table("weight"), found.curve, check_dtype=False, rtol=1e-4, atol=1e-6)
    assert "distances" not in found.code
    assert len(at.charts) == 2


def test_the_copied_code_of_a_swapped_sentence_gives_the_numbers_shown(page, bundled):
    at = page(bias_tab=SWAP, bias_text="He loves his [MASK].")
    found = at.copied(bundled)
    assert found.printed[:2] == ["He loves his [MASK].", "She loves her [MASK]."]
    assert_tables(at, *(value for value in found.printed if isinstance(value, pd.DataFrame)))
    assert_printed(at, found)
    assert at.says(f"The distance between the answers is {found.printed[-1]:.3f} bits.")
    assert "distance" not in page(bias_tab=SWAP).copied(bundled).code  # no mask, no answers


def test_the_copied_code_leaves_out_offensive_words_without_quoting_them(page, bundled):
    at = page(bias_tab=SWAP, bias_text="He loves his [MASK].", bias_hide="true")
    found = at.copied(bundled)
    assert "leave_out=WordList(name='offensive'" in found.code
    assert_tables(at, *(value for value in found.printed if isinstance(value, pd.DataFrame)))


@pytest.mark.parametrize("axis", ["groups", "ten-pairs"])
def test_the_copied_code_of_occupations_gives_the_numbers_shown(page, axis, bundled):
    at = page(**FEW, bias_axis=axis, open=["by-sentence", "one-direction"])
    found = at.copied(bundled)
    result = found.occupations
    assert_tables(at, result.summary, result.both, result.scores, found.shares, found.indirect)
    for frame in (result.summary, result.both, result.scores, found.shares, found.indirect):
        assert any(value is frame for value in found.printed)
    assert len(found.indirect) == 4  # the dancer is not compared with itself
    assert_printed(at, found)
    rho, low, high, _ = result.fit
    assert at.says(f"ρ = {rho:.2f}, 95% interval {low:.2f} to {high:.2f}".replace("-", "−"))
    assert at.says(f"The mean absolute score here is {result.both['score'].abs().mean():.2f}")


@pytest.mark.parametrize("level", ["weat", "seat"])
@pytest.mark.parametrize("more", ["ten", "others"])
def test_the_copied_code_of_association_tests_gives_the_numbers_shown(page, level, more, bundled):
    at = page(bias_tab=TESTS, bias_level=level, bias_pieces="mean", bias_tests=more)
    found = at.copied(bundled)
    test = found.test
    second = found.tests.frame if more == "ten" else found.others.assign(value=found.others["value"].round(4))
    assert_tables(at, test.scores, second)
    assert any(value is test.scores for value in found.printed)
    assert_printed(at, found)
    effect = next(m for m in at.metric if m.label == "Effect size d")
    interval = f"95% interval {test.low:.2f} to {test.high:.2f}"
    assert effect.value == f"{test.effect:.2f}".replace("-", "−")
    assert effect.delta == interval.replace("-", "−")
    p = next(m for m in at.metric if m.label == "p, two-sided")
    assert p.value == f"{test.p:.4f}" and "one-sided" not in "".join(m.label + m.delta for m in at.metric)
    assert at.metrics["Shuffles"] == f"{test.partitions:,}"
    assert [test.effect, test.low, test.high, test.p, test.partitions] == found.printed[1:6]


@pytest.mark.slow
@pytest.mark.parametrize(("more", "method"), [("map", "leace"), ("sentences", "equalise")])
def test_the_copied_code_of_mitigation_gives_the_numbers_shown(page, more, method, bundled):
    query = {"bias_axis_pairs": "he=she, man=woman", "bias_side": "50", "bias_method": method}
    at = page(bias_tab=MITIGATION, bias_left=more, **query)
    found = at.copied(bundled)
    last = found.points if more == "map" else found.methods.by_sentence
    assert_tables(at, found.methods.gains, found.methods.summary, found.methods.residuals, last)
    for frame in (found.methods.gains, found.methods.summary, found.methods.residuals):
        assert any(value is frame for value in found.printed)
    assert_printed(at, found)


# Links


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [
        ({"bias_lean": "2"}, "bias_lean", 0.0),
        ({"bias_k": "1e400"}, "bias_k", 5),
        ({"bias_scope": "none"}, "bias_scope", "tied"),
        ({"bias_tab": "Nothing"}, "bias_tab", "Groups in a sentence"),
        ({"bias_side": "nan", "bias_tab": "sentence"}, "bias_side", 200),
    ],
)
def test_links_cannot_set_invalid_values(page, query, key, value):
    at = page(**query)
    assert at.session_state[key] == value and not at.problems
