"""What an address cannot say: unknown parameters in the tests' own, and nonsense in those of visitors."""

from urllib.parse import parse_qs

import pytest


def opened(visit, address):  # type: ignore[no-untyped-def]
    """The page that an address opens: `page?query`."""
    page, _, query = address.partition("?")
    return visit(page, **{key: parts if len(parts) > 1 else parts[0] for key, parts in parse_qs(query, True).items()})


def test_a_test_cannot_use_a_parameter_that_no_page_knows(visit) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(AssertionError, match="arithmetic has no field arithmetic_old"):
        visit("arithmetic", arithmetic_old="1")


def test_nonsense_in_a_link_is_replaced_by_the_default(visit) -> None:  # type: ignore[no-untyped-def]
    page = opened(
        visit,
        "arithmetic?arithmetic_strength=1e400&arithmetic_k=nan&arithmetic_draws=-5&arithmetic_scope=both"
        "&arithmetic_mask=99&arithmetic_positions=x&arithmetic_tab=None&arithmetic_more=None",
    )
    assert page.says("arithmetic_strength=1e400, arithmetic_k=nan, ", " and 3 more.")
    assert not page.problems and not {key for key in page.query_params if key.startswith("arithmetic")}


def test_an_option_that_the_model_does_not_have_is_named_until_something_changes(visit) -> None:  # type: ignore[no-untyped-def]
    page = opened(visit, "attention?attention_tab=layer&attention_layer=12")
    assert page.says("attention_layer=12") and not page.problems and "attention_layer" not in page.query_params
    assert not page.put("attention_masked", "Paris is the capital of [MASK].").says("attention_layer=12")
