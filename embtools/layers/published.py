"""Published figures to compare with the same numbers computed here; the values are in `published.csv`."""

import pandas as pd

from embtools import wordlists
from embtools.layer_combinations import SUM_FOUR, WORD_POOLINGS
from embtools.limits import enough
from embtools.messages import quoted

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
    """The first five numbers of the vectors of the three occurrences, as a frame: occurrence, 1, 2, 3, 4, 5."""
    rows = _figures("bank values")
    wide = rows.pivot(index="item", columns="part", values="value").loc[rows["item"].unique()]
    return wide.rename_axis(index="occurrence", columns=None).reset_index()


def belongs_to_bank(word: str, lines: tuple[str, ...], combination: str, pooling: str) -> bool:
    """Whether the published cosines and values belong to this word, these lines, layer combination and pooling."""
    return (word, lines) == (BANK, (BANK_LINE,)) and combination == SUM_FOUR and pooling in WORD_POOLINGS


def compare_combinations(scores: pd.DataFrame) -> pd.DataFrame:
    """Published F1 for named entities (Devlin et al. 2019, table 7) and the AUC of the first token (`survey.stability`)
    of layer combinations; task and scale differ, so only the order can be compared.
    """
    enough(scores, "scores")
    layers = [combination for combination in scores["combination"].unique() if combination.startswith("layer ")]
    last = max(layers, key=lambda combination: int(combination.split()[1]))
    rows = _figures("combinations")
    combinations = rows["item"].replace("last layer", last)
    own = scores[scores["pooling"] == "first token"].set_index("combination")["auc"]
    if missing := [combination for combination in combinations if combination not in own.index]:
        raise ValueError(
            f"The scores have no row for {quoted(missing[0])}. Give the scores of every layer combination."
        )
    return pd.DataFrame(
        {"combination": combinations, "f1_published": rows["value"], "auc": own.loc[combinations].to_numpy()}
    )


def _figures(name: str) -> pd.DataFrame:
    return wordlists.load("published").query("figure == @name").reset_index(drop=True)
