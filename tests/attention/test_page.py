"""The Attention page without a browser."""

import io
import tokenize
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embtools.attention import attended_words, attribution, heads, one_head, tasks
from embtools.attention import reading as attention_reading
from embtools.attention.attended_words import attend
from embtools.attention.reading import read_all
from embtools.charts.attention import attended_words as charts
from embtools.progress import silent
from embtools.ui import warm
from embtools.ui.attention import attended_words as word_tab
from embtools.ui.attention import attribution as attribution_tab
from embtools.ui.attention import one_head as head_tab
from embtools.ui.attention import reading as sentence
from embtools.ui.attention import tasks as tasks_tab

ANIMAL = "The animal didn't cross the street because it was too tired."
HEAD, TASKS, ATTRIBUTION = ({"attention_tab": tab} for tab in ("head", "tasks", "attribution"))
NASTY = '<b>x</b> ![y](http://example.org/z.png) <img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def page(visit):
    """Open the Attention page."""
    return partial(visit, "attention")


@pytest.fixture
def few(monkeypatch):
    """The tasks on few sentences, for speed."""
    judge = tasks.scores
    few = partial(judge, sentences=8)
    monkeypatch.setattr(tasks, "scores", lambda model, progress, **named: few(model, **named, progress=progress))


def headline(at) -> str:
    return at.header[0].value.replace("\\", "")


def shown(at, expected: attended_words.AttendedWords) -> None:
    assert headline(at) == expected.headline
    assert at.says(expected.limits)
    pd.testing.assert_frame_equal(at.table("word", "share"), expected.words)
    pd.testing.assert_frame_equal(at.table("layer", "head"), expected.cells)


# What a word attends to


def test_page_opens_with_what_it_attends_to_and_the_control(page, bundled):
    at = page()
    shown(
        at,
        attend(
            read_all(ANIMAL, bundled, control=sentence.WIDE),
            bundled,
            source=["it"],
            target=["animal"],
            heads=heads.STRONGEST,
        ),
    )
    assert not at.problems and len(at.charts) == 2
    assert "With “wide” instead of “tired”, the share is" in headline(at)
    assert "animal" in at.charts[0].alt
    assert at.charts[1].alt.startswith("Heatmap of 72 heads. Attention to “animal” is highest in layer")
    assert at.says("The bars add up to 100%")


def test_cached_readings_are_not_computed_again(page, cold, monkeypatch):
    for query in warm.first_queries("attention"):
        warm.ask(query, "bundled", silent)
    monkeypatch.setattr(attention_reading, "read", unreadable)
    assert not page().problems


@pytest.mark.parametrize("name", word_tab.PRESETS)
def test_every_preset(page, name, bundled):
    at = page(attention_text="He left.", attention_hide=True).press(name)
    example = word_tab.PRESETS[name]
    lines = example.get("attention_edits")
    readings = read_all(
        example.get("attention_text", ANIMAL),
        bundled,
        second=example.get("attention_second", ""),
        control=example.get("attention_control", sentence.WIDE),
        edits=[lines] if lines else [],
    )
    source, target = example.get("attention_from", ("it",)), example.get("attention_to", ("animal",))
    versus = example.get("attention_versus", ())
    shown(at, attend(readings, bundled, source=source, target=target, heads=heads.STRONGEST, versus=versus))
    assert not at.links_to_itself().problems


def test_another_word_and_another_target_are_chosen(page, bundled):
    at = page().put("attention_word", "street").put("attention_to_one", "the")
    readings = read_all(ANIMAL, bundled, control=sentence.WIDE)
    shown(at, attend(readings, bundled, source=["street"], target=["the"], heads=heads.STRONGEST))
    at.unfold("more").put("attention_several", True).put("attention_to_several", ["the", "the (2)"])
    shown(at, attend(readings, bundled, source=["street"], target=["the", "the (2)"], heads=heads.STRONGEST))
    at.put("attention_heads", "layer 2")
    shown(at, attend(readings, bundled, source=["street"], target=["the", "the (2)"], heads="layer 2"))
    at.put("attention_words", ["street", "it"])
    shown(at, attend(readings, bundled, source=["street", "it"], target=["the", "the (2)"], heads="layer 2"))
    # The list cannot be emptied: what was chosen stays.
    at.put("attention_to_several", [])
    assert at.session_state["attention_to"] == ("the", "the (2)")


