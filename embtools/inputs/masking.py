"""BERT's masking rule: which tokens of a text it has to predict in training, and what it reads in their place."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.mask_filling.forward import probabilities
from embtools.messages import column_name
from embtools.models.last_states import last_states
from embtools.statistics.percentages import rounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ALONE, MASKED, RANDOM, KEPT = "not selected", "[MASK]", "random token", "unchanged"
TREATMENTS = (ALONE, MASKED, RANDOM, KEPT)
MAX_DRAWS = 5_000


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


def treatments(n: int, draws: int, rule: Rule, *, seed: int = 0) -> NDArray[np.int64]:
    """Return the treatment of each of n tokens in each draw, as indices of `TREATMENTS`: (draws, n).

    The tokens to predict are drawn without replacement; then each of them is independently masked, replaced or left
    unchanged. Raises ValueError without a token, and for too many draws.
    """
    if n < 1:
        raise ValueError("The text has no token that could be masked. Write a sentence.")
    if not 1 <= draws <= MAX_DRAWS:
        raise ValueError(f"The number of draws is {draws:,}. Choose 1 to {MAX_DRAWS:,}.")
    rng = generator(seed)
    selected = rng.random((draws, n)).argsort(axis=1).argsort(axis=1) < rule.count(n)
    drawn = rng.random((draws, n))
    treatment = np.where(drawn < rule.masked, 1, np.where(drawn < rule.masked + rule.random, 2, 3))
    return np.where(selected, treatment, 0)


def draw(text: str, model: "EmbeddingModel", *, rule: Rule | None = None, seed: int = 0) -> pd.DataFrame:
    """Apply the masking rule to a text once and return what the model predicts, as in BERT's training.

    [CLS] and [SEP] are never selected.
    """
    rule = rule or Rule()
    frame = model.tokenize(text)
    ids = frame["id"].to_numpy()
    inner = _inner(frame)
    codes = np.zeros(len(ids), np.int64)
    codes[inner] = treatments(len(inner), 1, rule, seed=seed)[0]
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
class Check:
    """The counts of many draws, compared with the rule.

    treatments   treatment, expected (share of all tokens), count, share, expected_low, expected_high (the range that
                 holds 95% of such shares by chance)
    tokens       position, token, the share of draws with each treatment, and selected, their sum
    count, n     each draw selects `count` of n tokens
    """

    treatments: pd.DataFrame
    tokens: pd.DataFrame
    count: int
    n: int
    draws: int

    @property
    def expected(self) -> float:
        """The share of draws in which the rule selects a token."""
        return self.count / self.n

    @property
    def sentence(self) -> str:
        """Whether the shares over many draws agree with the rule."""
        rows = self.treatments[self.treatments["treatment"] != ALONE]
        inside = (rows["share"] >= rows["expected_low"]) & (rows["share"] <= rows["expected_high"])
        out = rows["treatment"][~inside].tolist()
        within = "All shares are within the 95% interval expected by chance."
        if out:
            within = f"Outside the 95% interval expected by chance: {', '.join(out)}."
        total = rows["count"].sum()
        masked, replaced, unchanged = (rounded(count / total, 1) for count in rows["count"])
        return (
            f"Each of {self.draws:,} draws selects {self.count} of {self.n} tokens. Of these, {masked} are masked,"
            f" {replaced} replaced by a random token and {unchanged} unchanged. {within}"
        )


def check(text: str, model: "EmbeddingModel", *, rule: Rule | None = None, draws: int = 1000, seed: int = 0) -> Check:
    """Apply the masking rule many times to a text and compare the counts with the rule."""
    from scipy.stats import binom

    rule = rule or Rule()
    frame = model.tokenize(text)
    inner = _inner(frame)
    n = len(inner)
    codes = treatments(n, draws, rule, seed=seed)
    k = rule.count(n)
    shares = (rule.masked, rule.random, max(0.0, 1 - rule.masked - rule.random))
    rows: list[tuple[str, float, int, float, float, float]] = []
    total = draws * n
    for code, name in enumerate(TREATMENTS):
        count = int((codes == code).sum())
        if code == 0:  # no chance is involved: every draw selects the same number
            expected = low = high = 1 - k / n
        else:
            expected = k / n * shares[code - 1]
            low, high = (bound / total for bound in binom.interval(0.95, draws * k, shares[code - 1]))
        rows.append((name, expected, count, count / total, low, high))
    each = pd.DataFrame(
        {"position": inner, "token": frame["token"].to_numpy()[inner]}
        | {column_name(name): (codes == code).mean(axis=0) for code, name in enumerate(TREATMENTS) if code}
    )
    each["selected"] = (codes > 0).mean(axis=0)
    columns = ["treatment", "expected", "count", "share", "expected_low", "expected_high"]
    return Check(pd.DataFrame(rows, columns=columns), each, k, n, draws)


@dataclass(frozen=True)
class Application:
    """The masking rule applied to a text.

    drawn   frame of `draw`: what the model reads and predicts in one draw
    check   the counts of many draws
    """

    drawn: pd.DataFrame
    check: Check

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
        tokens = f"{len(selected)} of {len(self.drawn) - 2} tokens ({', '.join(parts)})"
        return f"In this draw, BERT must predict {tokens}. It gets {right} right."


def apply_rule(
    text: str,
    model: "EmbeddingModel",
    *,
    rate: float = 0.15,
    masked: float = 0.8,
    random: float = 0.1,
    draws: int = 1000,
    seed: int = 0,
) -> Application:
    """Apply a masking rule to a text: once, with the model's predictions, and many times, to count the treatments.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel
    rate, masked, random : float
        The shares of `Rule`.
    draws : int, default 1000
        Number of draws that are counted.
    seed : int, default 0
        Seed of the random draws.

    Returns
    -------
    Application
        One draw, and the counts of many.

    Raises
    ------
    ValueError
        For shares that are out of range or together more than 1, draws out of range, and as `EmbeddingModel.tokenize`
        does.
    """
    rule = Rule(rate, masked, random)
    return Application(draw(text, model, rule=rule, seed=seed), check(text, model, rule=rule, draws=draws, seed=seed))


def _inner(frame: pd.DataFrame) -> NDArray[np.intp]:
    """Return the positions that can be selected: all except [CLS] and [SEP]."""
    return np.arange(1, len(frame) - 1)
