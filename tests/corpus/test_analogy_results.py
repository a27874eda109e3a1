"""The headlines of analogies, word by word."""

import pandas as pd

from embtools.corpus.analogy_results import Analogy, Choices


def test_analogy_and_choices():
    ranks = pd.DataFrame({"of": ["formula", "baseline"], "with_inputs": [3, 42], "without_inputs": [1, 2]})
    query = ("king", "man", "woman"), "queen"
    assert Analogy(pd.DataFrame(), ranks, 9, *query).headline == (
        "king − man + woman: queen ranks 1st without the three words and 3rd with them. By nearness"
        " to king alone, it ranks 2nd (42nd with them)."
    )
    same = ranks.assign(without_inputs=ranks["with_inputs"])
    assert Analogy(pd.DataFrame(), same, 9, *query).headline == (
        "king − man + woman: queen ranks 3rd, with and without the three words. By nearness to king"
        " alone, it ranks 42nd in both cases."
    )
    shares = ranks.assign(choices=[59_840, 40], with_inputs=[0.93, 0.0], without_inputs=[1.0, 0.65])
    assert Choices(shares, pd.DataFrame(), True, *query).headline == (
        "Over all 59,840 choices of sentences, queen ranks 1st in 100% without the three words and in 93% with them."
        " By nearness to king alone, the shares are 65% and 0%."
    )
    assert "Over 59,840 random choices of sentences" in Choices(shares, pd.DataFrame(), False, *query).headline