def test_special_tokens_are_hidden_in_the_chart_but_not_in_the_table(page):
    at = page(attention_hide=True)
    assert "[CLS]" not in at.charts[0].spec and "[CLS]" in set(at.table("word", "share")["word"])


def test_caption_and_alt_text_describe_only_the_bars_that_are_shown(page):
    """[CLS] could be named as the largest bar while it was hidden, with bars that add up to 100%."""
    at = page(attention_hide=True, attention_heads="2.3")
    words = at.table("word", "share")
    framed = words.loc[words["word"].isin(["[CLS]", "[SEP]"]), "share"].sum()
    assert framed > 0.01 and not at.says("The bars add up to 100%")
    assert at.says(f"The bars add up to {1 - framed:.0%}; [CLS] and [SEP], which are hidden, get {framed:.0%}")
    most = words[~words["word"].isin(["[CLS]", "[SEP]"])].nlargest(1, "share")
    assert f"Most goes to {most['word'].iloc[0]} " in at.charts[0].alt
    assert "[CLS] and [SEP], which are not shown, get" in at.charts[0].alt
    assert page(attention_heads="2.3").says("The bars add up to 100%")


def test_caption_counts_the_words_of_a_long_text_that_have_no_bar(page):
    text = " ".join(f"{city} is a city." for city in ("Rome", "Paris", "London", "Berlin", "Madrid", "Vienna", "Oslo"))
    at = page(attention_text=text, attention_from="rome", attention_to="oslo", attention_heads="all")
    words = at.table("word", "share")
    rows = charts.shown(words, ("oslo",))
    assert len(rows) < len(words)
    total = rows["share"].sum()
    assert at.says(f"The bars add up to {total:.0%}; words without a bar get {1 - total:.0%}")


# Two targets


DOG = {"attention_text": "The dog chased the cat because it was hungry.", "attention_control": ""}


def test_dog_or_cat_in_the_same_head(page, bundled):
    at = page(attention_to="dog", attention_versus="cat", **DOG)
    expected = attend(
        read_all(DOG["attention_text"], bundled),
        bundled,
        source=["it"],
        target=["dog"],
        heads=heads.STRONGEST,
        versus=["cat"],
    )
    shown(at, expected)
    assert (
        "“dog” " in headline(at)
        and " and “cat” " in headline(at)
        and attended_words.VERSUS in at.table("layer", "head")
    )
    assert at.charts[1].alt.count("Heatmap of 72 heads. Attention to") == 2
    assert at.says(
        "to the first target (left) and to the second (right)", "cross-hatched", "of all 72 heads “dog” gets"
    )
    assert headline(at.links_to_itself()) == headline(at)
    found = at.copied(bundled)
    assert headline(at) in found.printed and "versus=('cat',)" in found.code
    assert any(at.table("layer", "head").equals(mine) for mine in printed(found))


def test_a_second_target_is_chosen_and_removed_again(page, bundled):
    at = page(attention_to="dog", **DOG)
    assert at.field("attention_versus_one").value is None and "dog" not in at.field("attention_versus_one").options
    at.put("attention_versus_one", "cat")
    assert at.session_state["attention_versus"] == ("cat",) and "“cat”" in headline(at)
    at.put("attention_to_one", "cat")  # the two cannot be the same
    assert at.session_state["attention_versus"] == () and not at.problems
    at.put("attention_versus_one", "dog").put("attention_versus_one", None)
    assert at.session_state["attention_versus"] == () and attended_words.VERSUS not in at.table("layer", "head")
    at.put("attention_versus_one", "dog").put("attention_text", "He left the room.")
    assert at.session_state["attention_versus"] == () and not at.problems


def test_several_words_can_be_the_second_target(page, bundled):
    at = page(attention_to="dog", attention_versus=["cat", "the"], **DOG)
    readings = read_all(DOG["attention_text"], bundled)
    shown(
        at,
        attend(readings, bundled, source=["it"], target=["dog"], heads=heads.STRONGEST, versus=["cat", "the"]),
    )


def test_an_address_cannot_set_one_word_as_both_targets(page):
    at = page(attention_to="dog", attention_versus="dog", **DOG)
    assert not at.problems and at.session_state["attention_versus"] == ()


