"""Many choices of occurrences for an analogy, compared with a plain loop over every choice."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from embtools.charts import corpus as charts
from embtools.corpus import choices
from embtools.corpus.choices import all_choices
from embtools.occurrences.encoding import encode_corpus
from tests.corpus.conftest import cosines, ranked

WORDS = ("king", "man", "woman")
OWN, ROCK = ("bank", "bat", "spring"), "rock"  # in the folder


@pytest.mark.parametrize("combination", ["layer 0", "layer 2"])
def test_every_choice_is_counted(tiny, small, combination):
    found = encode_corpus(small, tiny, combination=combination)
    a, b, c = (found.vectors[found.of(word)] for word in WORDS)
    first = {False: Counter(), True: Counter()}
    for x, y, z in product(a, b, c):
        for hide in (False, True):
            first[hide][ranked(x - y + z, found, WORDS if hide else ())[0][0]] += 1
    answer = all_choices(small, tiny, words=WORDS, expected="queen", combination=combination)
    total = len(a) * len(b) * len(c)
    assert answer.every and answer.shares["choices"].tolist() == [total, len(a)] == [4, 2]
    assert answer.shares.loc[0, "with_inputs"] == first[False]["queen"] / total
    assert answer.shares.loc[0, "without_inputs"] == first[True]["queen"] / total
    winners = answer.winners.set_index("word")
    assert {w: n for w, n in winners["with_inputs"].items() if n} == dict(first[False])
    assert {w: n for w, n in winners["without_inputs"].items() if n} == dict(first[True])
    kings = found.of("king")
    alone = [[(w, n) for w, n in ranked(x, found) if n != own] for x, own in zip(a, kings, strict=True)]
    assert answer.shares.loc[1, "with_inputs"] == np.mean([order[0][0] == "queen" for order in alone])
    outside = [next(w for w, _ in order if w not in WORDS) for order in alone]
    assert answer.shares.loc[1, "without_inputs"] == np.mean([word == "queen" for word in outside])


def test_too_many_choices_are_drawn_at_random(tiny, small, monkeypatch):
    n = len(encode_corpus(small, tiny, combination="layer 1").table)
    monkeypatch.setattr(choices, "MAX_SCORES", 2 * n)
    reported = []
    found = all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 1", progress=reported.append)
    assert not found.every and found.shares["choices"].iloc[0] == 2
    assert reported == sorted(reported)
    assert found.shares.equals(all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 1").shares)


def test_the_figure_shows_every_share(tiny, small):
    found = all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 2")
    chart = charts.choices(found)
    assert chart.frame is found.shares
    for bar, row in zip(chart.figure.data, found.shares.itertuples(), strict=True):
        assert bar.x.tolist() == pytest.approx([row.without_inputs, row.with_inputs])
    assert chart.alt.startswith("Share of choices in which queen ranks 1st. By the formula: ")


def test_all_choices_are_tried_if_there_are_few(folder, rows, bundled):
    names, vectors = rows
    words = tuple(_rare(names))
    found = all_choices(folder, bundled, words=words, expected=ROCK)
    picked = [vectors[names == word] for word in words]
    hidden = np.isin(names, words)
    first = {"with_inputs": [], "without_inputs": []}
    for a, b, c in product(*picked):
        values = cosines(vectors, a - b + c)
        first["with_inputs"].append(names[values.argmax()])
        first["without_inputs"].append(names[np.where(hidden, -np.inf, values).argmax()])
    assert found.every and found.shares["choices"][0] == np.prod([len(some) for some in picked])
    counted = found.winners.set_index("word")
    for name, won in first.items():
        assert found.shares[name][0] == pytest.approx(np.mean(np.array(won) == ROCK))
        assert {w: n for w, n in counted[name].items() if n} == {w: won.count(w) for w in set(won)}
    alone = []
    for row in np.flatnonzero(names == words[0]):
        values = cosines(vectors, vectors[row])
        values[row] = -np.inf
        alone.append(names[values.argmax()] == ROCK)
    assert found.shares["with_inputs"][1] == np.mean(alone) and found.shares["choices"][1] == len(alone)


def _rare(names):
    """Three words that occur two to four times each."""
    words, counts = np.unique(names.astype(str), return_counts=True)
    return [str(w) for w, n in zip(words, counts, strict=True) if 2 <= n <= 4 and w.isalpha() and len(w) > 3][:3]


def test_choices_are_sampled_if_there_are_many(folder, bundled):
    found = all_choices(folder, bundled, words=("the", "a", "bank"), expected=ROCK, draws=20)
    assert not found.every and found.shares["choices"][0] == 20 and found.winners["with_inputs"].sum() == 20
    again = all_choices(folder, bundled, words=("the", "a", "bank"), expected=ROCK, draws=20, most_stored=10)
    assert again.winners.equals(found.winners)


def test_another_model_is_refused(folder, tiny):
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        all_choices(folder, tiny, words=OWN, expected=ROCK)
