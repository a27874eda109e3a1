"""Batteries and analogies that are written by hand, for the tests of their sentences and charts; and cases in short."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd

from embtools.arithmetic.analogy_runs import INPUTS, METHODS, Items, Ranks, relation_tables, tables
from embtools.arithmetic.bulk_analogies import Analogies
from embtools.evidence import result
from embtools.evidence.result import Battery
from embtools.mask_filling.experiments import Cases
from embtools.mask_filling.relations import EDIT

FIRST, OTHER, STAYS = "{a} is in [MASK].", "{a} lies in [MASK].", "{a} is a [MASK]."


def over(function: Callable[..., Any], pairs: Any, model: Any, **given: Any) -> Any:
    """A function of cases, with the parts of the cases among its arguments."""
    named = {field.name: given.pop(field.name) for field in fields(Cases) if field.name in given}
    return function(Cases(pairs, **{"edit": EDIT, "sentences": ()} | named), model, **given)


def finished(blocks: Callable[..., Any], pairs: Sequence[Any], model: Any, **given: Any) -> int:
    """How many of the first pairs are stored."""
    return int(over(blocks, pairs, model, **given).finished(model))


def line(a, b, c, changed, *, sentence=FIRST, measure="efficacy", condition="edit", correct=True, already=False):  # type: ignore[no-untyped-def]
    answer, before = c if changed else b, c if already else b
    return (a, b, c, sentence, measure, condition, changed, changed, correct, already, before, answer, -1.0, 1.0, "")


def made(*lines, pairs=3, excluded=(), must_stay=(STAYS,), sentences=(FIRST, OTHER)) -> Battery:  # type: ignore[no-untyped-def]
    left = pd.DataFrame(excluded, columns=["a", "b", "reason"])
    return Battery("", sentences, must_stay, pd.DataFrame(lines, columns=list(result.COLUMNS)), left, pairs)


LINES = (
    line("rome", "italy", "france", True),
    line("rome", "italy", "spain", True),
    line("paris", "france", "italy", False),
    line("paris", "france", "spain", False),
    line("oslo", "norway", "italy", True, correct=False),
    line("oslo", "norway", "spain", False, correct=False),
    line("rome", "italy", "france", True, condition="added only"),
    line("rome", "italy", "spain", False, condition="added only"),
    line("rome", "italy", "spain", False, condition="random difference"),
    line("rome", "italy", "france", True, sentence=OTHER, measure="paraphrase"),
    line("rome", "italy", "france", False, sentence=STAYS, measure="specificity"),
    line("rome", "italy", "spain", True, sentence=STAYS, measure="specificity"),
)


def analogies_of(*right: dict[str, np.ndarray], seed: int = 0) -> Analogies:
    """A result of relations of n pairs, all of which are combined: whether each method is right, (n, n) by relation."""
    names, items, ranks = ("capital", "language", "young")[: len(right)], [], []
    for solved in right:
        n = len(next(iter(solved.values())))
        pairs = np.array([(i, j) for i in range(n) for j in range(n) if i != j])
        own = np.full((len(pairs), len(METHODS), len(INPUTS)), 20, np.int32)
        for method, rights in solved.items():
            own[:, METHODS.index(method)] = np.where(rights[pairs[:, 0], pairs[:, 1]], 1, 20)[:, None]
        items.append(Items(np.zeros((len(pairs), 4), np.intp), pairs, ((),) * len(pairs)))
        ranks.append(Ranks(own, np.zeros_like(own)))
    cells = [relation_tables(each, own, seed=seed) for each, own in zip(items, zip(ranks), strict=True)]
    found = tables(names, ("static",), items, (tuple(ranks),), cells, seed=seed)
    return Analogies(names, ("static",), tuple(items), (tuple(ranks),), ("x",), 100, *found)