def test_your_own_sentence_says_that_it_has_no_control(page):
    at = page(attention_text="The dog barked because it was hungry.")
    assert at.says("There is no control sentence. To add one, write the same sentence with one word changed.")
    at.put("attention_control", "The dog barked because it was scared.")
    assert not at.says("There is no control sentence") and at.says("With “scared” instead of “hungry”")


def test_words_are_chosen_automatically_for_your_own_sentence(page, bundled):
    at = page().put("attention_text", "The dog barked because it was hungry.")
    # The control of the example belongs to its sentence.
    assert at.session_state["attention_control"] == "" and not at.problems
    target = at.session_state["attention_to"]
    assert at.session_state["attention_from"] == ("it",) and len(target) == 1
    readings = read_all("The dog barked because it was hungry.", bundled)
    shown(at, attend(readings, bundled, source=["it"], target=target, heads=heads.STRONGEST))
    # The same from a link in a new session.
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
def test_bad_input_is_explained_and_the_first_example_is_shown(page, query, message):
    at = page(**query)
    assert message in at.problems[0] and len(at.charts) == 2
    assert at.says("Showing the previous result, for: The animal")


@pytest.mark.parametrize("text", ["!", "😀", "[MASK] [MASK]", "[CLS] [SEP] [SEP]", "a" * 300])
def test_odd_texts_are_read(page, text):
    at = page(attention_text=text, **HEAD)
    assert not at.problems and len(at.charts) == 2
    assert not page(attention_text=text).problems


def test_a_visitors_text_is_never_markup(page):
    at = page(attention_text=f"{NASTY} it", attention_control=NASTY, attention_from="img", attention_to="http")
    at.unfold("more")
    for again in (at, page(attention_text=NASTY, **HEAD), page(attention_masked=f"{NASTY} [MASK]", **ATTRIBUTION)):
        assert not any("<b>" in m.value or "<img" in m.value for m in (*again.markdown, *again.caption, *again.header))
        assert not any("<b>x" in element.proto.body or "<img" in element.proto.body for element in again.get("html"))
        assert not any("<img" in chart.spec for chart in again.charts)


def test_a_text_of_five_hundred_tokens_is_shown_without_all_pairs(page, bundled):
    text = " ".join(["The cat saw it."] * 100)
    at = page(attention_text=text, attention_from="it")
    assert not at.problems and len(at.session_state["attention_to"]) == 1
    at = page(attention_text=text, attention_from="it", attention_to="cat", **HEAD)
    assert len(at.charts[0].spec) < 300_000 and at.says("Each cell is the mean of 4 × 4 pairs of tokens")
    reading = read_all(text, bundled).now
    chosen = attend(read_all(text, bundled), bundled, source=["it"], target=["cat"], heads=heads.STRONGEST).heads
    row = one_head.matrix(reading, bundled, heads=chosen)[4]
    assert at.table("position", "weight")["weight"].tolist() == pytest.approx(row.tolist(), abs=1e-6)
    assert f"“cat” {row[2]:.1%} of its attention" in headline(at)


def test_a_model_without_segments_reads_two_sentences(page, lend, tiny_distil):
    lend(tiny_distil)
    query = {"attention_text": "the king is red", "attention_second": "the man is blue", "attention_control": ""}
    at = page(**query, attention_from="king", attention_to="man")
    assert not at.problems
    readings = read_all("the king is red", tiny_distil, second="the man is blue")
    shown(at, attend(readings, tiny_distil, source=["king"], target=["man"], heads=heads.STRONGEST))


def test_a_model_that_reads_nothing_says_so(page, cold, monkeypatch):
    monkeypatch.setattr(attention_reading, "read", unreadable)
    monkeypatch.setattr(attribution, "mask_position", unreadable)
    for tab in ({}, HEAD, ATTRIBUTION):
        at = page(**tab)
        assert "Nothing can be read." in at.problems[0] and not at.charts


def unreadable(*_, **__):
    raise ValueError("Nothing can be read.")


# One head


