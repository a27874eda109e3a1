"""The Evidence page as a visitor clicks it: from a mark to its case, to Arithmetic, and back."""

OWN = {
    "evidence_relation": "own",
    "evidence_pairs": "Rome, Italy\nParis, France\nBerlin, Germany",
    "evidence_others": "2",
}


def test_a_click_on_a_case_opens_it_and_leads_to_arithmetic_and_back(fresh):
    tab = fresh.open("evidence", **OWN)
    headline = tab.finding.inner_text()
    chart = tab.chart("cases")
    trace = chart.traces()[1]  # the marks on the cells
    chart.click(float(trace["x"][0]), float(trace["y"][0]))
    tab.shows("Selected case")
    a, b, c = tab.query["evidence_case"][0].split("|")
    tab.main.get_by_text("Open this case on Arithmetic").click()
    tab.settled().shows("Arithmetic")
    assert tab.query.get("arithmetic_text", ["Rome is the capital of [MASK]."]) == [f"{a} is the capital of [MASK]."]
    assert tab.query["arithmetic_edits"][0].startswith(f"{a} = {a} - ") and c in tab.query["arithmetic_edits"][0]
    tab.main.get_by_text("Back to Evidence").click()
    tab.settled().shows("Selected case")
    assert tab.finding.inner_text() == headline and tab.query["evidence_case"] == [f"{a}|{b}|{c}"]
    tab.back()
    tab.settled().shows("Arithmetic")
    tab.back()
    assert tab.finding.inner_text() == headline and tab.query["evidence_case"] == [f"{a}|{b}|{c}"]


def test_a_number_outside_its_limits_is_replaced_and_reset_clears_it(fresh):
    tab = fresh.open("evidence", **OWN)
    tab.fill("New words", "0")
    tab.holds("New words", "1").shows("0 is not possible here, so 1 is used.")
    tab.asks(evidence_others="1")
    tab.press("Reset").lacks("is not possible here")
    tab.holds("New words", "5")
