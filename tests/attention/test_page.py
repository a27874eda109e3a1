"""The Attention page without a browser."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from embtools.attention import attribution, jobs, looks, one_head, verdict
from embtools.attention.looks import look, read_all
from embtools.mask_filling.edits import Change
from embtools.ui import attention
from embtools.ui.attention import answer, asking, best, head, word

ANIMAL = "The animal didn't cross the street because it was too tired."
HEAD, BEST, ANSWER = ({"attention_tab": panel.TAB} for panel in (head, best, answer))
NASTY = '<b>x</b> ![y](http://example.org/z.png) <img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def page(visit):
    """Open the Attention page."""
    return partial(visit, "attention")


@pytest.fixture
def few(monkeypatch):
    """The jobs on few sentences, judged without a question first."""
    monkeypatch.setattr("embtools.ui.jobs.AT_ONCE", 1e9)
    judge = jobs.scores
    few = partial(judge, sentences=8)
    monkeypatch.setattr(jobs, "scores", lambda model, progress, **named: few(model, **named, progress=progress))


def headline(at) -> str:
    return at.header[0].value.replace("\\", "")


def shown(at, expected: look) -> None:
    assert headline(at) == verdict.finding(expected)
    assert at.says(verdict.doubts(expected))
    pd.testing.assert_frame_equal(at.table("word", "share"), expected.words)
    pd.testing.assert_frame_equal(at.table("layer", "head"), expected.cells)


# What a word looks at


def test_page_opens_with_what_it_looks_at_and_the_control(page, bundled):
    at = page()
    shown(at, look(read_all(ANIMAL, bundled, control=asking.WIDE), ["it"], ["animal"], looks.STRONGEST, bundled))
    assert not at.problems and len(at.charts) == 2
    assert "with “wide” for “tired”" in headline(at)
    assert "animal" in at.charts[0].alt and at.charts[1].alt.startswith("72 heads")


def test_what_was_warmed_is_not_computed_again(page, cold, monkeypatch):
    attention.warm("bundled")
    monkeypatch.setattr(looks, "read_all", unreadable)
    assert not page().problems


@pytest.mark.parametrize("name", word.PRESETS)
def test_every_preset(page, name, bundled):
    at = page(attention_text="He left.", attention_hide=True).press(name)
    example = word.PRESETS[name]
    lines = example.get("attention_edits")
    readings = read_all(
        example.get("attention_text", ANIMAL),
        bundled,
        second=example.get("attention_second"),
        control=example.get("attention_control", asking.WIDE) or None,
        change=Change.of([lines] if lines else []),
    )
    source, target = example.get("attention_from", ("it",)), example.get("attention_to", ("animal",))
    shown(at, look(readings, source, target, looks.STRONGEST, bundled))
    assert not at.links_to_itself().problems


def test_another_word_and_another_target_are_chosen(page, bundled):
    at = page().put("attention_word", "street").put("attention_to_one", "the")
    readings = read_all(ANIMAL, bundled, control=asking.WIDE)
    shown(at, look(readings, ["street"], ["the"], looks.STRONGEST, bundled))
    at.unfold("more").put("attention_several", True).put("attention_to_several", ["the", "the (2)"])
    shown(at, look(readings, ["street"], ["the", "the (2)"], looks.STRONGEST, bundled))
    at.put("attention_heads", "layer 2")
    shown(at, look(readings, ["street"], ["the", "the (2)"], "layer 2", bundled))
    at.put("attention_words", ["street", "it"])
    shown(at, look(readings, ["street", "it"], ["the", "the (2)"], "layer 2", bundled))
    # The list cannot be emptied: what was chosen stays.
    at.put("attention_to_several", [])
    assert at.session_state["attention_to"] == ("the", "the (2)")


def test_signs_are_hidden_but_not_from_the_table(page):
    at = page(attention_hide=True)
    assert "[CLS]" not in at.charts[0].spec and "[CLS]" in set(at.table("word", "share")["word"])


def test_ones_own_sentence_needs_no_choice(page, bundled):
    at = page().put("attention_text", "The dog barked because it was hungry.")
    # The control of the example belongs to its sentence.
    assert at.session_state["attention_control"] == "" and not at.problems
    target = at.session_state["attention_to"]
    assert at.session_state["attention_from"] == ("it",) and len(target) == 1
    readings = read_all("The dog barked because it was hungry.", bundled)
    shown(at, look(readings, ["it"], target, looks.STRONGEST, bundled))
    # The same by a cold link.
    assert headline(page(attention_text="The dog barked because it was hungry.")) == headline(at)


@pytest.mark.parametrize(
    "query, message",
    [
        ({"attention_text": ""}, "text is empty"),
        ({"attention_text": "very " * 990}, "Shorten it"),
        ({"attention_control": "very " * 990, "attention_text": "it is"}, "control sentence cannot be read"),
        ({"attention_edits": "dog = cat"}, "is not in the sentence"),
        ({"attention_edits": "animal = qxz"}, "qxz"),
        ({"attention_edits": "animal"}, "="),
    ],
)
def test_bad_input_is_told_and_the_first_example_stands_in(page, query, message):
    at = page(**query)
    assert message in at.problems[0] and len(at.charts) == 2
    assert at.says("Still the answer to: The animal")


@pytest.mark.parametrize("text", ["!", "😀", "[MASK] [MASK]", "[CLS] [SEP] [SEP]", "a" * 300])
def test_odd_texts_are_read(page, text):
    at = page(attention_text=text, **HEAD)
    assert not at.problems and len(at.charts) == 2
    assert not page(attention_text=text).problems


def test_a_visitors_text_is_never_markup(page):
    at = page(attention_text=f"{NASTY} it", attention_control=NASTY, attention_from="img", attention_to="http")
    at.unfold("more")
    for again in (at, page(attention_text=NASTY, **HEAD), page(attention_masked=f"{NASTY} [MASK]", **ANSWER)):
        assert not any("<b>" in m.value or "<img" in m.value for m in (*again.markdown, *again.caption, *again.header))
        assert not any("<b>x" in element.proto.body or "<img" in element.proto.body for element in again.get("html"))
        assert not any("<img" in chart.spec for chart in again.charts)


def test_five_hundred_pieces_are_shown_without_all_their_pairs(page, bundled):
    text = " ".join(["The cat saw it."] * 100)
    at = page(attention_text=text, attention_from="it")
    assert not at.problems and len(at.session_state["attention_to"]) == 1
    at = page(attention_text=text, attention_from="it", attention_to="cat", **HEAD)
    assert len(at.charts[0].spec) < 300_000 and at.says("Each cell is the mean of 4")
    reading = read_all(text, bundled).now
    heads = look(read_all(text, bundled), ["it"], ["cat"], looks.STRONGEST, bundled).heads
    row = one_head.matrix(reading, heads, bundled)[4]
    assert at.table("position", "weight")["weight"].tolist() == pytest.approx(row.tolist(), abs=1e-6)
    assert f"with {row[2]:.1%}" in headline(at)


def test_a_model_without_segments_reads_two_sentences(page, lend, tiny_distil):
    lend(tiny_distil)
    query = {"attention_text": "the king is red", "attention_second": "the man is blue", "attention_control": ""}
    at = page(**query, attention_from="king", attention_to="man")
    assert not at.problems
    readings = read_all("the king is red", tiny_distil, second="the man is blue")
    shown(at, look(readings, ["king"], ["man"], looks.STRONGEST, tiny_distil))


def test_a_model_that_reads_nothing_says_so(page, cold, monkeypatch):
    monkeypatch.setattr(looks, "read_all", unreadable)
    monkeypatch.setattr(attribution, "attribute", unreadable)
    for tab in ({}, HEAD, ANSWER):
        at = page(**tab)
        assert "Nothing can be read." in at.problems[0] and not at.charts


def unreadable(*_, **__):
    raise ValueError("Nothing can be read.")


# One head


def test_one_head_shows_the_steps_of_the_pair(page, bundled):
    at = page(attention_heads="5.4", open="softmax", **HEAD)
    reading = read_all(ANIMAL, bundled).now
    found = one_head.steps(reading, "5.4", 10, 2, bundled)
    assert headline(at) == f"In layer 5, head 4, “it” looks at “animal” with {found.weight:.1%}."
    assert one_head.written(found, "it", "animal") in [block.value for block in at.code]
    pd.testing.assert_frame_equal(at.table("dimension"), found.dimensions)
    softmax = at.table("exponential")
    assert softmax["weight"].iloc[0] == found.tokens["weight"].max() and len(softmax) == 16
    weights = at.table("looks").drop(columns="looks").to_numpy()
    np.testing.assert_allclose(weights, one_head.matrix(reading, "5.4", bundled))
    # The clicked piece is kept while its word is chosen.
    at = page(attention_text="Unbelievable embeddings.", attention_from="embeddings", attention_row="4", **HEAD)
    assert "“##bed”" in headline(at) or "“##ding" in headline(at)
    at.put("attention_word", "unbelievable")
    assert "“unbelievable”" in headline(at)


@pytest.mark.parametrize("name", head.PRESETS)
def test_every_preset_of_one_head(page, name):
    assert headline(page(**HEAD).press(f"example-{head.TAB}-{name}").links_to_itself())


@pytest.mark.parametrize("heads", [looks.ALL, looks.ROLLOUT, "layer 3"])
def test_several_heads_have_no_steps(page, bundled, heads):
    at = page(attention_heads=heads, **HEAD)
    weights = one_head.matrix(read_all(ANIMAL, bundled).now, heads, bundled)
    assert f"{weights[10, 2]:.1%}" in headline(at)
    assert len(at.charts) == 1 and at.says("no query and key of their own")


# Which head does it best


def test_the_best_heads_are_shown_job_by_job(page, cold, few, bundled):
    at = page(open="job-sentences", **BEST)
    found = jobs.scores(bundled, progress=lambda done: None)
    assert headline(at) == jobs.finding(found.best, jobs.REFERENT)
    at.put("attention_job", jobs.SAME)
    assert headline(at) == jobs.finding(found.best, jobs.SAME)
    pd.testing.assert_frame_equal(at.table("by_offset"), found.best)
    assert len(at.table("layer", "held_out", "share")) == 72 and len(at.table("sentence", "half")) == 8
    row = found.best.set_index("job").loc[jobs.SAME]
    at.press(f"Look through head {row['layer']:.0f}.{row['head']:.0f}")
    assert at.session_state["attention_heads"] == f"{row['layer']:.0f}.{row['head']:.0f}"
    assert at.session_state["attention_tab"] == word.TAB
    for name, asked in best.PRESETS.items():
        job = asked.get("attention_job", jobs.REFERENT)
        example = page(**BEST).press(f"example-{best.TAB}-{name}").links_to_itself()
        assert headline(example) == jobs.finding(found.best, job)


def test_a_few_sentences_answer_until_all_are_asked_for(page, cold, few, bundled, monkeypatch):
    monkeypatch.setattr("embtools.ui.jobs.AT_ONCE", 0.0)
    at = page(**BEST)
    some = jobs.scores(bundled, sentences=12, progress=lambda done: None)
    assert headline(at) == jobs.finding(some.best, jobs.REFERENT) and at.says("best on 6 sentences, judged on 6")
    at.press("Judge all heads on all sentences")
    found = jobs.scores(bundled, progress=lambda done: None)
    assert headline(at) == jobs.finding(found.best, jobs.REFERENT) and at.says("best on 4 sentences, judged on 4")


def test_a_model_that_cannot_read_the_sentences_says_so(page, lend, tiny):
    lend(tiny)
    at = page(**BEST)
    assert "Choose an English model" in at.problems[0] and not at.charts


# Attribution


@pytest.mark.parametrize("name", answer.PRESETS)
def test_every_attribution_preset(page, name, bundled):
    at = page(**ANSWER).press(name)
    example = answer.PRESETS[name]
    found = attribution.attribute(
        example.get("attention_masked", answer.TEXT.default), bundled, answer=example.get("attention_answer", "")
    )
    assert headline(at.links_to_itself()) == attribution.finding(found) and not at.problems
    pd.testing.assert_frame_equal(at.table("leave one out"), found.tokens)
    pd.testing.assert_frame_equal(at.table("method", "rho"), found.agreement)
    assert at.says(
        f"They sum to {found.tokens['integrated gradients'].sum():.2f}, the words add {found.difference:.2f}"
    )


def test_a_masked_sentence_in_other_spellings(page):
    at = page(attention_masked="The capital of France is ___.", **ANSWER)
    assert not at.problems and "“paris”" in headline(at)
    at.put("attention_masked", "Rome is old.")
    assert at.says("No mask: the last word, “old”, was masked.")
    at.put("attention_answer", "qxzzz")
    assert "qxzzz" in at.problems[0] and at.charts


def test_over_sentences_waits_for_its_button(page, cold, monkeypatch):
    whole = attribution.over_sentences
    monkeypatch.setattr(
        attribution, "over_sentences", lambda model, progress: whole(model, sentences=2, steps=2, progress=progress)
    )
    at = page(open="over", **ANSWER)
    assert len(at.charts) == 1
    at.press("Ask the built-in sentences")
    assert len(at.charts) == 2 and at.says("agrees most with leaving words out")
    assert len(at.table("method", "first")) == 4


# The code


def printed(found) -> list[pd.DataFrame]:
    return [value for value in found.printed if isinstance(value, pd.DataFrame)]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"attention_second": "It slept.", "attention_edits": "animal = dog", "attention_heads": "rollout"},
        {"attention_text": "The dog barked.", "attention_from": ["dog", "the"], "attention_several": True},
    ],
)
def test_copied_code_of_a_look_gives_every_number_shown(page, query, bundled):
    at = page(**query)
    found = at.copied(bundled)
    assert headline(at) in found.printed and len(at.tables) == 2
    for table in at.tables:
        assert any(table.equals(mine) for mine in printed(found))


@pytest.mark.parametrize("heads", ["5.4", looks.ALL])
def test_copied_code_of_a_head_gives_every_number_shown(page, heads, bundled):
    at = page(attention_heads=heads, open="softmax", **HEAD)
    found = at.copied(bundled)
    weights, *rest = printed(found)
    np.testing.assert_array_equal(weights.to_numpy(), at.table("looks").drop(columns="looks").to_numpy())
    if heads == looks.ALL:
        return
    assert any(at.table("dimension").equals(mine) for mine in rest)
    softmax = at.table("exponential").sort_values("position", ignore_index=True)
    assert any(softmax.equals(mine) for mine in rest)
    told = [value for value in found.printed if isinstance(value, str)]
    assert any(block.value in told for block in at.code)


def test_copied_code_of_jobs_and_attribution_gives_every_number_shown(page, cold, monkeypatch, bundled):
    monkeypatch.setattr("embtools.ui.jobs.AT_ONCE", 1e9)
    at = page(**ANSWER)
    found = at.copied(bundled)
    assert headline(at) in found.printed
    for table in at.tables:
        assert any(table.equals(mine) for mine in printed(found))
    at = page(open="job-sentences", **BEST)
    best_heads, heads, lines = printed(at.copied(bundled))
    pd.testing.assert_frame_equal(at.table("by_offset"), best_heads)
    mine = heads[heads["job"] == jobs.REFERENT].reset_index(drop=True)
    pd.testing.assert_frame_equal(at.table("layer", "held_out", "share"), mine)
    of_job = lines[lines["job"] == jobs.REFERENT].drop(columns="job").reset_index(drop=True)
    pd.testing.assert_frame_equal(at.table("sentence", "half"), of_job)