def test_one_head_shows_the_steps_of_the_pair(page, bundled):
    at = page(attention_heads="5.4", open="softmax", **HEAD)
    reading = read_all(ANIMAL, bundled).now
    found = one_head.steps(reading, bundled, heads="5.4", row=10, column=2)
    assert headline(at) == f"In layer 5, head 4, “it” gives “animal” {found.weight:.1%} of its attention."
    assert one_head.written(found, "it", "animal") in [block.value for block in at.code]
    pd.testing.assert_frame_equal(at.table("dimension"), found.dimensions)
    softmax = at.table("exponential")
    assert softmax["weight"].iloc[0] == found.tokens["weight"].max() and len(softmax) == 16
    weights = at.table("attending").drop(columns="attending").to_numpy()
    np.testing.assert_allclose(weights, one_head.matrix(reading, bundled, heads="5.4"))
    # The clicked token stays selected while its word is chosen.
    at = page(attention_text="Unbelievable embeddings.", attention_from="embeddings", attention_row="4", **HEAD)
    assert "“##bed”" in headline(at) or "“##ding" in headline(at)
    at.put("attention_word", "unbelievable")
    assert "“unbelievable”" in headline(at)


@pytest.mark.parametrize("name", head_tab.PRESETS)
def test_every_preset_of_one_head(page, name):
    assert headline(page(**HEAD).press(f"example-{head_tab.TAB}-{name}").links_to_itself())


@pytest.mark.parametrize(("key", "chosen"), [("all", heads.ALL), ("rollout", heads.ROLLOUT), ("3", "layer 3")])
def test_several_heads_have_no_steps(page, bundled, key, chosen):
    at = page(attention_heads=key, **HEAD)
    weights = one_head.matrix(read_all(ANIMAL, bundled).now, bundled, heads=chosen)
    assert f"{weights[10, 2]:.1%}" in headline(at)
    assert len(at.charts) == 1 and at.says("no query and key of their own")


# Best head per task


def test_the_best_head_of_each_task_is_shown(page, cold, few, bundled):
    at = page(open="task-sentences", **TASKS)
    found = tasks.scores(bundled, progress=lambda done: None)
    assert headline(at) == found.headline(tasks.REFERENT)
    at.put("attention_task", tasks.SAME)
    assert headline(at) == found.headline(tasks.SAME)
    pd.testing.assert_frame_equal(at.table("fixed_distance"), found.best)
    assert len(at.table("layer", "held_out", "share")) == 72 and len(at.table("sentence", "half")) == 8
    row = found.best.set_index("task").loc[tasks.SAME]
    at.press(f"Use head {row['layer']:.0f}.{row['head']:.0f} on your sentence")
    assert at.session_state["attention_heads"] == f"{row['layer']:.0f}.{row['head']:.0f}"
    assert at.session_state["attention_tab"] == word_tab.TAB
    for name, values in tasks_tab.PRESETS.items():
        task = values.get("attention_task", tasks.REFERENT)
        example = page(**TASKS).press(f"example-{tasks_tab.TAB}-{name}").links_to_itself()
        assert headline(example) == found.headline(task)


def test_a_slow_server_shows_the_same_head(page, cold, bundled, monkeypatch):
    """It showed the best head on twelve sentences, 5.4, until a button was pressed; on all of them 5.7 is best."""
    monkeypatch.setattr("embtools.ui.running.AT_ONCE", 0.0)
    calls = []
    judge = tasks.scores
    monkeypatch.setattr(
        tasks,
        "scores",
        lambda model, progress, **named: calls.append(named) or judge(model, progress=progress, **named),
    )
    at = page(**TASKS)
    assert not any("Judge all" in button.label for button in at.button)
    assert headline(at).startswith(
        "Head 5.7 gives the referent of “it” more attention than the other noun in 73% of new sentences"
    )
    assert at.says("best on 30 sentences: its share of hits on 30 other sentences") and calls == [{}]


def test_a_model_that_cannot_read_the_sentences_says_so(page, lend, tiny):
    lend(tiny)
    at = page(**TASKS)
    assert "Choose an English model" in at.problems[0] and not at.charts


# Attribution


@pytest.mark.parametrize("name", attribution_tab.PRESETS)
def test_every_attribution_preset(page, name, bundled):
    at = page(**ATTRIBUTION).press(name)
    example = attribution_tab.PRESETS[name]
    found = attribution.attribute(
        example.get("attention_masked", attribution_tab.TEXT.default),
        bundled,
        answer=example.get("attention_answer", ""),
    )
    assert headline(at.links_to_itself()) == found.headline and not at.problems
    pd.testing.assert_frame_equal(at.table("leave one out"), found.tokens)
    pd.testing.assert_frame_equal(at.table("method", "rho"), found.agreement)
    total, added = (
        f"{value:.2f}".replace("-", "−") for value in (found.tokens["integrated gradients"].sum(), found.difference)
    )
    assert at.says(f"the integrated gradients add up to {total}, and the words change the log probability by {added}.")


