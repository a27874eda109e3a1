"""Sentences with one blank, against answers typed by hand."""

import pytest

import embtools
from embtools import wordlists
from training.scoring import cloze


def test_cloze_agrees_with_fill_mask(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    every = wordlists.load("cloze")
    some = every[every["suite"].isin(["capitals_of", "facts"])].groupby("suite").head(8).reset_index(drop=True)
    monkeypatch.setattr(wordlists, "load", lambda name: some)
    frame = cloze.cloze_answers(bundled)
    for item in frame.itertuples():
        answers = list(embtools.fill_mask(item.sentence, bundled, k=5)["token"])
        right = set(item.answer.split("|"))
        assert item.first == answers[0]
        assert item.top1 == float(answers[0] in right)
        assert item.top5 == float(bool(right & set(answers)))
    table = cloze.cloze(bundled).set_index("measure")["value"]
    assert table["cloze: facts, top five"] >= table["cloze: facts, first answer"]
    assert table["cloze: all sentences, top five"] == pytest.approx(frame["top5"].mean())


@pytest.mark.slow
def test_a_template_of_your_own_asks_for_every_country(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    cities = wordlists.load("cloze").query("suite == 'capitals_of'").head(40).reset_index(drop=True)
    monkeypatch.setattr(wordlists, "load", lambda name: cities)
    template = "{capital} is the capital of [MASK]."
    whole = cloze.cloze(bundled).set_index("measure")
    own = cloze.capitals(bundled, [template]).set_index("measure")
    for label in ("first answer", "top five"):  # the template of the suite, as the suite scores it
        columns = ["value", "low", "high", "n"]
        expected = whole.loc[f"cloze: capitals_of, {label}", columns]
        assert (own.loc[f"capital → country, {template}, {label}", columns] == expected).all()
    two = cloze.capitals(bundled, [template, "{capital}, in [MASK]."]).set_index("measure")
    assert len(two) == 6
    assert two.loc["capital → country, all these templates, first answer", "n"] == 2 * own["n"].iloc[0]


def test_countries_are_written_with_their_article(tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(cloze, "cloze_answers", lambda model, frame: calls.extend(frame["sentence"]) or frame.head(0))
    assert cloze.capitals(tiny, ["In [MASK] lies {capital}."]).empty
    assert "In [MASK] lies Rome." in calls
    assert "In the [MASK] lies Amsterdam." in calls


@pytest.mark.slow
def test_the_held_out_locations_are_scored_as_templates_of_your_own(bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {
        "cloze": wordlists.load("cloze").query("suite == 'capitals_of'").head(20),
        "locations": wordlists.load("locations").head(3),
    }
    monkeypatch.setattr(wordlists, "load", lambda name: lists[name].copy())
    found = cloze.locations(bundled).set_index("measure")
    assert list(found["n"]) == [60, 60]
    own = cloze.capitals(bundled, list(lists["locations"]["template"]))
    own = own[own["measure"].str.contains("all these templates")]
    columns = ["value", "low", "high", "n"]
    assert (found[columns].to_numpy() == own[columns].to_numpy()).all()


def test_a_sentence_that_begins_with_the_blank_begins_with_a_capital_letter(tiny, monkeypatch) -> None:
    calls = []
    monkeypatch.setattr(cloze, "cloze_answers", lambda model, frame: calls.extend(frame["sentence"]) or frame.head(0))
    cloze.capitals(tiny, ["[MASK] has {capital} in it."])
    assert "The [MASK] has Amsterdam in it." in calls
    assert "[MASK] has Rome in it." in calls


@pytest.mark.parametrize("wrong", ["{capital} is old.", "[MASK] is old.", "{capital} [MASK] [MASK]"])
def test_a_template_without_its_two_slots_is_refused(tiny, wrong: str) -> None:
    with pytest.raises(ValueError, match=r"must contain \{capital\} and one \[MASK\]"):
        cloze.capitals(tiny, [wrong])
