"""The claims of "BERT Embedding Math" about vectors, compared with scikit-learn, scipy and NumPy."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity

from embtools import wordlists
from embtools.paper import embedding_math as claims
from embtools.progress import silent
from embtools.vectors import unit
from embtools.words import groups


@pytest.fixture(scope="module")
def known(bundled):  # type: ignore[no-untyped-def]
    """The cities of Figure 1 that are one token, with their countries and vectors."""
    rows = [(w, c) for c, words in groups.preset(groups.FIGURE_1) for w in words if len(bundled.pieces(w)) == 1]
    frame = pd.DataFrame(rows, columns=["city", "country"])
    return frame, np.stack([bundled.vector(city) for city in frame["city"]]).astype(np.float64)


def test_cities_have_neighbours_of_their_own_country(bundled, known) -> None:  # type: ignore[no-untyped-def]
    frame, vectors = known
    cosines = cosine_similarity(vectors)
    np.fill_diagonal(cosines, -2)
    same = int((frame["country"].to_numpy()[cosines.argmax(axis=1)] == frame["country"]).sum())
    found = claims.cities(bundled, progress=silent)
    assert f"for {same} of {len(frame)} cities (" in found.answer


def test_few_directions_hold_half_of_the_differences_between_countries(bundled, known) -> None:  # type: ignore[no-untyped-def]
    """By hand: components, then the sum of squares between countries, added up from the largest component on."""
    frame, vectors = known
    several = frame.groupby("country")["city"].transform("size").to_numpy() > 1
    x, countries = PCA(int(several.sum()) - 1).fit_transform(vectors[several]), frame["country"][several].to_numpy()
    between = np.zeros(x.shape[1])
    for country in set(countries):
        mine = x[countries == country]
        between += len(mine) * (mine.mean(0) - x.mean(0)) ** 2
    count = int((np.sort(between)[::-1].cumsum() < between.sum() / 2).sum()) + 1
    found = claims.cities(bundled, progress=silent)
    assert f"{count} directions hold half" in found.answer
    least = int(re.search(r"compared with (\d+) to", found.conditions[1].evidence)[1])
    assert found.conditions[1].holds is (count < least)


def test_formulas_stay_with_the_word_they_began_with(bundled) -> None:  # type: ignore[no-untyped-def]
    king, man, woman = (bundled.vector(word) for word in ("king", "man", "woman"))
    cosines = unit(bundled.matrix) @ unit((king - man + woman)[None])[0]
    assert bundled.vocabulary[int(np.where(bundled.rankable, cosines, -2).argmax())] == "king"
    found = claims.analogies(bundled, progress=silent)
    assert f"Nearest to king − man + woman: king {cosines.max():.2f}" in found.answer and all(
        c.holds for c in found.conditions
    )


def test_the_interval_of_colours_is_the_jackknife_over_them(bundled) -> None:  # type: ignore[no-untyped-def]
    """Leaving out each colour in turn, with coloraide's differences between colours."""
    from coloraide import Color

    table = dict(zip(wordlists.load("colours")["colour"], wordlists.load("colours")["hex"], strict=True))
    words = [word for word in groups_of_colours() if len(bundled.pieces(word)) == 1]
    cosines = cosine_similarity([bundled.vector(word) for word in words])
    colours = [Color(table[word]).convert("lab-d65") for word in words]
    eye = np.array([[-a.delta_e(b, method="2000") for b in colours] for a in colours])

    def rho(keep: np.ndarray) -> float:
        i, j = np.triu_indices(len(keep), 1)
        return float(spearmanr(cosines[keep[i], keep[j]], eye[keep[i], keep[j]]).statistic)

    n = len(words)
    whole, parts = rho(np.arange(n)), [rho(np.delete(np.arange(n), i)) for i in range(n)]
    half = 1.96 * np.sqrt((n - 1) / n * np.sum((np.array(parts) - np.mean(parts)) ** 2))
    found = claims.colours(bundled, progress=silent)
    text = f"ρ = {whole:.2f} (95% interval {whole - half:.2f} to {whole + half:.2f}".replace("-", "−")
    assert text in found.answer and found.conditions[2].evidence.startswith(text)


def groups_of_colours() -> list[str]:
    from embtools.similarity.matrix import preset

    return list(preset("Colours"))


def test_colours_name_the_condition_that_fails(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = claims.colours(bundled, progress=silent)
    assert [c.statement for c in found.conditions if not c.holds] == ["A sheep is more likely to be black than white."]
    answers = pipelines["bundled"]("The sheep is [MASK].", targets=["black", "white"])
    share = {row["token_str"]: row["score"] for row in answers}
    assert f"black is {share['black'] / share['white']:.2g} times" in found.answer


def test_a_model_without_the_words_is_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    for measure in (claims.cities, claims.colours):
        with pytest.raises(ValueError, match=r".+"):
            measure(tiny, progress=silent)


def test_the_cities_are_asked_with_their_capitals(cased, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    calls = []

    def read(words, model):  # type: ignore[no-untyped-def]
        calls.extend(words.groups)
        raise ValueError("enough")

    monkeypatch.setattr(claims.points, "read", read)
    with pytest.raises(ValueError, match="enough"):
        claims.cities(cased, progress=silent)
    every = [word for _, words in calls for word in words]
    assert every == [word.capitalize() for _, words in groups.preset(groups.FIGURE_1) for word in words]
    assert all(word in cased.ids for word in every)
