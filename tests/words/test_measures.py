"""What words have in common: colours, near words, frequency, kind and shared words, against plain computations."""

import lzma
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from embtools import wordlists
from embtools.similarity.random_words import compare_with_random_words
from embtools.similarity.word_pairs import pair
from embtools.wordlists import load
from embtools.words import colours, contexts, overlap
from embtools.words.frequency import (
    GROUP,
    RANDOM_PAIRS,
    candidates,
    groups_of,
    random_pairs,
    than_random,
    words_of_group,
)
from embtools.words.kinds import same_kind

COLOURS = tuple(load("colours")["colour"])


def test_differences_are_scikit_images():
    skimage = pytest.importorskip("skimage.color")
    values = colours.hexes(COLOURS)
    rgb = np.array([[int(v[i : i + 2], 16) for i in (1, 3, 5)] for v in values.values()]) / 255
    lab = skimage.rgb2lab(rgb)
    expected = skimage.deltaE_ciede2000(lab[:, None], lab[None])
    found = colours.colour_differences(tuple(values.values()))
    assert np.allclose(found, expected, atol=0.02) and np.array_equal(found, found.T) and not np.diag(found).any()


def test_names_of_colours():
    found = colours.hexes(["Red", "teal", "dark red", "piano", "#ff0000", "transparent", "currentcolor", "red)"])
    assert found == {"Red": "#ff0000", "teal": "#008080", "dark red": "#8b0000"}
    listed = load("colours")
    assert list(colours.hexes(listed["colour"]).values()) == list(listed["hex"])


LINES = ["The red apple and the red car.", "A blue car, a blue sky.", "Red sky at night.", "The car is blue"]


def test_associations_are_those_of_a_plain_loop() -> None:
    found = contexts.uses(LINES, ("red", "blue"), window=1, common=3)
    tokens = [contexts._WORD.findall(line.lower()) for line in LINES]
    near = {word: Counter() for word in ("red", "blue")}
    for line in tokens:
        for i, token in enumerate(line):
            if token in near:
                near[token].update(line[k] for k in (i - 1, i + 1) if 0 <= k < len(line))
    every = Counter(token for line in tokens for token in line)
    columns = [word for word, _ in (near["red"] + near["blue"]).most_common(3)]
    for row, word in zip(found, ("red", "blue"), strict=True):
        for value, column in zip(row, columns, strict=True):
            p = near[word][column] / near[word].total() / (every[column] / every.total())
            assert value == pytest.approx(max(0, math.log(p)) if p else 0)


def test_words_with_the_same_neighbours_are_similar() -> None:
    lines = ["a red car here", "a blue car here", "my green tea cup"] * 3
    frame = contexts.similarities(lines, ("red", "blue", "green")).set_index(["first", "second"])["similarity"]
    assert frame["red", "blue"] == 1 and frame["red", "green"] == 0
    with pytest.raises(ValueError, match="does not contain 'pink'"):
        contexts.uses(lines, ("red", "pink"))


