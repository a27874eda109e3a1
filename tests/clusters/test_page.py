"""The Clusters page without a browser."""

import pandas as pd
import pytest

from embtools.clusters import lookup
from embtools.ui.clusters import examples, selection
from embtools.words import groups as words_groups


@pytest.fixture(scope="module")
def page(visit):
    """Open the Clusters page; the fields go by their names without "clusters_" in front."""
    return lambda **fields: visit("clusters", **{f"clusters_{name}": value for name, value in fields.items()})


@pytest.mark.parametrize("name", examples.EXAMPLES)
def test_every_example_shows_its_map(page, name: str):
    state = {key.removeprefix("clusters_"): value for key, value in examples.EXAMPLES[name].items()}
    test = page(**state)
    assert not test.problems
    grouped = name != "Four kinds without labels"
    assert len(test.charts) == (3 if grouped and name != "Whole vocabulary" else 1)
    assert {"trustworthiness", "neighbours kept"} <= set(test.metrics)
    assert ("silhouette in the space" in test.metrics) == grouped
    assert test.says("points")
    if not grouped:
        found = test.table("typical")["words"]
        assert len(found) == 4 and found.min() >= 10  # twelve of each kind
    if name == "Rome moved to France":
        assert test.table("nearest_here")["word"].tolist() == ["rome", "rome - italy + france"]


@pytest.mark.parametrize("name", examples.LISTS)
def test_every_list_can_be_drawn(page, name: str):
    assert not page(list=name, method="PCA").problems


def test_the_vocabulary_has_no_sentence(page):
    test = page(list="whole vocabulary", source="in a sentence", method="PCA")
    assert "static embeddings only" in "\n".join(test.problems) and test.charts


def own(page, text: str, **state):
    return page(list="own words", words_own_words=text, **state)


WORD_LINE = "a: " + ", ".join(f"w{i}" for i in range(2_001))


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (lambda page: own(page, "a: red", method="PCA"), "1 word makes no map"),
        (lambda page: own(page, "a: red, red, blue"), "'red' stands twice"),
        (lambda page: own(page, WORD_LINE), "2,001 words"),
        (lambda page: own(page, "a: red\nb:"), "The group 'b' is empty"),
        (lambda page: own(page, ""), "There are no words"),
        (lambda page: own(page, "\n".join(f"g{i}: w{i}" for i in range(57))), "57 groups; at most 56"),
        (lambda page: page(source="in a sentence", **{"list": "cities of 15 countries", "sentence_cities_of_15_countries": "bank " * 490 + "{word}"}), "at most 40,000"),
        (lambda page: own(page, "a: red, green\nb: blue, black", perplexity=5), "choose 1 to 3"),
        (lambda page: page(source="in a sentence", **{"sentence_cities_of_Figure_1": "river " * 60 + "{word}" + " bank" * 500}), "pieces"),
        (lambda page: page(source="in a sentence", **{"sentence_cities_of_Figure_1": ""}), "exactly once"),
        (lambda page: page(formulas="rome -"), "something is missing"),
        (lambda page: page(formulas="rome = unbelievableness"), "not one word piece"),
        (lambda page: page(method="axes", x="she - she"), "no length"),
        (lambda page: page(method="axes", y=""), "formula each"),
        (lambda page: page(only="atlantis"), "'atlantis' is not in the groups"),
        (lambda page: page(pick="atlantis"), "Not on the map: atlantis"),
        (lambda page: page(pick='"rome'), "not closed"),
    ],
)  # fmt: skip
def test_bad_input_is_told_and_a_map_stays(page, test, said: str):
    shown = test(page)
    assert said in "\n".join(shown.problems)
    assert shown.charts


def test_the_last_good_map_stays(page):
    test = page(list="animals")
    before = test.metrics
    test.put("clusters_words_animals", "mammals: dog")
    assert "makes no map" in "\n".join(test.problems)
    assert test.metrics == before


def test_words_of_several_pieces_wear_a_badge(page):
    words = "a: red, green, blue, supercalifragilisticexpialidocious\nb: dog, cat, horse"
    test = own(page, words, method="PCA")
    assert not test.problems and test.says("1 left out")
    test = own(page, words, method="PCA", pieces="mean")
    assert test.says("1 by mean of their pieces")


def test_one_group_is_a_map_without_group_numbers(page):
    test = own(page, "colours: red, green, blue, black, white", method="PCA")
    assert not test.problems and "silhouette in the space" not in test.metrics
    assert test.says("one group only")


def test_a_long_tsne_waits_for_its_button(page, visit, bundled):
    whole = [p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and len(p) > 3][:400]
    test = own(page, "a: " + ", ".join(whole[:200]) + "\nb: " + ", ".join(whole[200:]))
    assert test.says("Until then the map shows PCA of static embeddings.")
    (start,) = waits(test)
    assert start.startswith("Compute t-SNE of 400 points")
    test.press(start)
    assert not test.problems
    assert test.says("t-SNE, perplexity 5")
    # The address restores it, cold; and a change of the fields asks anew.
    cold = visit("clusters", **test.query_params)
    assert "clusters_run" in cold.query_params and not waits(cold)
    assert cold.says("t-SNE, perplexity 5")
    cold.put("clusters_perplexity", 6)
    assert waits(cold) and "clusters_run" not in cold.query_params


