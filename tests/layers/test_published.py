"""Published figures and their comparison with our scores."""

import pandas as pd

from embtools.layer_combinations import combination_names
from embtools.layers import published


def test_the_text_gives_two_cosines_and_three_vectors():
    assert published.bank_cosines() == {(1, 2): 0.94, (2, 3): 0.69}
    values = published.bank_values()
    assert list(values.columns) == ["occurrence", "1", "2", "3", "4", "5"]
    assert list(values["occurrence"]) == ["the bank vault", "the bank robber", "river bank"]
    assert values.set_index("occurrence").loc["river bank", ["1", "5"]].tolist() == [1.5266, 2.8334]
    assert values.set_index("occurrence").loc["the bank vault", "2"] == -2.9805


def test_the_published_values_belong_to_one_query_only():
    query = (published.BANK, (published.BANK_LINE,), "sum of last four", "mean of tokens")
    assert published.belongs_to_bank(*query)
    for index, other in enumerate(("banks", (published.BANK_LINE, "a bank"), "layer 1", "sentence: cls")):
        changed = [*query]
        changed[index] = other
        assert not published.belongs_to_bank(*changed)


def test_combinations_keep_the_order_of_the_paper_with_the_last_layer_of_this_model():
    names = combination_names(6)
    scores = pd.DataFrame(
        {
            "combination": [name for name in names for _ in range(2)] + ["shared words, no model"],
            "pooling": ["first token", "mean of tokens"] * len(names) + ["control"],
            "auc": [n / 100 for n in range(2 * len(names))] + [0.5],
        }
    )
    table = published.compare_combinations(scores)
    assert dict(zip(table["combination"], table["f1_published"], strict=True)) == {
        "layer 0": 91.0, "second-to-last layer": 95.6, "layer 6": 94.9, "sum of last four": 95.9,
        "concatenation of last four": 96.1, "sum of all layers": 95.5,
    }  # fmt: skip
    first = scores[scores["pooling"] == "first token"].set_index("combination")["auc"]
    assert table["auc"].tolist() == first[table["combination"]].tolist()
