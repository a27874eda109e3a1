"""The finding of each shape that the layers' scores can have."""

import numpy as np
import pandas as pd
import pytest

from embtools.layers import verdict

NAN = float("nan")


def finding(auc: list[float], senses: int = 2, cosine: list[float] | None = None) -> str:
    frame = pd.DataFrame({"layer": range(len(auc)), "auc": auc, "cosine": cosine or [0.5] * len(auc)})
    return verdict.finding(frame, "bank", senses)


@pytest.mark.parametrize(
    "auc, senses, expected",
    [
        ([0.4, 0.9, 0.7, 0.8, 1.0], 2, "From layer 3 on, the two senses of bank stand apart: AUC 1.00 in layer 4, 0.40 in layer 0."),
        ([0.4, 0.9, 0.79, 0.8], 3, "Only in the last layer do the three senses of bank stand apart: AUC 0.80 in layer 3, 0.40 in layer 0."),
        ([0.4, 0.9, 0.95, 0.7], 2, "The two senses of bank stand apart in layer 2 (AUC 0.95) and mix again by layer 3 (0.70)."),
        ([0.4, 0.6, 0.5], 12, "In no layer do the 12 senses of bank stand clearly apart: AUC at most 0.60 (layer 1), where 0.50 is chance."),
        ([1.0, 0.9, 0.8], 2, "In every layer, even in layer 0 without context, the two senses of bank stand apart: AUC 0.80 in layer 2, 1.00 in layer 0."),
        ([NAN, 0.6, 0.9], 2, "Only in the last layer do the two senses of bank stand apart: AUC 0.90 in layer 2, 0.60 in layer 1."),
    ],
)  # fmt: skip
def test_every_shape_has_its_sentence(auc, senses, expected):
    assert finding(auc, senses) == expected


def test_without_senses_the_occurrences_drift():
    nothing = [np.nan, np.nan]
    assert finding(nothing, 0, [0.9, 0.4]) == (
        "The occurrences of bank drift apart: their mean cosine goes from 0.90 in layer 0 to 0.40 in layer 1."
    )
    assert "stay as alike as they were" in finding(nothing, 0, [1.0, 0.999])
    assert "come together" in finding(nothing, 0, [0.4, 0.9])
    assert "cannot tell them apart" in finding(nothing, 2, [NAN, NAN])


def test_without_senses_no_layer_of_two_models_is_the_best():
    known = pd.DataFrame({"layer": [0, 1], "auc": [0.5, np.nan]})
    assert "layer 0 of 1 (AUC 0.50), B in layer 0 of 1 (0.50)" in verdict.two_models(known, known, ("A", "B"))
    assert "no layer can be the best" in verdict.two_models(known, known.assign(auc=np.nan), ("A", "B"))


def test_the_best_recipe_of_two_models_and_how_many_do_as_well():
    one = pd.DataFrame({"recipe": ["layer 0", "layer 1"], "pooling": "first piece", "auc": [0.5, 0.9]})
    many = pd.concat([one, one.assign(recipe=["layer 2", "layer 3"], auc=0.9)], ignore_index=True)
    assert verdict.two_recipes(one, many, ("A", "B")) == (
        "Best in A: layer 1, first piece (AUC 0.90); in B: layer 1, first piece (AUC 0.90, 2 others as good)."
    )
    assert "no recipe can be the best" in verdict.two_recipes(one, one.assign(auc=np.nan), ("A", "B"))


def test_two_surveys_are_compared_on_the_same_words():
    words = [f"word {n}" for n in range(30)]
    rows = [
        (word, layer, "mean of pieces", auc) for word in words for layer, auc in (("layer 0", 0.5), ("layer 1", 0.8))
    ]
    first = pd.DataFrame(rows, columns=["word", "recipe", "pooling", "auc"])
    better = first.assign(auc=first["auc"] + np.tile([0, 0, 0.1, 0.2], 15)).sample(frac=1, random_state=0)
    said = verdict.two_surveys(first, better, ("A", "B"))
    assert said.startswith(
        "Best in A: layer 1, mean of pieces (mean AUC 0.800); in B: layer 1, mean of pieces (mean AUC 0.900)."
    )
    assert "For the same 30 words B's is higher by 0.100 (95%: 0.0" in said
    assert "For the same 30 words A's is lower by 0.100 (95%: 0.0" in verdict.two_surveys(better, first, ("B", "A"))
    shaken = first.assign(auc=first["auc"] + np.tile([0, 0.1, 0, -0.1], 15))
    assert "stays open: B's is +0.000 (95%: -0.0" in verdict.two_surveys(first, shaken, ("A", "B"))
