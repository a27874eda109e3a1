"""What a model says to the claims, as tables, as a line of Markdown each, and in one sentence."""

from collections import Counter
from collections.abc import Mapping

import pandas as pd

from embtools.paper.claims import Claim, claims
from embtools.paper.measured import CANNOT, NOT, PART, STANDS, Measured

HEAD = "| claim | | published | this model | verdict |\n|---|---|---|---|---|"
UNKNOWN = "not computed yet"


def table(results: Mapping[str, Measured]) -> pd.DataFrame:
    """A row a claim: id, text, claim, published, here, verdict, criterion; of those without a result, that."""
    rows = []
    for claim in claims():
        found = results.get(claim.id)
        said = ("", UNKNOWN, "") if found is None else (found.answer, found.verdict, criterion(found))
        rows.append((claim.id, claim.text, claim.claim, claim.published, *said))
    return pd.DataFrame(rows, columns=["id", "text", "claim", "published", "here", "verdict", "criterion"])


def criterion(found: Measured) -> str:
    """How the verdict follows: each condition with a tick or a cross.

    >>> from embtools.paper.measured import Check
    >>> criterion(Measured("", (Check("The first answer is france.", True),)))
    '✓ The first answer is france.'
    """
    return " ".join(f"{'✓' if check.holds else '✗'} {check.says}" for check in found.checks)


def beside(results: Mapping[str, Measured]) -> pd.DataFrame:
    """The numbers that have a published one: id, of, kind (probability, cosine, share), published, here; 0 … 1."""
    rows = [
        (claim.id, figure.name, figure.kind, figure.published, figure.here)
        for claim in claims()
        if (found := results.get(claim.id)) is not None
        for figure in found.figures
    ]
    return pd.DataFrame(rows, columns=["id", "of", "kind", "published", "here"])


def finding(results: Mapping[str, Measured]) -> str:
    """How many claims stand, in a sentence.

    >>> from embtools.paper.measured import Check
    >>> finding({"A1": Measured("", (Check("", True),))})
    'Of 27 claims 1 stands in this model; 26 are not computed yet.'
    """
    counts = Counter(found.verdict for found in results.values())
    total = len(claims())
    missing = total - sum(counts.values())
    if missing == total:
        return f"What this model says to the {total} claims is not computed yet."
    told = [f"{counts[STANDS]} {'stands' if counts[STANDS] == 1 else 'stand'} in this model"]
    if counts[PART]:
        told.append(f"{counts[PART]} in part")
    if counts[NOT]:
        told.append(f"{counts[NOT]} {'does' if counts[NOT] == 1 else 'do'} not")
    rest = [f"{counts[CANNOT]} cannot be told here"] * bool(counts[CANNOT])
    rest += [f"{missing} {'is' if missing == 1 else 'are'} not computed yet"] * bool(missing)
    said = f"Of {total} claims {', '.join(told)}"
    return f"{said}; {', '.join(rest)}." if rest else f"{said}."


def line(claim: Claim, found: Measured) -> str:
    """A claim as a row of the table under `HEAD`."""
    verdict = f"{found.verdict}: {criterion(found)}" if found.checks else found.verdict
    cells = (claim.id, claim.claim, claim.published, found.answer or "–", verdict)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
