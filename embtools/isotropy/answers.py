"""The answers to the same questions in several spaces, side by side: analogies and senses, question by question."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from embtools.limits import enough


def by_relation(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How often the expected word is first, by relation: relation, of, and a column for each space."""
    enough(found, "spaces")
    first = next(iter(found.values()))
    sizes = first.groupby("relation", sort=False).size()
    shares = {name: (table["rank"] == 1).groupby(table["relation"], sort=False).mean() for name, table in found.items()}
    frame = pd.DataFrame({"of": sizes, **shares})
    return frame.reset_index(names="relation")


def side_by_side(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The ranks of the expected word in each space, the largest changes first; `alone` is the raw rank by c alone."""
    enough(found, "spaces")
    first = next(iter(found.values()))
    ranks = {name: table["rank"].to_numpy() for name, table in found.items()}
    question = [f"{row.a} : {row.b} = {row.c} : {row.expected}" for row in first.itertuples()]
    frame = pd.DataFrame({"analogy": question, **ranks, "by c alone": first["alone"]})
    second = list(found)[1] if len(found) > 1 else next(iter(found))
    change = (frame[second] - frame[next(iter(found))]).abs().to_numpy()
    return frame.iloc[np.argsort(-change, kind="stable")].reset_index(drop=True)


def senses_beside(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How well each word's senses are told apart in each space: word, and a column for each space."""
    enough(found, "spaces")
    columns = {name: table.set_index("word")["separation"] for name, table in found.items()}
    return pd.DataFrame(columns).reset_index(names="word")


def senses_sentence(found: Mapping[str, pd.DataFrame]) -> str:
    """How many nearest occurrences have the right sense in each space, and how many by chance.

    >>> told = pd.DataFrame({"word": ["bank"], "occurrences": [8], "right": [6], "chance": [3.4], "separation": [0.9]})
    >>> senses_sentence({"raw": told})
    'The nearest other occurrence has the same sense: raw 6 of 8; by chance 3.'
    """
    enough(found, "spaces")
    total = int(next(iter(found.values()))["occurrences"].sum())
    parts = [f"{name} {int(table['right'].sum())} of {total}" for name, table in found.items()]
    chance = float(next(iter(found.values()))["chance"].sum())
    return f"The nearest other occurrence has the same sense: {', '.join(parts)}; by chance {chance:.0f}."