def test_a_masked_sentence_in_other_spellings(page):
    at = page(attention_masked="The capital of France is ___.", **ATTRIBUTION)
    assert not at.problems and "“paris”" in headline(at)
    at.put("attention_masked", "Rome is old.")
    assert at.says("The sentence has no mask, so its last word, “old”, was masked.")
    at.put("attention_answer", "qxzzz")
    assert "qxzzz" in at.problems[0] and at.charts


@pytest.mark.slow
def test_agreement_over_many_sentences_waits_for_its_button(page, cold, monkeypatch):
    whole = attribution.over_sentences
    monkeypatch.setattr(
        attribution, "over_sentences", lambda model, progress: whole(model, sentences=2, steps=2, progress=progress)
    )
    at = page(open="over", **ATTRIBUTION)
    assert len(at.charts) == 1
    at.press("Run on the built-in sentences")
    table = at.table("method", "same_top")
    assert len(at.charts) == 2 and at.says(attribution.Agreement(table, attribution.MOST_SENTENCES).headline)
    assert len(table) == 4


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
def test_copied_code_of_the_first_tab_gives_every_number_shown(page, query, bundled):
    at = page(**query)
    found = at.copied(bundled)
    assert headline(at) in found.printed and len(at.tables) == 2
    for table in at.tables:
        assert any(table.equals(mine) for mine in printed(found))


@pytest.mark.parametrize("chosen", ["5.4", "all"])
def test_copied_code_of_a_head_gives_every_number_shown(page, chosen, bundled):
    at = page(attention_heads=chosen, open="softmax", **HEAD)
    found = at.copied(bundled)
    rest = printed(found)
    assert any(at.table("attending").equals(mine) for mine in rest)
    assert headline(at) in found.printed
    if chosen == "all":
        return
    assert any(at.table("dimension").equals(mine) for mine in rest)
    softmax = at.table("exponential").sort_values("position", ignore_index=True)
    assert any(softmax.equals(mine) for mine in rest)
    lines = [value for value in found.printed if isinstance(value, str)]
    assert any(block.value in lines for block in at.code)


def test_copied_code_of_tasks_and_attribution_gives_every_number_shown(page, cold, monkeypatch, bundled):
    monkeypatch.setattr("embtools.ui.running.AT_ONCE", 1e9)
    at = page(**ATTRIBUTION)
    found = at.copied(bundled)
    assert headline(at) in found.printed
    for table in at.tables:
        assert any(table.equals(mine) for mine in printed(found))
    at = page(open="task-sentences", **TASKS)
    copied = at.copied(bundled)
    assert headline(at) in [value for value in copied.printed if isinstance(value, str)]
    best_heads, heads, lines = printed(copied)
    pd.testing.assert_frame_equal(at.table("fixed_distance"), best_heads)
    mine = heads[heads["task"] == tasks.REFERENT].reset_index(drop=True)
    pd.testing.assert_frame_equal(at.table("layer", "held_out", "share"), mine)
    of_job = lines[lines["task"] == tasks.REFERENT].drop(columns="task").reset_index(drop=True)
    pd.testing.assert_frame_equal(at.table("sentence", "half"), of_job)


# The texts in the code


def fragments(source: str) -> list[str]:
    """Strings of a few words that an implicit concatenation has between longer ones, or that leave a line half empty.

    Each string of a run is followed by another one on the next line, so only the last may be short.
    """
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    kinds = (tokenize.STRING, getattr(tokenize, "FSTRING_END", -1))
    found = []
    for one, between, other in zip(tokens, tokens[1:], tokens[2:], strict=False):
        follows = between.type == tokenize.NL and other.type in (
            tokenize.STRING,
            getattr(tokenize, "FSTRING_START", -1),
        )
        if one.type in kinds and follows and one.line.rstrip() == one.line[: one.end[1]]:
            text = one.line.strip()
            if text.startswith(('"', 'f"')) and one.end[1] + len(other.line.split()[0]) < 95:
                found.append(text)
    return found


@pytest.mark.parametrize("path", sorted(Path("embtools/ui/attention").glob("*.py")), ids=lambda path: path.name)
def test_no_caption_is_cut_into_fragments(path):
    """A line wrapper had left strings such as " most of all but the one that looks" between full lines."""
    assert not fragments(path.read_text(encoding="utf-8"))
