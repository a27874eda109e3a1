"""Figures that others have published, to stand beside the same numbers computed here; their values: `published.csv`."""

import pandas as pd

from embtools import wordlists
from embtools.limits import enough
from embtools.messages import quoted
from embtools.recipes import SUM_FOUR, WORD_POOLINGS

# "Understanding BERT — Word Embeddings" for BERT base: sum of the last four layers, segment id 1.
BANK = "bank"
BANK_LINE = (
    "money, money, river | After stealing money from the bank vault, the bank robber was seen fishing on the"
    " Mississippi river bank."
)
BANK_SHAPE = "13 × 1 × 22 × 768 = 219,648"


def bank_cosines() -> dict[tuple[int, int], float]:
    """The cosines of two pairs of occurrences of bank: (first, second) → cosine.

    >>> bank_cosines()
    {(1, 2): 0.94, (2, 3): 0.69}
    """
    return {(int(row.item), int(row.part)): row.value for row in _figures("bank cosines").itertuples()}


def bank_values() -> pd.DataFrame:
    """The first five numbers of the three occurrences' vectors: occurrence, 1, 2, 3, 4, 5."""
    rows = _figures("bank values")
    wide = rows.pivot(index="item", columns="part", values="value").loc[rows["item"].unique()]
    return wide.rename_axis(index="occurrence", columns=None).reset_index()


def belongs_to_bank(word: str, lines: tuple[str, ...], recipe: str, pooling: str) -> bool:
    """Whether the published cosines and values are those of this question."""
    return (word, lines) == (BANK, (BANK_LINE,)) and recipe == SUM_FOUR and pooling in WORD_POOLINGS


def beside_recipes(scores: pd.DataFrame) -> pd.DataFrame:
    """How BERT's authors rank recipes, beside the scores of `survey.stability`: recipe, published, own.

    published: F1 of named entities, the development set of CoNLL-2003, weighted sums, BERT base (Devlin et al. 2019,
    table 7); own: the AUC of the first piece. Another task, another scale: only the order can be compared.
    """
    enough(scores, "scores")
    layers = [recipe for recipe in scores["recipe"].unique() if recipe.startswith("layer ")]
    last = max(layers, key=lambda recipe: int(recipe.split()[1]))
    rows = _figures("recipes")
    recipes = rows["item"].replace("last layer", last)
    own = scores[scores["pooling"] == "first piece"].set_index("recipe")["auc"]
    if missing := [recipe for recipe in recipes if recipe not in own.index]:
        raise ValueError(f"The scores lack the recipe {quoted(missing[0])}. Give those of every recipe.")
    return pd.DataFrame({"recipe": recipes, "published": rows["value"], "own": own.loc[recipes].to_numpy()})


def _figures(name: str) -> pd.DataFrame:
    return wordlists.load("published").query("figure == @name").reset_index(drop=True)
