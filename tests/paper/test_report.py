"""Tables, the line of the command and the headline."""

from embtools.paper import report
from embtools.paper.claims import claims
from embtools.paper.measured import Check, Figure, Measured

GOOD = Measured("france, 71.4%", (Check("The first answer is france.", True),), (Figure("rome: france", 0.929, 0.714),))
HALF = Measured("a | b", (Check("One.", True), Check("Two.", False)))


def test_the_tables_hold_what_is_known() -> None:
    table = report.table({"A2": GOOD, "A4": HALF}).set_index("id")
    assert len(table) == 27 and table.loc["A1", "verdict"] == report.UNKNOWN
    assert table.loc["A2", ["here", "verdict", "criterion"]].tolist() == [
        "france, 71.4%", "stands", "✓ The first answer is france.",
    ]  # fmt: skip
    assert table.loc["A4", "criterion"] == "✓ One. ✗ Two."
    assert report.beside({"A2": GOOD, "A4": HALF}).to_numpy().tolist() == [
        ["A2", "rome: france", "probability", 0.929, 0.714]
    ]


def test_the_headline_counts_every_verdict() -> None:
    bad, none = Measured("", (Check("", False),)), Measured("")
    names = [claim.id for claim in claims()]
    found = dict(zip(names, [GOOD] * 21 + [HALF] * 4 + [bad, none], strict=True))
    assert report.finding(found) == (
        "Of 27 claims 21 stand in this model, 4 in part, 1 does not; 1 cannot be told here."
    )
    assert report.finding(dict.fromkeys(names, GOOD)) == "Of 27 claims 27 stand in this model."
    assert report.finding({}) == "What this model says to the 27 claims is not computed yet."


def test_a_line_is_a_row_of_the_table() -> None:
    columns = report.HEAD.splitlines()[0].count("|")
    assert report.line(claims()[3], HALF).count("|") == columns
    assert "| a / b | stands in part: ✓ One. ✗ Two. |" in report.line(claims()[3], HALF)
    assert report.line(claims()[3], Measured("")).endswith("| – | cannot be told here |")