def waits(test) -> list[str]:
    return [b.label for b in test.button if b.label.startswith("Compute ")]


def test_a_stopped_map_waits_for_its_button(page, stop):
    assert not waits(page(list="months"))
    stop("Drawing the map")
    test = page(list="months")
    (start,) = waits(test)
    assert test.says("Until then")
    test.press(start)
    assert not waits(test) and "clusters_run" in test.query_params


def test_a_long_sentence_and_many_starts_wait_for_their_button(page):
    assert not waits(page(list="animals", source="in a sentence", method="PCA"))
    sentence = "The {word} is here." + " The river is long." * 30
    test = page(list="animals", source="in a sentence", method="PCA", sentence_animals=sentence)
    assert waits(test)[0].startswith("Compute sentences of ")
    test = page(list="cities of 15 countries", stability=True, formulas="paris + rome")
    assert not waits(test)
    whole = page(list="cities of 15 countries", stability=True, source="in a sentence",
                 sentence_cities_of_15_countries=sentence)  # fmt: skip
    assert waits(whole)[0].startswith("Compute sentences and t-SNE of ")


def test_a_model_that_does_not_know_the_example_shows_the_reason_only(page, lend, tiny):
    lend(tiny)
    test = page(list="months")
    assert "cannot be read by this model" in "\n".join(test.problems)
    assert not test.charts


def test_an_upload_becomes_own_words(page):
    test = page()
    file = b"word,group\nred,a\ngreen,a\nblue,a\ndog,b\ncat,b\nhorse,b\n"
    test.put("clusters_file", ("groups.csv", file, "text/csv"))
    assert test.selectbox(key="clusters_list").value == "own words"
    assert test.text_area(key="clusters_words_own_words").value == "a: red, green, blue\nb: dog, cat, horse"
    assert not test.problems


def test_copied_python_gives_every_number_shown(page, bundled):
    test = page(list="months", formulas="january + june", stability=True, pick="may, january + june", find="ju*")
    assert not test.problems
    found = test.copied(bundled)
    for name in ("trust", "groups"):
        for row in getattr(found.drawn, name).itertuples():
            assert test.metrics[row.measure] == f"{row.value:.2f}"
    stable = test.table("stable")
    assert stable.sort_values("word")["stable"].tolist() == pytest.approx(
        found.stable.sort_values("word")["stable"].tolist()
    )
    shown = " ".join(m.value for m in (*test.markdown, *test.caption))
    assert f"**{found.stable['stable'].mean():.0%}** of a word's neighbours" in shown
    carriers = found.found
    for basis, (true, low, high) in carriers.half.items():
        assert f"{true} {basis} hold half" in shown and f"({low} to {high})" in shown
    assert f"{carriers.clear} of {carriers.total} dimensions differ" in shown
    for mine, columns in (
        (carriers.curve, ("basis", "dimensions", "share", "low")),
        (carriers.accuracy, ("basis", "accuracy")),
        (carriers.dimensions.head(10), ("f", "highest")),
    ):
        pd.testing.assert_frame_equal(test.table(*columns).reset_index(drop=True), mine.reset_index(drop=True))
    neighbours = test.table("nearest_here")
    assert neighbours["word"].tolist() == ["may", "january + june"]
    assert any(isinstance(p, pd.DataFrame) and p.equals(neighbours) for p in found.printed)
    assert [found.drawn.points["word"][i] for i in found.printed[-2]] == ["june", "july"]


def test_copied_python_runs_where_there_is_less_to_show(page, bundled):
    for state in ({"words_own_words": "colours: red, green, blue, black"}, {"words_own_words": "a: red, sea\nb: dog"}):
        test = page(list="own words", method="PCA", **state)
        assert not test.problems
        assert not hasattr(test.copied(bundled), "found")


def test_clusters_density_and_a_second_map(page, bundled):
    test = page(list="months", formulas="january + june", colour="found clusters", found=3, density=True, beside="PCA")
    assert not test.problems and len(test.charts) == 4
    code = test.copied(bundled)
    unnamed, second = code.unnamed, code.second
    pd.testing.assert_frame_equal(test.table("typical").reset_index(drop=True), unnamed.table)
    (said,) = [c.value for c in test.caption if c.value.startswith("k-means")]
    assert f"silhouette {unnamed.silhouette:.2f};" in said and f"{unnamed.low:.2f} to {unnamed.high:.2f}" in said
    shown = [table for table in test.tables if {"word", "x", "y", "cluster"} <= set(table)]
    assert len(shown) == 2
    for points, drawn in zip(shown, (code.drawn, second), strict=True):
        assert points[["x", "y"]].to_numpy() == pytest.approx(drawn.points[["x", "y"]].to_numpy())
        assert points["cluster"].tolist() == [*unnamed.names, ""]