def test_the_command_writes_all_pairs_of_colours(tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    colours = pd.read_csv(contexts._FILE)
    words = sorted({*colours["first"], *colours["second"]})
    text = "\n".join(f"the {word} thing{n}" for n, word in enumerate(words))
    (tmp_path / "a.txt").write_text(text)
    with lzma.open(tmp_path / "b.txt.xz", "wt") as file:
        file.write(text)
    monkeypatch.setattr(contexts, "_FILE", tmp_path / "list.csv")
    assert contexts.main([str(tmp_path / "a.txt"), str(tmp_path / "b.txt.xz")]) == 0
    assert len(pd.read_csv(tmp_path / "list.csv")) == 210 == len(colours)
    assert "210 pairs are in" in capsys.readouterr().out
    assert contexts.main(["missing.txt"]) == 1 and "There is no text file" in capsys.readouterr().err
    assert contexts.main([]) == 1 and colours["similarity"].between(0, 1).all()


def test_a_share_is_that_of_all_pairs_that_are_about_as_common(bundled):
    ids = np.flatnonzero(candidates(bundled))
    found = pair("beige", "turquoise", bundled)
    (group,) = set(groups_of(("beige", "turquoise"), bundled))
    rows = bundled.matrix[ids[words_of_group(group, len(ids))]].astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    assert 0.9 * GROUP < len(rows) < 1.1 * GROUP and len(found.random) == RANDOM_PAIRS
    assert found.below == pytest.approx((cosines < found.cosine).mean(), abs=0.03)
    assert found.random.mean() == pytest.approx(cosines.mean(), abs=0.01) and (np.diff(found.random) >= 0).all()
    table = compare_with_random_words(("beige", "turquoise", "red"), bundled).pairs.set_index(["first", "second"])
    assert table.loc[("beige", "turquoise"), "above"] == found.below  # the heatmap and the pair agree


def test_groups_follow_the_order_of_the_vocabulary(bundled, tiny):
    words = [bundled.vocabulary[i] for i in np.flatnonzero(candidates(bundled))]
    groups = np.array(groups_of([words[0], words[2_500], words[-1]], bundled))
    assert groups[0] == 0 and groups[1] == 2 and groups[2] == round(len(words) / GROUP) - 1
    assert groups_of(("superkingdom",), bundled, pieces="first") == groups_of(("super",), bundled)
    several = groups_of(("unable",), tiny, pieces="mean")
    assert several == (0,) == groups_of(("unable",), tiny, pieces="first")  # few words are one group
    assert -1 <= random_pairs(0, 0, tiny).mean() <= 1 and -1 <= random_pairs(0, 0, tiny, layer=1).mean() <= 1


def test_shares_are_not_rounded_to_all():
    assert than_random(0.9999) == "more similar than over 99.9% of random pairs of equally common words"
    assert than_random(1.0) == "more similar than all random pairs of equally common words"
    assert than_random(0.25, matched=False) == "less similar than 75% of random pairs"


def words(model, word: str) -> list[str]:  # type: ignore[no-untyped-def]
    return [model.vocabulary[i] for i in same_kind(model.ids[word], model)]


@pytest.mark.parametrize(
    ("word", "name", "column"),
    [("italy", "countries", "country"), ("red", "colours", "colour"), ("fish", "animals", "animal")],
)
def test_words_of_a_list_come_from_the_same_list(bundled, word, name, column) -> None:  # type: ignore[no-untyped-def]
    """A word in no list, fish, has the kind of its neighbours."""
    listed = set(wordlists.load(name)[column]) | set(wordlists.load("capitals")["capital"])
    others = (
        {"scotland", "wales", "england", "britain", "usa", "uk", "prussia", "america"} if word == "italy" else set()
    )
    found = words(bundled, word)[:30]
    assert len(found) >= 6 and word not in found and set(found) - others <= listed


def test_other_words_have_a_similar_frequency_and_are_no_names_or_forms(bundled) -> None:  # type: ignore[no-untyped-def]
    names = set(wordlists.load("groups").query("set == 'first names'")["word"])
    ranks = np.cumsum(bundled.rankable)
    for word in ("money", "books", "river", "prussia", "king"):
        found = words(bundled, word)[:20]
        assert len(found) == 20 and not names & set(found)
        assert not any(other.startswith(word) and len(other) <= len(word) + 3 for other in found)
        factors = [ranks[bundled.ids[other]] / ranks[bundled.ids[word]] for other in found]
        assert word == "prussia" or (min(factors) >= 0.25 and max(factors) <= 4)
    assert words(bundled, "john")[0] in {"michael", "george", "james"}  # names for a name


def test_shared_words_count_the_more_the_rarer_they_are():
    values = overlap.shared_words(["the red king", "the red king", "a green man"])
    assert values[0, 1] == pytest.approx(1) and values[0, 2] == 0
    values = overlap.shared_words(["the king", "the queen", "old king", "the sea", "the war"])
    assert values[0, 2] > values[0, 1] > 0
    assert not np.any(overlap.shared_words(["?", "a"]))
