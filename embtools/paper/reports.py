"""The results of all claims as tables, as Markdown rows, and as one sentence; and the stored results of the bundled
model, with the checksum of its weights.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.drawing import Displayed
from embtools.messages import listed
from embtools.paper.claims import Claim, claims, measure_all
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART, Condition, Figure, Measured

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

HEAD = "| claim | | published | this model | verdict |\n|---|---|---|---|---|"
UNKNOWN = "not computed yet"
MARKS = {True: "✓", False: "✗", None: "?"}
"""The marks of conditions that hold, fail, or are undecided."""
FILE = Path(__file__).with_name("bundled.json")
_DIGITS = 6


@dataclass(frozen=True)
class Report(Displayed):
    """The results of a model by the id of the claim: the stored ones, and those that were computed now."""

    results: dict[str, Measured]
    computed: tuple[str, ...] = ()

    @cached_property
    def headline(self) -> str:
        """How many claims hold."""
        return finding(self.results)

    @cached_property
    def table(self) -> pd.DataFrame:
        """All claims with their verdicts; see the function `table`."""
        return table(self.results)

    @cached_property
    def comparison(self) -> pd.DataFrame:
        """The numbers that were also published; see the function `comparison`."""
        return comparison(self.results)


def report(model: "EmbeddingModel", *, computed: tuple[str, ...] = ()) -> Report:
    """Return the stored results of a model, with the results of these claims computed now.

    Parameters
    ----------
    model : EmbeddingModel
    computed : tuple of str, optional
        Claims such as "A2".

    Returns
    -------
    Report
        The results by id of the claim, as a headline and tables.
    """
    results = read_stored(model)
    if computed:
        results |= measure_all(model, names=computed)
    return Report(results, computed)


def table(results: Mapping[str, Measured]) -> pd.DataFrame:
    """Return a row for each claim: id, text, claim, published, model (of the published figures), this_model (its
    answer), verdict, criterion."""
    rows = []
    for claim in claims():
        result = results.get(claim.id)
        own = ("", UNKNOWN, "") if result is None else (result.answer, result.verdict, criterion(result))
        rows.append((claim.id, claim.text, claim.claim, claim.published, claim.model, *own))
    return pd.DataFrame(
        rows, columns=["id", "text", "claim", "published", "model", "this_model", "verdict", "criterion"]
    )


def criterion(result: Measured) -> str:
    """Return the reasons for the verdict: each condition with its mark and its evidence.

    >>> from embtools.paper.measured import Condition
    >>> criterion(Measured("", (Condition("The top answer is france.", True, "france, 78.8%."),)))
    '✓ The top answer is france. (france, 78.8%.)'
    """
    return " ".join(f"{MARKS[c.holds]} {c.statement} ({c.evidence})" for c in result.conditions)


def comparison(results: Mapping[str, Measured]) -> pd.DataFrame:
    """Return the numbers that were also published: id, name, kind (probability, cosine, share), published,
    this_model."""
    rows = [
        (claim.id, figure.name, figure.kind, figure.published, figure.here)
        for claim in claims()
        if (result := results.get(claim.id)) is not None
        for figure in result.figures
    ]
    return pd.DataFrame(rows, columns=["id", "name", "kind", "published", "this_model"])


def finding(results: Mapping[str, Measured]) -> str:
    """Return a sentence that says how many claims hold.

    >>> from embtools.paper.measured import Condition
    >>> finding({"A1": Measured("", (Condition("", True, ""),))})
    'Of 28 claims, 1 holds in this model and 27 are not computed yet.'
    """
    counts = Counter(result.verdict for result in results.values())
    total = len(claims())
    missing = total - sum(counts.values())
    if missing == total:
        return f"None of the {total} claims has been computed for this model yet."
    parts = [f"{counts[HOLDS]} {'holds' if counts[HOLDS] == 1 else 'hold'} in this model"]
    if counts[PART]:
        parts.append(f"{counts[PART]} {'holds' if counts[PART] == 1 else 'hold'} in part")
    if counts[FAILS]:
        parts.append(f"{counts[FAILS]} {'fails' if counts[FAILS] == 1 else 'fail'}")
    if counts[CANNOT]:
        parts.append(f"{counts[CANNOT]} {'is' if counts[CANNOT] == 1 else 'are'} undecided")
    if missing:
        parts.append(f"{missing} {'is' if missing == 1 else 'are'} not computed yet")
    return f"Of {total} claims, {listed(parts)}."


def line(claim: Claim, result: Measured) -> str:
    """Return a claim as a row of the table under `HEAD`."""
    verdict = f"{result.verdict}: {criterion(result)}" if result.conditions else result.verdict
    published = f"{claim.published} (model: {claim.model})"
    cells = (claim.id, claim.claim, published, result.answer or "–", verdict)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def read_stored(model: "EmbeddingModel", *, file: Path = FILE) -> dict[str, Measured]:
    """Return the stored results of a model."""
    checksum, results = _read_stored(file)
    return dict(results) if checksum == model.checksum else {}


def write_stored(model: "EmbeddingModel", *, results: Mapping[str, Measured], file: Path = FILE) -> None:
    """Store the results of a model; replaces all stored results."""
    stored = {
        "checksum": model.checksum,
        "claims": {name: _rounded(asdict(result)) for name, result in results.items()},
    }
    file.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@cache
def _read_stored(file: Path) -> tuple[str, dict[str, Measured]]:
    if not file.exists():
        return "", {}
    stored = json.loads(file.read_text(encoding="utf-8"))
    return stored["checksum"], {name: _measured(row) for name, row in stored["claims"].items()}


def _measured(stored: dict[str, Any]) -> Measured:
    conditions = tuple(Condition(**row) for row in stored["conditions"])
    return Measured(
        stored["answer"], conditions, tuple(Figure(**row) for row in stored["figures"]), stored.get("many", "")
    )


def _rounded(value: Any) -> Any:
    """Return a value with its numbers rounded, so that other processors give the same ones."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, (list, tuple)) else value
