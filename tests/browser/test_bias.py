"""The Bias page as a visitor clicks it."""

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlparse

from embtools.bias import association, published_tests
from embtools.bias import groups as bias_groups

TEMPLATE = "The {group} is a [MASK]."
LINK = f"bias?bias_template={quote(TEMPLATE)}&bias_groups={quote('king, queen')}&bias_lean=-0.5&bias_scope=input"


def plot_alts(tab) -> list[str]:  # type: ignore[no-untyped-def]
    """The texts that describe the charts to those who do not see them."""
    return tab.page.eval_on_selector_all(
        '[data-testid="stPlotlyChart"]', "all => all.map(e => e.getAttribute('aria-label') || e.innerHTML)"
    )


def test_cold_deep_link_restores_the_table(start: Callable[[], str], tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{start()}/{LINK}")
    tab.holds("Groups", "king, queen")
    found = bias_groups.group_answers(TEMPLATE, ("king", "queen"), bundled, lean=-0.5, scope="input")
    tab.shows(found.formula)
    farthest = found.distances.set_index("of").loc["king", "queen"]
    assert f"{farthest:.3f} bits" in " ".join(tab.text().split())
    best = found.answers.iloc[0]
    assert any(f"{best['token']} {best['probability']:.1%}" in alt for alt in plot_alts(tab))


def test_presets_and_reset(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/bias").click("Religions")
    assert "hindu" in tab.page.get_by_label("Groups", exact=True).input_value()
    tab.click("Reset")
    tab.holds("Groups", "He, She")


def test_a_preset_of_another_tab_opens_it(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/bias").page.get_by_text("More examples").click()
    tab.page.get_by_test_id("stPopoverBody").get_by_text("Her work at the hospital").click()
    tab.settle()
    tab.shows("He works as a [MASK] at the hospital.")
    assert parse_qs(urlparse(tab.page.url).query)["bias_tab"] == ["Whole sentence"]


def test_groups_can_be_taken_from_a_list(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/bias").page.get_by_text("Words from a list").click()
    tab.page.get_by_test_id("stPopoverBody").get_by_text("Use the first of each").click()
    tab.settle()
    tab.holds("Groups", "he, she, they")


def test_weight_slider_moves_the_average(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/bias")
    slider = tab.page.get_by_role("slider", name="Weight of the average").first
    slider.focus()
    slider.press("End")
    tab.settle()
    tab.shows("0 He + 1 She")
    assert "bias_lean=1" in tab.page.url


def test_long_run_ends_without_its_bar_and_is_remembered(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    link = f"{server}/bias?bias_tab=Occupations&bias_words={quote('nurse, judge, poet, baker, pilot')}"
    for _ in range(2):  # the second visit is answered from memory
        tab.open(link)
        tab.shows("On one side in every sentence")
        assert tab.page.get_by_test_id("stMain").get_by_role("button", name="Stop").count() == 0


def test_association_test_by_cold_link(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    sets = published_tests.word_sets(8)
    fields = "&".join(
        f"{k}={quote(', '.join(s))}" for k, s in zip(("bias_x", "bias_y", "bias_a", "bias_b"), sets, strict=True)
    )
    tab.open(f"{server}/bias?bias_tab={quote('Association tests')}&{fields}")
    found = association.weat(*sets, bundled)
    tab.shows(f"{found.effect:.2f}", f"{found.p:.4f}")


def test_download_holds_the_numbers_shown(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/{LINK}")
    rows = tab.rows("answers-by-group")
    found = bias_groups.group_answers(TEMPLATE, ("king", "queen"), bundled, lean=-0.5, scope="input").union
    assert [r["token"] for r in rows] == list(found["token"])
    assert abs(float(rows[0]["average"]) - found["average"].iloc[0]) < 1e-5


def test_hostile_groups_stay_text(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    hostile = "<img src=x>, **bold**, ![x](http://127.0.0.1/x.png)"
    tab.open(f"{server}/bias?bias_groups={quote(hostile)}")
    tab.shows_no_markup()
    tab.open(
        f"{server}/bias?bias_tab={quote('Whole sentence')}&bias_text={quote('He **x** <img src=x> is [here](http://127.0.0.1).')}"
    )
    tab.shows_no_markup()


def test_phone_is_not_wider_than_its_screen(server: str, phone) -> None:  # type: ignore[no-untyped-def]
    phone.open(f"{server}/bias").fits_the_screen()


def test_a_long_answer_can_be_stopped_and_asked_for_again(slow_server: str, tab) -> None:  # type: ignore[no-untyped-def]
    groups = "man, woman, boy, girl, king, queen, father, mother, son, daughter, brother, sister"
    template = "The {group} works as a [MASK]. " + "The river runs to the sea and the wind blows. " * 10
    tab.open(f"{slow_server}/bias")  # the model is loaded
    tab.page.goto(f"{slow_server}/bias?bias_groups={quote(groups)}&bias_template={quote(template)}")
    tab.stop()
    tab.shows("It was stopped", "0.5 He + 0.5 She")  # the first example meanwhile
    tab.page.get_by_role("button", name="Begin again").click()
    tab.settle()
    tab.shows("0.083 man")
    assert "It was stopped" not in tab.text()


def test_every_word_and_every_sentence_are_tables_of_their_own(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    sentences = "{group} is the {occupation}.\nThe {occupation} met {group}."
    fields = f"bias_words={quote('nurse, judge, poet')}&bias_templates={quote(sentences)}"
    tab.open(f"{server}/bias?bias_tab=Occupations&{fields}")
    tab.page.get_by_text("Every word in every sentence").click()
    words, single = tab.rows("scores-by-word"), tab.rows("scores-by-sentence")
    assert (len(words), len(single)) == (3, 6)
    for row in words:
        values = [float(r["score"]) for r in single if r["occupation"] == row["occupation"]]
        assert abs(float(row["score"]) - sum(values) / 2) < 1e-5
        assert abs(float(row["low"]) - min(values)) < 1e-5
