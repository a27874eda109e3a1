"""The rule by which BERT learnt: which tokens of a text it has to guess, and what stands there meanwhile."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.mask_filling.forward import probabilities

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ALONE, MASKED, RANDOM, KEPT = "not asked", "[MASK]", "random piece", "kept"
TREATMENTS = (ALONE, MASKED, RANDOM, KEPT)
MAX_DRAWS = 5_000


@dataclass(frozen=True)
class Rule:
    """Shares from 0 to 1: of the tokens that are to be guessed, and of these masked, exchanged; the rest is kept.

    The defaults are BERT's (Devlin et al. 2018, section 3.1). Raises ValueError for shares that cannot be.
    """

    rate: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"The share to be guessed is {self.rate:g}; choose more than 0 and at most 1.")
        if not (0 <= self.masked <= 1 and 0 <= self.random <= 1 and self.masked + self.random <= 1 + 1e-9):
            raise ValueError("Masked and exchanged together are more than all. Make one of them smaller.")

    def asked(self, n: int) -> int:
        """How many of n tokens are to be guessed: the rounded share, but at least one, as in BERT's code.

        >>> Rule().asked(20), Rule().asked(3)
        (3, 1)
        """
        return min(n, max(1, round(self.rate * n)))


def treatments(n: int, draws: int, rule: Rule, seed: int = 0) -> NDArray[np.int64]:
    """What happens to each of n tokens in each draw, as numbers of `TREATMENTS`: (draws, n).

    The tokens to be guessed are drawn without replacement, then each on its own is masked, exchanged or kept. Raises
    ValueError without a token, and for too many draws.
    """
    if n < 1:
        raise ValueError("The text has no piece that could be hidden. Write a sentence.")
    if not 1 <= draws <= MAX_DRAWS:
        raise ValueError(f"{draws:,} draws were asked for; choose 1 to {MAX_DRAWS:,}.")
    rng = generator(seed)
    asked = rng.random((draws, n)).argsort(axis=1).argsort(axis=1) < rule.asked(n)
    fate = rng.random((draws, n))
    how = np.where(fate < rule.masked, 1, np.where(fate < rule.masked + rule.random, 2, 3))
    return np.where(asked, how, 0)


def draw(text: str, model: "EmbeddingModel", rule: Rule | None = None, seed: int = 0) -> pd.DataFrame:
    """The rule played on a text once, and what the model guesses: what BERT does a billion times in training.

    Columns: position, token, treatment, shown (what the model reads); where it is asked also guess, and the
    probability of the guess and of the token itself, with its rank. [CLS] and [SEP] are never asked for. Raises
    ValueError as `EmbeddingModel.tokenize` and `treatments` do.
    """
    rule = rule or Rule()
    frame = model.tokenize(text)
    ids = frame["id"].to_numpy()
    inner = _inner(frame)
    codes = np.zeros(len(ids), np.int64)
    codes[inner] = treatments(len(inner), 1, rule, seed)[0]
    shown = ids.copy()
    shown[codes == 1] = model.mask_id
    # From the whole vocabulary, as in BERT's code: the new piece may be a bracket, or by chance the old one.
    exchanged = generator(seed, 1).integers(len(model.vocabulary), size=len(ids))
    shown[codes == 2] = exchanged[codes == 2]
    asked = np.flatnonzero(codes)
    states = model.encode(model.matrix[shown][None], frame["segment"].to_numpy(), last_only=True)[0, 0, asked]
    shares = probabilities(model.logits(model.transform(states)))
    own = shares[np.arange(len(asked)), ids[asked]]
    table = pd.DataFrame(
        {
            "position": frame["position"],
            "token": frame["token"],
            "treatment": [TREATMENTS[code] for code in codes],
            "shown": [model.vocabulary[i] for i in shown],
        }
    )
    guessed = dict(zip(asked.tolist(), shares.argmax(axis=1).tolist(), strict=True))
    table["guess"] = [model.vocabulary[guessed[i]] if i in guessed else "" for i in range(len(ids))]
    ranks = (shares > own[:, None]).sum(axis=1) + 1.0
    for name, values in (("probability", shares.max(axis=1)), ("true_probability", own), ("true_rank", ranks)):
        table[name] = pd.Series(values, index=asked).reindex(table.index)
    return table


@dataclass(frozen=True)
class Check:
    """Many draws against the rule.

    treatments   treatment, expected (share of all tokens), count, share, low, high (where 95 of 100 such counts lie)
    tokens       position, token, then the share of draws in which it was masked, exchanged and kept; asked, their sum
    asked, n     how many of how many tokens a draw asks for
    """

    treatments: pd.DataFrame
    tokens: pd.DataFrame
    asked: int
    n: int


def check(text: str, model: "EmbeddingModel", rule: Rule | None = None, *, draws: int = 1000, seed: int = 0) -> Check:
    """The rule played many times on a text; the counts beside what the rule promises. Errors as those of `draw`."""
    from scipy.stats import binom

    rule = rule or Rule()
    frame = model.tokenize(text)
    inner = _inner(frame)
    n = len(inner)
    codes = treatments(n, draws, rule, seed)
    k = rule.asked(n)
    shares = (rule.masked, rule.random, max(0.0, 1 - rule.masked - rule.random))
    rows: list[tuple[str, float, int, float, float, float]] = []
    total = draws * n
    for code, name in enumerate(TREATMENTS):
        count = int((codes == code).sum())
        if code == 0:  # without chance: every draw asks for the same number
            expected = low = high = 1 - k / n
        else:
            expected = k / n * shares[code - 1]
            low, high = (bound / total for bound in binom.interval(0.95, draws * k, shares[code - 1]))
        rows.append((name, expected, count, count / total, low, high))
    each = pd.DataFrame(
        {"position": inner, "token": frame["token"].to_numpy()[inner]}
        | {name: (codes == code).mean(axis=0) for code, name in enumerate(TREATMENTS) if code}
    )
    each["asked"] = (codes > 0).mean(axis=0)
    columns = ["treatment", "expected", "count", "share", "low", "high"]
    return Check(pd.DataFrame(rows, columns=columns), each, k, n)


def _inner(frame: pd.DataFrame) -> NDArray[np.intp]:
    """The positions that may be asked for: all but [CLS] and [SEP]."""
    return np.arange(1, len(frame) - 1)
