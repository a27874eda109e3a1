"""Sentences about a battery: failures, weaker forms, and what is left out."""

from tests.evidence.made import FIRST, LINES, OTHER, STAYS, line, made


def test_the_findings_name_what_fails_and_what_is_missing() -> None:
    excluded = [("w0", "x", "both words are the same token"), *((f"w{n}", "x", "reason") for n in range(1, 8))]
    paraphrase = line("rome", "italy", "france", False, sentence=OTHER, measure="paraphrase", condition="added only")
    control = line("rome", "italy", "france", True, sentence=STAYS, measure="specificity", condition="added only")
    text = " ".join(made(*LINES, paraphrase, control, pairs=5, excluded=excluded).findings)
    assert "In the other sentence, the new word becomes the answer in 100% (95% interval" in text
    assert "of the cases (0% if only the new word is added)." in text
    assert "A control that changes few answers" not in text  # that one is the only control
    random = "random difference"
    done = [(False, random), (True, random), (False, random), (True, "added only")]  # whether the answer changes
    stays = [line("rome", "italy", "france", d, sentence=STAYS, measure="specificity", condition=c) for d, c in done]
    both = " ".join(made(*LINES, *stays).findings)
    assert "of the cases (0% if only the new word is added). A control" in both
    assert "also leaves more of these unchanged: a random change of the same size leaves 67% unchanged." in both
    worse = [line("rome", "italy", c, False, sentence=STAYS, measure="specificity") for c in ("france", "spain")]
    kept = " ".join(made(*LINES[:10], *worse, *stays).findings)
    assert (
        "stay the same in 100%" in kept and "A control that changes few" not in kept
    )  # it leaves no more than the edit
    assert "Answers that should not change stay the same in 50% (95% interval" in text
    assert "The new word becomes more probable than the old one in 50% (95% interval" in text
    assert "of the cases; with the strongest control, adding only the new word, in 50%. Its log odds" in text
    assert "change by +2.0 on average; with the strongest control, adding only the new word, by +2.0." in text
    assert "right for 2 of 3 pairs. For these, the edit changes it in 50% of the cases." in text
    assert "The edit never makes the new word the answer for 1 of 3 words: “paris”." in text
    assert "3 of the 5 pairs were tested, drawn at random." in text
    assert "8 pairs are left out: 1 because both words are the same token (w0–x); 7 because reason (w1–x, w2–x," in text
    assert (
        "There are only 3 different words a and 3 different words c, so the intervals are only a rough guide." in text
    )
    alone = made(*LINES[:6], must_stay=(), sentences=(FIRST,))
    assert not any("stay the same" in each or "other sentence" in each for each in alone.findings)


def test_words_are_counted_once_and_only_if_they_could_change() -> None:
    """Oslo has two right answers, neither of which changes; in Rome's only case, the answer is already the new word."""
    again = [line("oslo", b, c, False) for b, c in (("norway", "italy"), ("norge", "spain"))]
    lines = (
        [line(a, "x", "y", True) for a in ("paris", "bern")] + again + [line("rome", "italy", "y", True, already=True)]
    )
    text = " ".join(made(*lines, must_stay=(), sentences=(FIRST,)).findings)
    assert "The edit never makes the new word the answer for 1 of 3 words: “oslo”." in text


def test_a_relation_that_the_model_does_not_know_is_stated_first() -> None:
    found = made(*(line(a, "x", c, True, correct=False) for a in "pq" for c in "yz"), must_stay=(), sentences=(FIRST,))
    assert found.findings[0].startswith("This model answers the first sentence correctly for only 0 of 2 pairs")
    assert not any("only 2 of 3" in text for text in made(*LINES).findings)


def test_each_form_has_the_control_that_is_strongest_in_it() -> None:
    """Adding the word changes the most answers; a random change the log odds the most, and makes no word preferred."""

    def case(condition: str, changed: bool, log_odds: float):  # type: ignore[no-untyped-def]
        return (*line("rome", "italy", "france", changed, condition=condition)[:-3], -1.0, log_odds, "")

    found = made(
        case("edit", True, 3.0), case("added only", True, 1.0), case("random difference", False, 2.5),
        must_stay=(), sentences=(FIRST,),
    )  # fmt: skip
    text = " ".join(found.findings)
    assert "with the strongest control, adding only the new word, in 100%." in text
    assert "with the strongest control, a random change of the same size, by +3.5." in text
    none = made(*LINES[:6], LINES[8], must_stay=(), sentences=(FIRST,))
    assert none.headline.endswith("; no control does so in any case.")
    assert "of the cases; with no control does this happen." in " ".join(none.findings)
