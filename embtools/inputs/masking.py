"""BERT's masking rule: which tokens of a text it has to predict in training, and what it reads in their place."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.mask_filling.forward import probabilities
from embtools.messages import counted
from embtools.models.last_states import last_states

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ALONE, MASKED, RANDOM, KEPT = "not selected", "[MASK]", "random token", "unchanged"
TREATMENTS = (ALONE, MASKED, RANDOM, KEPT)


@dataclass(frozen=True)
class Rule:
    """Shares from 0 to 1: of the tokens to predict (`rate`), and of these the masked and the randomly replaced ones.

    The other selected tokens stay unchanged. The defaults are BERT's (Devlin et al. 2018, section 3.1). Raises
    ValueError for impossible shares.
    """

    rate: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"The share of selected tokens is {self.rate:g}. Choose more than 0 and at most 1.")
        if not (0 <= self.masked <= 1 and 0 <= self.random <= 1 and self.masked + self.random <= 1 + 1e-9):
            raise ValueError("Masked and random tokens must together be 0% to 100%. Change one of the two shares.")

    def count(self, n: int) -> int:
        """Return how many of n tokens are selected: the rounded share, but at least one, as in BERT's code.

        >>> Rule().count(20), Rule().count(3)
        (3, 1)
        """
        return min(n, max(1, round(self.rate * n)))


def treatments(n: int, rule: Rule, *, seed: int = 0) -> NDArray[np.int64]:
    """Return the treatment of each of n tokens in one draw, as indices of `TREATMENTS`: (n,)."""
    if n < 1:
        raise ValueError("The text has no token that could be masked. Write a sentence.")
    rng = generator(seed)
    selected = rng.random(n).argsort().argsort() < rule.count(n)
    drawn = rng.random(n)
    treatment = np.where(drawn < rule.masked, 1, np.where(drawn < rule.masked + rule.random, 2, 3))
    return np.where(selected, treatment, 0)


def draw(text: str, model: "EmbeddingModel", *, rule: Rule | None = None, seed: int = 0) -> pd.DataFrame:
    """Apply the masking rule once to all tokens of a text but special ones, such as a typed [MASK], and return what the
    model predicts, as in BERT's training.
    """
    rule = rule or Rule()
    frame = model.tokenize(text)
    ids = frame["id"].to_numpy()
    codes = np.zeros(len(ids), np.int64)
    words = ~frame["token"].isin(model.special - {"[UNK]"}).to_numpy()
    codes[words] = treatments(int(words.sum()), rule, seed=seed)
    shown = ids.copy()
    shown[codes == 1] = model.mask_id
    # From the whole vocabulary, as in BERT's code: the new token may be a bracket or, by chance, the old one.
    replaced = generator(seed, 1).integers(len(model.vocabulary), size=len(ids))
    shown[codes == 2] = replaced[codes == 2]
    selected = np.flatnonzero(codes)
    states = last_states(model.matrix[shown][None], model, at=selected, segments=frame["segment"].to_numpy())[0]
    shares = probabilities(model.logits(model.transform(states)))
    own = shares[np.arange(len(selected)), ids[selected]]
    table = pd.DataFrame(
        {
            "position": frame["position"],
            "token": frame["token"],
            "treatment": [TREATMENTS[code] for code in codes],
            "input": [model.vocabulary[i] for i in shown],
        }
    )
    answers = dict(zip(selected.tolist(), shares.argmax(axis=1).tolist(), strict=True))
    table["top_answer"] = [model.vocabulary[answers[i]] if i in answers else "" for i in range(len(ids))]
    ranks = (shares > own[:, None]).sum(axis=1) + 1.0
    for name, values in (("probability", shares.max(axis=1)), ("true_probability", own), ("true_rank", ranks)):
        table[name] = pd.Series(values, index=selected).reindex(table.index)
    return table


@dataclass(frozen=True)
class Application:
    """The masking rule applied to a text: `drawn` is the frame of `draw`, what the model reads and predicts."""

    drawn: pd.DataFrame

    @property
    def selected(self) -> pd.DataFrame:
        """The rows of `drawn` that BERT must predict."""
        return self.drawn[self.drawn["treatment"] != ALONE].reset_index(drop=True)

    @property
    def headline(self) -> str:
        """What the rule did to the text in one draw, and how many tokens BERT predicts."""
        selected = self.selected
        counts = selected["treatment"].value_counts()
        named = {MASKED: "masked", RANDOM: "replaced", KEPT: "unchanged"}
        parts = [f"{counts[key]} {name}" for key, name in named.items() if key in counts]
        right = int((selected["top_answer"] == selected["token"]).sum())
        tokens = f"{len(selected)} of {counted(len(self.drawn) - 2, 'token')} ({', '.join(parts)})"
        return f"In this draw, BERT must predict {tokens}. It gets {right} right."


def apply_rule(
    text: str, model: "EmbeddingModel", *, rate: float = 0.15, masked: float = 0.8, random: float = 0.1, seed: int = 0
) -> Application:
    """Apply a masking rule to a text once, and let the model predict the selected tokens.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel
    rate, masked, random : float
        The shares of `Rule`.
    seed : int, default 0

    Returns
    -------
    Application
        What the model reads and predicts.

    Raises
    ------
    ValueError
        For shares that are out of range or together more than 1, and as `EmbeddingModel.tokenize` does.
    """
    return Application(draw(text, model, rule=Rule(rate, masked, random), seed=seed))
