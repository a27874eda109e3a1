"""The sentences about an erasure: they hold its numbers, and their verdicts can fail."""

from dataclasses import replace

import pytest

from embtools.charts import directions as charts
from embtools.charts.style import BLUE, GREY
from embtools.directions.erased import NONE, random_name
from embtools.directions.erasing import erase
from embtools.spaces.erasers import INLP, LEACE
from embtools.statistics.decimals import decimal
from tests.directions.lists import BAD, GOOD

TEXT = "Your idea is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return erase(BAD, GOOD, bundled, layer=3, text=TEXT, rounds=3, draws=2)


def changed(found, method, **values):
    """The result with other numbers in a row."""
    rows = found.methods.copy()
    for name, value in values.items():
        rows.loc[rows["method"] == method, name] = value
    return replace(found, methods=rows)


def test_sentences_about_the_result_hold_its_numbers(found):
    row = found.of(LEACE)
    assert found.headline.startswith("After LEACE in layer 3, a new classifier is right for ")
    assert "; before: " in found.headline and "; after removing 1 random direction: " in found.headline
    assert f"interval {row['accuracy_low']:.0%} to {row['accuracy_high']:.0%}" in found.headline
    assert "right for 50%. LEACE guarantees" in found.guarantee and "1 random direction" in found.guarantee
    strong = changed(found, "1 random direction", accuracy=0.9, accuracy_lowest=0.71)
    assert "after removing 1 random direction: 71% in the strongest of 2 draws, 90% on average)." in strong.headline
    lower = changed(found, LEACE, difference=-0.034)
    assert "3.4 points lower than after removing 1 random" in lower.guarantee
    assert f"“{found.answers.loc[found.answers['probability_after'].idxmax(), 'token']}”" in found.answer
    assert f" stays the top answer in {found.stays} of {found.draws} draws (mean probability: " in found.answer
    assert " in 0 of 7 draws " in replace(found, stays=0, draws=7).answer
    assert f"In {found.sentences} other sentences, the log probability of {found.masks} masked words" in found.costs
    assert (
        "probe for the part of speech" in found.costs and "Guessing would give the right answer for 25%." in found.costs
    )
    low, high = (decimal(100 * row[f"other_difference_{end}"], 1, signed=True) for end in ("low", "high"))
    assert (
        f"95% interval of the difference: {low} to {high} points). Guessing would give the right answer for 25%."
        in found.costs
    )
    other = changed(found, LEACE, cost_difference=-0.21, cost_difference_low=-0.34, cost_difference_high=0.05)
    assert "(difference −0.21, 95% interval −0.34 to +0.05). A newly" in other.costs
    other = replace(found, method=INLP)
    assert "After INLP" in other.headline and "LEACE" not in other.guarantee
    assert all("3 random directions" in text for text in (other.headline, other.guarantee, other.costs))


def test_an_erasure_that_removes_no_more_than_random_directions_is_called_that(found, bundled):
    none = changed(found, LEACE, difference=-0.05, difference_low=-0.15, difference_high=0.05)
    assert not none.removes
    assert none.headline.endswith("So nothing shows that LEACE removes more than expected by chance.")
    strong = changed(found, LEACE, difference=-0.3, difference_low=-0.5, difference_high=-0.1)
    assert strong.removes and strong.headline.endswith("). So LEACE removes more than expected by chance.")
    mixed = [*BAD, *GOOD]
    first, second = mixed[::2], mixed[1::2]  # groups that do not differ
    real = erase(first, second, bundled, layer=3, text=TEXT, rounds=2, draws=2)
    assert not real.removes and not real.differs and real.headline.startswith("These words are too few to show")


def test_without_a_difference_there_is_nothing_to_erase(found):
    assert found.differs
    weak = changed(found, NONE, accuracy=0.42, accuracy_low=0.24, accuracy_high=0.62)
    assert not weak.differs and weak.headline.startswith(
        "These words are too few to show that layer 3 holds the difference, so nothing can be said about erasing it."
        " Before, a new classifier is right for 42% of the held-out words (95% interval 24% to 62%; guessing: 50%), and"
        " after LEACE for "
    )
    below = {"difference": -0.192, "difference_low": -0.352, "difference_high": -0.04}
    less = changed(weak, LEACE, accuracy=0.4, **below)  # one verdict, whatever the difference
    assert not less.removes and less.headline.startswith("These words are too few")
    assert "points). But without an accuracy above guessing before, this does not show" in less.guarantee
    under = changed(found, LEACE, accuracy=0.4, **below)
    assert not under.removes and under.guarantee.endswith("a lower accuracy does not show that more was erased.")


def test_an_interval_without_a_width_is_said_in_words(found):
    same = changed(found, LEACE, other_change=0.0, other_change_low=0.0, other_change_high=0.0)
    assert "(no change for any word)" in same.costs
    near = changed(found, LEACE, other_change=0.0, other_change_low=-2e-4, other_change_high=2e-4)
    assert "(95% interval of the change: less than 0.1 points)" in near.costs


def test_sentences_with_words_of_the_groups_are_counted(found):
    assert found.seen == 0 and "too few" not in found.costs
    assert f" 2 of the {found.sentences} sentences contain one of your words" in replace(found, seen=2).costs
    assert f" 1 of the {found.sentences} sentences contains one of your words" in replace(found, seen=1).costs


def test_the_caption_says_whether_the_sentences_are_new(found):
    assert found.text == "60 built-in sentences without a word of your groups"
    assert replace(found, seen=55).text == "60 built-in sentences (55 of them contain a word of your groups)"
    assert replace(found, seen=1).text == "60 built-in sentences (1 of them contains a word of your groups)"
    sentences = replace(found, kind="sentences")
    assert sentences.text == "60 built-in sentences that are not among yours"
    assert replace(sentences, seen=2).text == "60 built-in sentences (2 of them contain one of your sentences)"


def test_the_control_has_a_name():
    assert (random_name(1), random_name(10)) == ("1 random direction", "10 random directions")


def test_the_charts_show_every_method_next_to_its_control(found):
    names = found.methods["method"].tolist()
    for draw, column in ((charts.left, "accuracy"), (charts.erasure_cost, "cost"), (charts.other, "other_accuracy")):
        chart = draw(found)
        mark, *_ = chart.figure.data
        assert list(mark.x) == pytest.approx(found.methods[column].tolist(), abs=1e-6)
        assert list(chart.figure.layout.yaxis.ticktext) == names and all(name in chart.alt for name in names)
        assert list(mark.marker.color) == [GREY if "random" in name else BLUE for name in names]
    assert "masked words" in charts.erasure_cost(found).alt and "part of speech" in charts.other(found).alt
