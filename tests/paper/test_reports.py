"""Tables, the line of the command and the headline."""

from embtools.paper import reports
from embtools.paper.claims import claims
from embtools.paper.measured import Condition, Figure, Measured

GOOD = Measured(
    "france, 71.4%",
    (Condition("The top answer is france.", True, "Exact."),),
    (Figure("rome: france", 0.929, 0.714),),
)
HALF = Measured(
    "a | b", (Condition("One.", True, "1."), Condition("Two.", False, "2."), Condition("Three.", None, "3."))
)


def test_the_tables_hold_what_is_known() -> None:
    table = reports.table({"A2": GOOD, "A4": HALF}).set_index("id")
    assert len(table) == 28 and table.loc["A1", "verdict"] == reports.UNKNOWN
    assert table.loc["A2", ["this_model", "verdict", "criterion"]].tolist() == [
        "france, 71.4%", "holds", "✓ The top answer is france. (Exact.)",
    ]  # fmt: skip
    assert table.loc["A4", "criterion"] == "✓ One. (1.) ✗ Two. (2.) ? Three. (3.)"
    assert reports.comparison({"A2": GOOD, "A4": HALF}).to_numpy().tolist() == [
        ["A2", "rome: france", "probability", 0.929, 0.714]
    ]


def test_the_headline_counts_every_verdict() -> None:
    bad, none = Measured("", (Condition("", False, ""),)), Measured("")
    names = [claim.id for claim in claims()]
    found = dict(zip(names, [GOOD] * 22 + [HALF] * 4 + [bad, none], strict=True))
    assert reports.finding(found) == (
        "Of 28 claims, 22 hold in this model, 4 hold in part, 1 fails and 1 is undecided."
    )
    assert reports.finding(dict.fromkeys(names, GOOD)) == "Of 28 claims, 28 hold in this model."
    assert reports.finding({}) == "None of the 28 claims has been computed for this model yet."


def test_a_line_is_a_row_of_the_table() -> None:
    columns = reports.HEAD.splitlines()[0].count("|")
    assert reports.line(claims()[3], HALF).count("|") == columns
    assert "| a / b | holds in part: ✓ One. (1.) ✗ Two. (2.) ? Three. (3.) |" in reports.line(claims()[3], HALF)
    assert reports.line(claims()[3], Measured("")).endswith("| – | undecided |")
