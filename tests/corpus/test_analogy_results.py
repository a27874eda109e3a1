"""The headlines of analogies, word by word."""

import pandas as pd

from embtools.corpus.analogy_results import Analogy, Choices, FourWords
from embtools.occurrences.in_memory import MEMORY


def test_analogy_and_choices():
    ranks = pd.DataFrame({"of": ["formula", "baseline"], "with_inputs": [3, 42], "without_inputs": [1, 2]})
    query = ("king", "man", "woman"), "queen"
    counts = pd.DataFrame({"word": ["king", "man", "woman", "queen"], "count": [40, 44, 34, 30]})
    cosines = pd.DataFrame({"of": ["formula", "baseline"], "best": [0.714, 0.652], "mean": [0.5, 0.4]})
    four = FourWords(counts, cosines, 0.9)
    assert Analogy(pd.DataFrame(), ranks, 9, *query, four, MEMORY).headline == (
        "king − man + woman: queen ranks 1st if the three words are excluded and 3rd if they are kept. By"
        " nearness to king alone, queen ranks 2nd (42nd if all occurrences of the three words are kept)."
    )
    same = ranks.assign(without_inputs=ranks["with_inputs"])
    assert Analogy(pd.DataFrame(), same, 9, *query, four, MEMORY).headline == (
        "king − man + woman: queen ranks 3rd, whether the three words are excluded or kept. By nearness to"
        " king alone, queen ranks 42nd in both cases."
    )
    quick = Analogy(pd.DataFrame(), ranks.head(0), 0, *query, four, MEMORY)
    assert quick.headline == (
        "king − man + woman: the nearest occurrence of queen has a cosine of 0.71 with the result and of 0.65 with king"
        " alone. The result itself has a cosine of 0.90 with king."
    )
    assert quick.compared == "This uses only the 148 occurrences of the four words."
    shares = ranks.assign(choices=[59_840, 40], with_inputs=[0.93, 0.0], without_inputs=[1.0, 0.65])
    assert Choices(shares, pd.DataFrame(), True, *query, pd.DataFrame()).headline == (
        "Of all 59,840 choices of sentences, queen ranks 1st in 100% if the three words are excluded, and in 93% if they"
        " are kept. By nearness to king alone, queen ranks 1st in 65% if they are excluded, and in 0% if they are kept."
    )
    assert (
        "Of 59,840 random choices of sentences"
        in Choices(shares, pd.DataFrame(), False, *query, pd.DataFrame()).headline
    )
