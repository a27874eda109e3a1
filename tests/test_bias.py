"""Answers by group and for their average, against the network with its row overwritten as in "BERT Embedding Math"."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon

from embtools import fill_mask
from embtools.bias import groups as bias_groups
from embtools.mask_filling import forward

TEMPLATE = "{group} works as a [MASK]."


@pytest.fixture(scope="module")
def network_answers(tiny_folder):
    """Probabilities at the mask, straight from transformers, after rows of the tied matrix were overwritten."""
    import torch
    from transformers import AutoTokenizer, BertForMaskedLM

    tokenizer = AutoTokenizer.from_pretrained(tiny_folder)

    def read(text, weights=None, target=None):
        network = BertForMaskedLM.from_pretrained(tiny_folder).eval()
        matrix = network.get_input_embeddings().weight
        with torch.no_grad():
            if weights:
                vector = sum(w * matrix[tokenizer.convert_tokens_to_ids(word)] for word, w in weights.items())
                matrix[tokenizer.convert_tokens_to_ids(target)] = vector
            encoding = tokenizer(text, return_tensors="pt")
            at = (encoding["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
            chances = network(**encoding).logits[0, at].double().softmax(-1)
        return dict(zip(tokenizer.convert_ids_to_tokens(range(len(chances))), chances.tolist(), strict=True))

    return read


def column(found, name):
    return found.union.set_index("token")[name].to_dict()


def test_each_groups_column_is_its_own_sentence(tiny):
    found = bias_groups.group_answers(TEMPLATE, ("He", "She"), tiny, 4)
    for name in ("He", "She"):
        rows = found.answers[found.answers["column"] == name]
        expected = fill_mask(f"{name} works as a [MASK].", tiny, 40)
        expected = expected[tiny.rankable[[tiny.ids[t] for t in expected["token"]]]].head(4)
        assert list(rows["token"]) == list(expected["token"])
        np.testing.assert_allclose(rows["probability"], expected["probability"], rtol=1e-5)
        assert list(rows["rank"]) == [1, 2, 3, 4]


def test_each_group_keeps_its_own_article(tiny, network_answers):
    found = bias_groups.group_answers("a {group} is [MASK].", ("king", "un"), tiny, 30)
    expected = network_answers("an un is [MASK].")  # "an" is unknown to this vocabulary, "a" is not
    assert column(found, "un") == pytest.approx({t: expected[t] for t in column(found, "un")}, abs=1e-6)


@pytest.mark.parametrize(("lean", "weight"), [(0.0, 0.5), (-0.5, 0.75), (1.0, 0.0)])
def test_the_tied_average_is_the_overwritten_row(lean, weight, tiny, network_answers):
    found = bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny, 30, lean=lean, scope="tied")
    expected = network_answers("he works as a [MASK].", {"he": weight, "she": 1 - weight}, "he")
    for token, probability in column(found, "average").items():
        assert probability == pytest.approx(expected[token], abs=1e-6)


def test_the_scopes_differ_in_the_words_own_score_only(tiny):
    tied, free = (bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny, 30, scope=s) for s in ("tied", "input"))
    a, b = column(tied, "average"), column(free, "average")
    gap = max(abs(a[t] - b[t]) for t in a)
    assert tied.scope_gap == free.scope_gap == pytest.approx(gap, rel=1e-6) and gap > 0
    ratios = {t: a[t] / b[t] for t in a if t != "he"}
    assert np.ptp(list(ratios.values())) < 1e-5  # all others move together, by the normalisation


def test_at_the_ends_the_average_answers_like_a_group(tiny):
    first = bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny, 30, lean=-1, scope="input")
    second = bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny, 30, lean=1, scope="input")
    assert column(first, "average") == pytest.approx(column(first, "he"), abs=1e-7)
    assert column(second, "average") == pytest.approx(column(second, "she"), abs=1e-7)


def test_only_the_slot_is_averaged(tiny, network_answers):
    found = bias_groups.group_answers("{group} is he, a [MASK].", ("he", "she"), tiny, 30, scope="input", lean=1)
    assert column(found, "average") == pytest.approx(column(found, "she"), abs=1e-7)
    expected = network_answers("she is he, a [MASK].")
    assert column(found, "average") == pytest.approx({t: expected[t] for t in column(found, "average")}, abs=1e-6)


def test_distances_are_scipys(tiny):
    found = bias_groups.group_answers(TEMPLATE, ("he", "she", "king"), tiny, 30, scope="input")
    values = found.distances.set_index("of")
    everything = {
        n: np.array(
            [
                fill_mask(f"{n} works as a [MASK].", tiny, 45).set_index("token")["probability"][t]
                for t in tiny.vocabulary
            ]
        )
        for n in ("he", "she", "king")
    }
    for one in everything:
        for other in everything:
            expected = jensenshannon(everything[one], everything[other], base=2) ** 2
            assert values.loc[one, other] == pytest.approx(expected, abs=1e-7)
    assert list(values["kind"]) == ["group"] * 3 + ["average", "control"]
    assert values.loc["average", "he"] > 0


def test_groups_of_several_pieces_have_a_column_and_no_place_in_the_average(tiny):
    found = bias_groups.group_answers(TEMPLATE, ("he", "she", "unable"), tiny)
    assert found.left_out == ("unable",)
    assert found.formula == "0.5 he + 0.5 she"
    assert {"he", "she", "unable", "average"} == set(found.union.columns[1:])
    phrases = bias_groups.group_answers(TEMPLATE, ("The man", "The woman"), tiny)
    assert phrases.formula == "" and np.isnan(phrases.scope_gap)
    assert "average" not in phrases.union.columns


@pytest.mark.parametrize("n", [2, 3, 12])
@pytest.mark.parametrize("lean", [-1, -0.3, 0, 0.3, 1])
def test_weights_sum_to_one_and_the_others_share_alike(n, lean):
    weights = bias_groups.average_weights(n, lean)
    assert weights.sum() == pytest.approx(1) and (weights >= -1e-7).all()
    assert np.ptp(weights[1:]) == pytest.approx(0, abs=1e-7)
    assert (weights[0] > 1 / n) == (lean < 0) or lean == 0


def test_the_curve_passes_through_the_table(tiny):
    found = bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny, 3, scope="input")
    tokens = tuple(found.union["token"])
    curve = bias_groups.lean_curve(TEMPLATE, ("he", "she"), tokens, tiny).set_index(["lean", "token"])["probability"]
    for lean, name in ((-1.0, "he"), (0.0, "average"), (1.0, "she")):
        np.testing.assert_allclose([curve[lean, t] for t in tokens], found.union[name], atol=1e-7)


def test_the_model_is_left_as_it_was(tiny):
    before = tiny.matrix.copy()
    bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny)
    np.testing.assert_array_equal(tiny.matrix, before)


def test_a_model_without_segments_answers_too(tiny_distil):
    assert set(bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny_distil).union.columns) == {
        "token",
        "he",
        "she",
        "average",
    }


@pytest.mark.parametrize(
    ("template", "groups", "options", "message"),
    [
        ("She works as a [MASK].", ("he", "she"), {}, "Put {group} where"),
        ("{group} works.", ("he", "she"), {}, "exactly one \\[MASK\\]"),
        ("{group} [MASK] [MASK].", ("he", "she"), {}, "exactly one \\[MASK\\]"),
        ("{group}s are [MASK].", ("he", "she"), {}, "glued to a letter"),
        (TEMPLATE, ("he",), {}, "at least two"),
        (TEMPLATE, ("he", " "), {}, "at least two"),
        (TEMPLATE, ("he", "he"), {}, "at least two"),
        (TEMPLATE, tuple(f"a{i}" for i in range(13)), {}, "at most 12"),
        (TEMPLATE, ("he", "[MASK]"), {}, "another meaning"),
        (TEMPLATE, ("he", "average"), {}, "another meaning"),
        (TEMPLATE, ("He", "she", "he"), {}, "'He' and 'he' are the same to this model"),
        (TEMPLATE, ("he", "ᚠ"), {}, "'ᚠ' cannot be read"),
        (TEMPLATE, ("he", "red ᚠ"), {}, "'red ᚠ' cannot be read"),
        (TEMPLATE, ("he", "!"), {}, "not a group's name"),
        (TEMPLATE, ("he", "x" * 41), {}, "not a group's name"),
        (TEMPLATE, ("he", "she"), {"k": 0}, "choose 1 to 50"),
        (TEMPLATE, ("he", "she"), {"lean": float("nan")}, "choose -1"),
        ("{group} is a [MASK]. " + "red " * 70, ("he", "she"), {}, "this model reads 64"),
    ],
)
def test_bad_input_says_what_to_do(template, groups, options, message, tiny):
    with pytest.raises(ValueError, match=message):
        bias_groups.group_answers(template, groups, tiny, **options)


def test_a_curve_needs_two_words_of_one_piece(tiny):
    with pytest.raises(ValueError, match="one word piece each"):
        bias_groups.lean_curve(TEMPLATE, ("he", "unable"), ("king",), tiny)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"steps": 1}, "choose 2 to 101"), ({"steps": 102}, "choose 2 to 101"), ({"tokens": ()}, "choose 1 to 50"),
     ({"tokens": ("king",) * 51}, "choose 1 to 50"), ({"tokens": ("lodnon",)}, "'lodnon' is not")],
)  # fmt: skip
def test_a_curve_has_limits(options, message, tiny):
    with pytest.raises(ValueError, match=message):
        bias_groups.lean_curve(TEMPLATE, ("he", "she"), model=tiny, **{"tokens": ("king", "##able")} | options)


def test_a_curve_takes_any_piece_of_the_vocabulary(tiny):
    assert list(bias_groups.lean_curve(TEMPLATE, ("he", "she"), ("##able", "."), tiny, steps=2)["token"].unique()) == [
        "##able",
        ".",
    ]


class Stop(Exception):
    pass


def test_progress_ends_at_one_and_may_stop(tiny, monkeypatch):
    monkeypatch.setattr(forward, "_BATCH_PIECES", 20)
    whole = bias_groups.group_answers(TEMPLATE, ("he", "she", "unable", "the king"), tiny)
    seen: list[float] = []
    again = bias_groups.group_answers(TEMPLATE, ("he", "she", "unable", "the king"), tiny, progress=seen.append)
    pd.testing.assert_frame_equal(again.union, whole.union)
    assert len(seen) > 5 and seen == sorted(seen) and seen[-1] == pytest.approx(1) and seen[0] < 0.3
    phrases: list[float] = []
    bias_groups.group_answers(TEMPLATE, ("the man", "the king"), tiny, progress=phrases.append)
    assert phrases == [0.5, 1]
    curve: list[float] = []
    bias_groups.lean_curve(TEMPLATE, ("he", "she"), ("king",), tiny, progress=curve.append)
    assert len(curve) > 5 and curve == sorted(curve) and curve[-1] == 1

    def stop(done: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        bias_groups.group_answers(TEMPLATE, ("he", "she"), tiny, progress=stop)


# The page


def page(**query):
    from pathlib import Path

    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=240)
    for key, value in {"tables": "true", **query}.items():
        at.query_params[key] = value
    return settled(at.switch_page("pages/bias.py").run())


def settled(at):
    assert not at.exception
    return at


def press(at, key):
    return settled(at.button(key=key).click().run())


def put(at, kind, key, value):
    return settled(getattr(at, kind)(key=key).set_value(value).run())


def texts(at):
    return " ".join(e.value for e in (*at.text, *at.caption, *at.markdown, *at.info))


def metrics(at):
    return {m.label: m.value for m in at.metric}


def table(at, *columns):
    return next(d.value for d in at.dataframe if set(columns) <= set(d.value.columns))


def panels():
    from embtools.ui.bias import association, counterfactual, groups, mitigation, occupations

    return groups, counterfactual, occupations, association, mitigation


@pytest.fixture(scope="module")
def at():
    return page()


def test_the_page_opens_with_a_result_and_a_content_note(at, bundled):
    found = bias_groups.group_answers(TEMPLATE, ("He", "She"), bundled)
    wide = table(at, "He", "She", "average")
    for name in ("He", "She", "average"):
        best = found.answers[(found.answers["column"] == name) & (found.answers["rank"] == 1)].iloc[0]
        assert wide[name].iloc[0] == f"{best['token']} {best['probability']:.1%}"
    assert "not true statements about people" in texts(at)
    assert len(at.get("plotly_chart")) == 2
    assert all(chart.proto.alt for chart in at.get("plotly_chart"))


def test_every_preset_shows_a_result():
    at = page()
    for panel in panels():
        for name in panel.PRESETS:
            press(at, f"more-{name}")
            assert at.session_state.bias_tab == panel.TAB
            assert at.get("plotly_chart"), name
            assert "good result stays" not in texts(at) and "Meanwhile" not in texts(at), name
    reset = next(b for b in at.button if b.label == "Reset")
    settled(reset.click().run())
    assert at.session_state.bias_tab == panels()[0].TAB
    assert at.session_state.bias_template == TEMPLATE


@pytest.mark.parametrize(
    ("kind", "key", "value", "message"),
    [
        ("text_input", "bias_template", "", "Put {group} where"),
        ("text_input", "bias_template", "{group} works.", "exactly one [MASK]"),
        ("text_input", "bias_template", "{group} is a [MASK] " + "and so on " * 300, "this model reads"),
        ("text_area", "bias_groups", "", "at least two"),
        ("text_area", "bias_groups", "he, he", "at least two"),
        ("text_area", "bias_groups", ", ".join(f"group{i}" for i in range(13)), "at most 12"),
    ],
)
def test_bad_groups_keep_the_last_result(kind, key, value, message):
    at = put(page(), kind, key, value)
    assert message in texts(at) and "good result stays" in texts(at)
    assert table(at, "He", "She", "average") is not None


def test_groups_of_nine_pieces_are_shown_with_a_badge():
    at = put(page(), "text_area", "bias_groups", "he, supercalifragilisticexpialidocious")
    assert "supercalifragilisticexpialidocious" in table(at, "rank").columns
    assert "no place in the average" in texts(at)


def test_the_address_restores_the_table(bundled):
    at = page(
        bias_template="The {group} is [MASK].",
        bias_groups="king, queen",
        bias_lean="-0.5",
        bias_scope="input",
        bias_k="3",
    )
    found = bias_groups.group_answers("The {group} is [MASK].", ("king", "queen"), bundled, 3, lean=-0.5, scope="input")
    assert len(table(at, "king", "queen", "average", "rank")) == 3
    union = table(at, "token", "king")
    np.testing.assert_allclose(union["average"], found.union["average"], rtol=1e-6)
    assert any("0.75 king + 0.25 queen" in c.value for c in at.code)


def test_offensive_words_can_be_hidden():
    from embtools import wordlists

    at = put(
        page(bias_template="The {group} is a [MASK].", bias_groups="man, woman", bias_k="20"),
        "toggle",
        "bias_hide",
        True,
    )
    assert not set(table(at, "token", "man")["token"]) & set(wordlists.load("offensive")["word"])


def test_swap_tab_shows_both_sentences_and_its_errors():
    at = page(bias_tab="Whole sentence", bias_text="He loves his [MASK].")
    assert "She loves her [MASK]." in texts(at)
    assert {"token", "first", "second", "change"} <= set(table(at, "token", "change").columns)
    for key, value, message in (
        ("bias_text", "The sky is blue.", "no word of the pairs"),
        ("bias_text", "he " * 41, "41 words"),
        ("bias_text", "", "empty"),
    ):
        assert message in texts(put(at, "text_area", key, value))
    put(at, "text_area", "bias_text", "He is here.")
    assert "not a pair" in texts(put(at, "text_input", "bias_pairs", "he"))
    put(at, "text_input", "bias_pairs", "")
    assert "4 and 5 words and signs" in texts(put(at, "text_input", "bias_other", "She is over here."))


def test_occupations_tab_measures_the_words_given(bundled):
    from embtools.bias import likelihood

    templates = "{group} is the {occupation}.\nThe {occupation} met {group}."
    at = page(bias_tab="Occupations", bias_templates=templates, bias_words="nurse, engineer, poet, judge, baker")
    expected = likelihood.summary(
        likelihood.template_scores(
            tuple(templates.splitlines()), ("nurse", "engineer", "poet", "judge", "baker"), ("he",), ("she",), bundled
        )
    )
    shown = table(at, "occupation", "projection")
    np.testing.assert_allclose(shown["score"], expected["score"], atol=1e-5)
    assert metrics(at)["On one side in every sentence"] == f"{expected['agree'].mean():.0%} of 5"
    assert "not one word piece" in texts(put(at, "text_area", "bias_first", "lakisha"))
    assert "a word in both groups" in texts(put(at, "text_area", "bias_first", ""))
    put(at, "text_area", "bias_first", "he")
    assert "needs one {group}" in texts(put(at, "text_area", "bias_templates", "He is here."))


def test_one_word_alone_has_no_correlation():
    at = page(bias_tab="Occupations", bias_words="nurse", bias_templates="{group} is the {occupation}.")
    assert "Do both measures agree?" not in metrics(at)


def test_association_tab_shows_the_published_tests(bundled):
    from embtools.bias import association, published_tests

    at = page(bias_tab="Association tests")
    for number in published_tests.GLOVE:
        settled(at.selectbox(key="bias_test").set_value(number).run())
        found = association.weat(*published_tests.word_sets(number), bundled)
        assert metrics(at)["Effect size d"] == f"{found.effect:.2f}"
        assert metrics(at)["p, one-sided"] == f"{found.p:.4f}"
        assert metrics(at)["Published d"] == f"{published_tests.GLOVE[number]:.2f}"
        assert ("no longer the published test" in texts(at)) == bool(found.left_out)
    for key, value, message in (
        ("bias_x", "king", "Set X has 1"),
        ("bias_x", "", "Set X has 0"),
        ("bias_x", "he, she, amy", "at least"),
        ("bias_a", ", ".join(f"w{i}" for i in range(61)), "at most 60"),
    ):
        at = page(bias_tab="Association tests")
        at = put(at, "text_area", key, value)
        assert message in texts(at) or "in both" in texts(at) or message == "at least"


def test_seat_tab_and_its_errors(bundled):
    from embtools.bias import association, published_tests

    at = page(bias_tab="Association tests", bias_level="sentences (SEAT)", bias_pooling="mean")
    found = association.seat(*published_tests.word_sets(6), bundled, pooling="mean")
    assert metrics(at)["Effect size d"] == f"{found.effect:.2f}"
    assert "needs one {word}" in texts(put(at, "text_area", "bias_bleached", "This is it."))


@pytest.fixture
def unfamiliar(tiny, monkeypatch):
    """A model that knows hardly any word of the examples, in the place of the bundled one."""
    import streamlit as st

    from embtools.models import loading

    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(loading, "load_model", lambda name: tiny)
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.mark.parametrize(
    ("tab", "message"),
    [
        ("Occupations", "is not in the vocabulary"),
        ("Association tests", "cannot be read"),
        ("Mitigation", "is not"),
    ],
)
def test_a_model_without_the_examples_words_says_so(unfamiliar, tab, message):
    at = page(bias_tab=tab, bias_axis_pairs="nun=monk", bias_first="nun")
    assert message in texts(at) and not at.get("plotly_chart")


def test_own_words_are_scored_without_the_ten_pairs(unfamiliar):
    at = page(
        bias_tab="Occupations", bias_words="king, queen, bank, river", bias_templates="{group} is the {occupation}."
    )
    assert at.get("plotly_chart") and "is not in the vocabulary" in texts(at)
    assert len(table(at, "beta")) == 3  # beside one of the four words, in the place of the dancer


def test_the_last_good_question_belongs_to_its_model(unfamiliar, bundled, monkeypatch):
    """What one model could read is not asked of another."""
    import streamlit as st

    from embtools.models import loading

    at = page(bias_tab="Association tests")
    assert not at.get("plotly_chart")
    st.cache_resource.clear()
    monkeypatch.setattr(loading, "load_model", lambda name: bundled)
    assert settled(at.run()).get("plotly_chart")


def test_corrected_tests_are_counted(unfamiliar):
    at = page(bias_tab="Association tests", bias_x="he, she", bias_y="king, queen", bias_a="red, green", bias_b="a, is")
    assert "of 0 have p < 0.05" in texts(at) and "other 10 have too few words" in texts(at)


def test_nearer_to_every_group_than_any_two_to_each_other(monkeypatch):
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
    assert "are **not** nearer to every group" in texts(at)


def test_mitigation_tab_and_its_errors():
    at = page(bias_tab="Mitigation", bias_axis_pairs="he=she, man=woman", bias_side="50")
    assert set(table(at, "method", "gap")["method"]) == {
        "none",
        "average",
        "project away",
        "equalise",
        "random direction",
    }
    assert table(at, "method", "gap").set_index("method").loc["average", "gap"] < 1e-6
    assert {"accuracy", "shuffled"} <= set(table(at, "accuracy").columns)
    for value, message in (
        ("he", "not a pair"),
        ("", "as many words"),
        ("he=she, he=woman", "two pairs"),
        ("he=lakisha", "piece"),
    ):
        assert message in texts(put(at, "text_area", "bias_axis_pairs", value))


def test_a_stopped_run_waits_for_its_button():
    at = page(bias_tab="Mitigation", bias_run="0")
    assert not at.get("plotly_chart")
    assert any(b.label == "Try the mitigations" for b in at.button)


def copied(at, bundled):
    """What the code of "Copy as Python" finds: its variables."""
    code = next(c.value for c in at.code if "load_model" in c.value)
    found = {"bundled": bundled}
    exec(code.replace("embtools.load_model('bundled')", "bundled"), found)
    return SimpleNamespace(**found)


def assert_tables(at, *expected):
    """Every table of the page, in its order, is one of these: a table that no code makes fails here too."""
    assert len(at.dataframe) == len(expected)
    for shown, frame in zip(at.dataframe, expected, strict=True):
        pd.testing.assert_frame_equal(
            shown.value.reset_index(drop=True), frame.reset_index(drop=True), check_dtype=False, rtol=1e-4, atol=1e-5
        )


def test_a_snippet_imports_what_it_names_and_no_word_of_a_visitor():
    from embtools.ui.share import snippet

    code = snippet(["text = 'likelihood.bias wordlists'", "print(group_answers(text), residual)"])
    assert code.splitlines()[:2] == [
        "from embtools.bias import residual",
        "from embtools.bias.groups import group_answers",
    ]


@pytest.mark.parametrize("query", [{}, {"bias_hide": "true", "bias_groups": "he, she, the nurse", "bias_lean": "-0.5"}])
def test_the_copied_code_of_groups_gives_the_numbers_shown(query, bundled):
    at = page(**query)
    found = copied(at, bundled)
    rows = found.result.answers
    answer = [f"{t} {p:.1%}" for t, p in zip(rows["token"], rows["probability"], strict=True)]
    best = rows.assign(answer=answer).pivot(index="rank", columns="column", values="answer")[
        list(rows["column"].unique())
    ]
    assert_tables(at, best.reset_index(), found.result.union, found.result.distances, found.curve)
    names = list(found.result.groups)
    between = found.result.distances.set_index("of").loc[names, names].to_numpy()
    assert metrics(at)["Between groups"] == f"{between.max():.3f} bits"
    assert f"no probability differs by more than {100 * found.result.scope_gap:.4f} points" in texts(at)
    assert found.result.formula in [c.value for c in at.code]


def test_the_copied_code_of_a_swapped_sentence_gives_the_numbers_shown(bundled):
    at = page(bias_tab="Whole sentence", bias_text="He loves his [MASK].")
    found = copied(at, bundled)
    assert (found.first, found.second) == ("He loves his [MASK].", "She loves her [MASK].")
    assert_tables(at, found.answers, found.words)
    assert metrics(at)["Distance of the answers"] == f"{found.bits:.3f} bits"
    assert metrics(at)["All shared words together"] == f"{found.words['change'].sum():+.2f} nats"
    assert not hasattr(copied(page(bias_tab="Whole sentence"), bundled), "bits")  # no mask, no answers


@pytest.mark.parametrize("axis", ["the two groups", "ten pairs"])
def test_the_copied_code_of_occupations_gives_the_numbers_shown(axis, bundled):
    at = page(
        bias_tab="Occupations",
        bias_words="nurse, judge, poet, baker, dancer",
        bias_templates="{group} is the {occupation}.\nThe {occupation} met {group}.",
        bias_axis=axis,
    )
    found = copied(at, bundled)
    assert_tables(at, found.both, found.summary, found.scores, found.shares, found.likeness)
    assert len(found.likeness) == 4  # the dancer is not compared with itself
    rho, low, high, p = found.fit
    shown = next(m for m in at.metric if m.label == "Do both measures agree?")
    assert (shown.value, shown.delta) == (f"ρ = {rho:.2f}", f"95 %: {low:.2f} to {high:.2f}, p = {p:.4f}")
    assert metrics(at)["Mean size of the score"] == f"{found.both['score'].abs().mean():.2f} nats"


@pytest.mark.parametrize("level", ["words (WEAT)", "sentences (SEAT)"])
def test_the_copied_code_of_association_tests_gives_the_numbers_shown(level, bundled):
    at = page(bias_tab="Association tests", bias_level=level, bias_pieces="mean")
    found = copied(at, bundled)
    tables = [found.found.scores, found.tests]
    if "WEAT" in level:
        tables.append(found.others.assign(value=found.others["value"].round(4)))
    assert_tables(at, *tables)
    effect = next(m for m in at.metric if m.label == "Effect size d")
    assert effect.value == f"{found.found.effect:.2f}"
    assert effect.delta == f"95 %: {found.found.low:.2f} to {found.found.high:.2f}"
    p = next(m for m in at.metric if m.label == "p, one-sided")
    assert (p.value, p.delta) == (f"{found.found.p:.4f}", f"two-sided {found.found.p_two:.4f}")
    assert metrics(at)["Divisions"] == f"{found.found.partitions:,}"


def test_the_copied_code_of_mitigation_gives_the_numbers_shown(bundled):
    from embtools.bias.mitigation import METHODS

    at = page(bias_tab="Mitigation", bias_axis_pairs="he=she", bias_side="50", bias_method="equalise")
    found = copied(at, bundled)
    wide = found.by_sentence[list(METHODS)].reset_index()
    assert_tables(at, found.gains, found.summary, wide, found.left_over, found.points)


@pytest.mark.parametrize(
    ("tab", "name", "question", "column"),
    [
        (
            "Groups in a sentence",
            "bias-groups",
            ((TEMPLATE, ("king", "queen")), {"k": 5, "lean": 0.0, "scope": "tied", "leave_out": ()}),
            "king",
        ),
        ("Groups in a sentence", "bias-curve", ((TEMPLATE, ("king", "queen"), "tokens"), {}), "lean"),
        ("Association tests", "bias-battery", ((), {"pieces": "leave out"}), "p_holm"),
    ],
)
def test_a_stopped_answer_waits_for_its_button(tab, name, question, column, bundled):
    if name == "bias-curve":
        tokens = tuple(bias_groups.group_answers(TEMPLATE, ("king", "queen"), bundled).union["token"].head(6))
        question = ((*question[0][:2], tokens), {})
    at = page(bias_tab=tab, bias_groups="king, queen")
    at.session_state[f"stopped-{name}"] = repr(("bundled", *question))
    settled(at.run())
    assert "It was stopped" in texts(at) and not any(column in d.value.columns for d in at.dataframe)
    press(at, f"stopped-{name}-again")
    assert "It was stopped" not in texts(at) and any(column in d.value.columns for d in at.dataframe)


def test_charts_escape_what_visitors_write():
    from embtools.charts.bias import answers as charts
    from embtools.charts.bias import scores

    hostile = "<img src=x>"
    union = pd.DataFrame({"token": ["<b>", "a"], hostile: [0.1, 0.2], "she": [0.3, 0.1]})
    curve = pd.DataFrame({"lean": [-1.0, 1.0], "token": ["<b>", "<b>"], "probability": [0.1, 0.2]})
    words = pd.DataFrame({"word": [hostile], "first": [-1.0], "second": [-2.0], "change": [-1.0]})
    table = pd.DataFrame({"set": ["X", "Y"], "word": [hostile, "b"], "association": [0.1, -0.1]})
    figures = (
        charts.answers(union, "average"),
        charts.lean(curve, 0.0, hostile, hostile),
        charts.changes(words, "first", "second"),
        scores.associations(table, hostile, hostile, hostile, hostile),
        scores.sides(
            pd.DataFrame({"word": [hostile] * 2, "side": [0, 1], "x": [0.0, 1], "y": [0.0, 1]}), hostile, hostile
        ),
        scores.agreement(
            pd.DataFrame(
                {"word": [hostile] * 3, "projection": [0.0, 1, 2], "score": [1.0, 2, 0], "agree": [True, False, True]}
            ),
            hostile,
            hostile,
        ),
        scores.scores(
            pd.DataFrame({"occupation": [hostile], "score": [0.1], "low": [0.0], "high": [0.2], "agree": [True]}),
            hostile,
            hostile,
        ),
    )
    for figure in figures:
        assert "<img" not in figure.to_json().replace("\\u003c", "<")
        assert "<b>" not in figure.to_json().replace("\\u003c", "<")