def test_what_a_map_cannot_carry_is_told(page, bundled):
    for state, said in (
        (
            {"words_own_words": "a: red, green, blue", "found": 5, "colour": "found clusters"},
            "cannot be divided into 5",
        ),
        ({"words_own_words": "a: red, green, blue, black", "found": 1}, "1 clusters were asked for"),
        ({"words_own_words": "a: red, green, blue", "beside": "t-SNE", "pick": "red"}, "perplexity"),
        ({"words_own_words": "a: red, sea\nb: dog, cat", "beside": "group means"}, "fewer than 2 directions"),
        ({"words_own_words": "a: red, green, blue", "beside": "PCA"}, "by PCA already"),
        ({"list": "months", "method": "axes", "x": "she - he", "y": "she - he", "density": True}, "lie on a line"),
        ({"list": "whole vocabulary", "label": "nothing", "beside": "t-SNE"}, "Make it the first map"),
    ):
        test = page(**({"list": "own words", "method": "PCA"} | state))
        assert test.says(said)
        assert not any(chart.id.count("second-map") for chart in test.charts)
        assert {"unnamed", "second", "places"}.isdisjoint(vars(test.copied(bundled)))  # and the code runs to its end


def test_the_link_and_the_code_are_renewed_when_they_open(page):
    test = page(list="months", method="PCA")
    assert not any("?" in c.value for c in test.code)  # the link is made when it is asked for
    test.session_state["share-link"] = True
    test.run()
    assert "clusters_list=months" in test.code[0].value


def test_of_many_selected_words_the_first_hundred_are_listed(page):
    cities = [city for _, members in words_groups.preset("cities of 15 countries") for city in members][:110]
    test = page(list="cities of 15 countries", method="PCA", pick=words_groups.write_words(cities))
    assert not test.problems and "110 selected" in test.texts
    assert test.table("nearest_here")["word"].tolist() == cities[:100]
    assert test.says("first 100 are listed, and kept in the link")


class Selected:
    """Runs the callback of a selection as Streamlit does: the state first, then the function."""

    def __init__(self, monkeypatch) -> None:
        self.state: dict = {"clusters_pick": "may"}
        monkeypatch.setattr(selection.st, "session_state", self.state)

    def __call__(self, words: tuple[str, ...], rows: list[int], figure: str = "a figure", name: str = "map") -> str:
        self.state[f"chart-{name}"] = {"selection": {"points": [{"customdata": [row]} for row in rows]}}
        selection.keep(words, figure, name)
        return self.state["clusters_pick"]


def test_a_selection_is_kept_in_the_field_and_leaves_the_figure_as_it_is(monkeypatch):
    words = ("may", "june", "a, b", "july")
    points = pd.DataFrame({"word": words})
    select = Selected(monkeypatch)
    assert select(words, [1, 2]) == 'may, june, "a, b"'
    assert selection.marked(points, "a figure") == [0]  # the others are shown by the selection itself
    assert select(words, [3]) == "may, july"
    assert select(words, []) == "may"
    select(words, [1])
    # Another colour draws a figure without a selection: there the words are marked, and stay.
    assert selection.marked(points, "another") == [0, 1]
    assert select(words, [3], "another") == "may, june, july"
    many = tuple(f"w{i}" for i in range(150))
    assert select(many, list(range(150)), "a third").count(",") == lookup.MAX_PICKED - 1


def test_a_selection_on_one_map_is_marked_on_the_other_and_takes_the_place_of_the_last(monkeypatch):
    words = ("may", "june", "july")
    points = pd.DataFrame({"word": words})
    select = Selected(monkeypatch)
    assert select(words, [1]) == "may, june"
    assert selection.marked(points, "a figure", "map") == [0]
    assert selection.marked(points, "a figure", "second-map") == [0, 1]
    # The rings of the second map change: it is drawn anew, forgets its selection, and needs a ring round it.
    assert select(words, [2], name="second-map") == "may, july"
    for name in ("map", "second-map"):
        assert selection.marked(points, "a figure", name) == [0, 2]
    assert select(words, [], name="second-map") == "may"


def test_colours_labels_and_search(page):
    for colour in ("frequency rank", "neighbours kept", "stability"):
        test = page(list="months", colour=colour, label="group", find="ju*", stability=True, pick="may")
        assert not test.problems
        assert test.says("2 of 12 match: june, july")
    assert test.says("starts elsewhere")


def test_hostile_words_stay_text(page):
    hostile = "a: <img src=x onerror=alert(1)>, **bold**, dog, cat\nb: horse, cow, ![x](y)"
    test = own(page, hostile, method="PCA", pieces="mean")
    assert not test.problems
    spec = test.charts[0].spec
    assert "&lt;img src=x onerror=alert(1)&gt;" in spec and "<img" not in spec
    assert not any("<img" in m.value or "**bold**" in m.value for m in test.markdown)
