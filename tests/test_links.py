"""Links from before the house was rebuilt still open what they opened: addresses as older versions wrote them."""

from urllib.parse import parse_qs

import pytest

from embtools import nearest
from embtools.arithmetic import controls, verdict
from embtools.mask_filling.edits import Change

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"


def opened(visit, address):  # type: ignore[no-untyped-def]
    """The page that an address opens: `page?query`."""
    page, _, query = address.partition("?")
    return visit(page, **{key: parts if len(parts) > 1 else parts[0] for key, parts in parse_qs(query, True).items()})


ARITHMETIC = {
    "arithmetic?arithmetic_text=Berlin+is+the+capital+of+%5BMASK%5D.&arithmetic_edits=berlin+%3D+berlin+-+germany+%2B+greece"
    "&arithmetic_strength=1.5": (
        "Berlin is the capital of [MASK].",
        Change.of(("berlin = berlin - germany + greece",), strength=1.5),
        {},
    ),
    "arithmetic?arithmetic_text=Pakistan+is+the+south+of+%5BMASK%5D.&arithmetic_edits=pakistan+%3D+pakistan+-+asia+%2B+africa"
    "&arithmetic_scope=tied&arithmetic_leave_out=pakistan": (
        "Pakistan is the south of [MASK].",
        Change.of(("pakistan = pakistan - asia + africa",), "tied"),
        {"leave_out": ("pakistan",)},
    ),
    "arithmetic?arithmetic_text=Rome%2C+Rome+and+Rome+%5BMASK%5D.&arithmetic_positions=1&arithmetic_positions=5": (
        "Rome, Rome and Rome [MASK].",
        Change.of((EDIT,), positions=(1, 5)),
        {},
    ),
    "arithmetic?arithmetic_keep=true&arithmetic_k=12&arithmetic_temperature=0.6&arithmetic_draws=2": (
        ROME,
        Change.of((EDIT,), keep_length=True),
        {"k": 12, "temperature": 0.6, "draws": 2},
    ),
    "arithmetic?arithmetic_edits=rome+%3D+rome+-+italy+%2B+france%0Acapital+%3D+city&arithmetic_scope=input": (
        ROME,
        Change.of((EDIT, "capital = city")),
        {},
    ),
    "arithmetic?model=bundled&arithmetic_edits=&picture=png": (ROME, Change(), {}),
}


@pytest.mark.parametrize(("address", "run"), ARITHMETIC.items(), ids=range(len(ARITHMETIC)))
def test_an_edit(visit, bundled, address, run) -> None:  # type: ignore[no-untyped-def]
    text, change, named = run
    page = opened(visit, address)
    alone = controls.experiment(text, bundled, change=change, **{"k": 5} | named)
    assert not page.problems
    assert page.header[0].value.replace("\\", "") == verdict.finding(alone)
    assert page.table("token", "probability_before")["token"].tolist() == alone.answers["token"].tolist()


def test_the_second_of_two_masks(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    page = opened(visit, "arithmetic?arithmetic_text=%5BMASK%5D+is+in+rome+%5BMASK%5D.&arithmetic_mask=2")
    alone = controls.experiment("[MASK] is in rome [MASK].", bundled, change=Change.of((EDIT,)), k=5)
    assert page.header[0].value.replace("\\", "") == verdict.finding(alone, mask=2)


@pytest.mark.parametrize(
    ("query", "tab", "columns"),
    [
        ("arithmetic_candidates=france%2C+new+york&arithmetic_more=words", "Chosen words", ("word", "tokens")),
        ("arithmetic_curve=paris%2C+italy&arithmetic_more=strength", "Strength curve", ("strength", "log_odds")),
        ("arithmetic_curve_as=log-odds&arithmetic_more=strength", "Strength curve", ("strength", "log_odds")),
        ("arithmetic_find=lodnon&arithmetic_more=tokens", "Tokens", ("position", "segment")),
    ],
)
def test_details_once_shown_below_the_answers_are_in_an_open_tab(visit, query, tab, columns) -> None:  # type: ignore[no-untyped-def]
    page = opened(visit, f"arithmetic?{query}")
    key, value = next(iter(parse_qs(query).items()))
    assert page.field(key).value == value[0]
    assert page.session_state["arithmetic_more"] == tab
    assert page.table(*columns) is not None and not page.problems


def test_offensive_words_are_hidden_and_counted_on_request(visit) -> None:  # type: ignore[no-untyped-def]
    page = opened(visit, "arithmetic?arithmetic_hide=true&tables=true")
    assert page.session_state["arithmetic_hide"] is True and not page.problems


@pytest.mark.parametrize(
    ("query", "formula", "named"),
    [
        ("arithmetic_formula=paris+-+france+%2B+italy&arithmetic_expected=rome", "paris - france + italy", {}),
        (
            "arithmetic_formula=2*king&arithmetic_metric=euclidean&arithmetic_whole=true&arithmetic_neighbours=5",
            "2*king",
            {"k": 5, "metric": "euclidean", "whole_words": True},
        ),
    ],
)
def test_a_formula_with_its_words_in_and_out(visit, bundled, query, formula, named) -> None:  # type: ignore[no-untyped-def]
    page = opened(visit, f"arithmetic?arithmetic_tab=formula&{query}")
    kept, left_out = (t for t in page.tables if list(t.columns)[:2] == ["rank", "token"])
    assert kept["token"].tolist() == nearest(formula, bundled, **named)["token"].tolist()
    assert left_out["token"].tolist() == nearest(formula, bundled, inputs=False, **named)["token"].tolist()
    if "expected" in query:
        assert page.table("rank_excluded")["rank_excluded"].notna().all()


def test_a_test_cannot_use_a_parameter_that_no_page_knows(visit) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(AssertionError, match="arithmetic has no field arithmetic_old"):
        visit("arithmetic", arithmetic_old="1")


def test_nonsense_in_a_link_is_replaced_by_the_default(visit) -> None:  # type: ignore[no-untyped-def]
    page = opened(
        visit,
        "arithmetic?arithmetic_strength=1e400&arithmetic_k=nan&arithmetic_draws=-5&arithmetic_scope=both"
        "&arithmetic_mask=99&arithmetic_positions=x&arithmetic_tab=None&arithmetic_more=None",
    )
    assert not page.problems and not {key for key in page.query_params if key.startswith("arithmetic")}
