"""Axes of numbers and of names: their ends, their labels, and what only a saved picture shows."""

import numpy as np
import pytest

from embtools.charts.axes import SIGNED, Axis, Names, layer_axis, looks


def test_looks_differ_in_more_than_colour() -> None:
    found = looks([f"word {n}" for n in range(5)])
    for part in ("colour", "symbol", "dash"):
        assert len({getattr(look, part) for look in found.values()}) == 5


def test_ends_follow_the_numbers_only_if_they_should() -> None:
    assert Axis().ends((2, 4)) is None and Axis(fit=True).ends(None) is None
    assert Axis(range=(0, 1), fit=True).ends((2, 4)) == [0, 1]
    assert Axis(fit=True, room=(0.25, 0.5)).ends((2, 4)) == [1.5, 5]
    assert Axis(fit=True, symmetric=True, room=(0, 0)).ends((-1, 3)) == [-3, 3]
    assert Axis(fit=True, room=(0, 0), more={"type": "log"}).ends((0.01, 10)) == pytest.approx([-2, 1])
    assert SIGNED.ends.ends((-5.0, 2.0)) == [-5, 5]


def test_a_hidden_axis_has_its_title_in_saved_pictures() -> None:
    shown, hidden = Axis("rate", ".0%"), Axis("rate", hidden=True)
    assert shown.laid_out(None, down=False) == {"title": "rate", "tickformat": ".0%"} and not shown.off_screen
    assert hidden.laid_out(None, down=False) == {"visible": False} and hidden.off_screen == "rate"


def test_names_are_rows_from_the_top_and_columns_from_the_left() -> None:
    names = Names(["b", "a", "<c>"], "word")
    assert names.places(["a", "<c>", "b"]) == [1, 2, 0] and names.places([0.62]) == [0.62]
    assert names.labels == ["b", "a", "&lt;c&gt;"]
    rows, columns = (names.laid_out(None, down=down) for down in (True, False))
    assert rows["range"] == columns["range"][::-1] == [2.5, -0.5] and rows["tickvals"] == [0, 1, 2]
    assert names.off_screen == "word" and "title" not in rows
    few = Names([str(n) for n in range(7)], "strength", every=3, titled=True).laid_out(None, down=False)
    assert few["tickvals"] == [0, 3, 6] and few["ticktext"] == ["0", "3", "6"] and few["title"] == "strength"


def test_plotly_can_leave_out_names_that_would_overlap() -> None:
    thin = Names(["b", "<c>"], thin=True).laid_out(None, down=False)
    assert thin["labelalias"] == {"0": "b", "1": "&lt;c&gt;"} and thin["type"] == "category" and "ticktext" not in thin


def test_many_layers_have_fewer_numbers_and_models_of_other_depth_their_own_axis() -> None:
    assert (layer_axis(12).more["dtick"], layer_axis(24).more["dtick"]) == (1, 4) and not layer_axis(12).shared


def test_the_room_of_names_is_that_of_their_longest_line() -> None:
    one, two = Names(["four", "seven77"], wide=20), Names(["seven77 and seven77"], wide=8)
    assert (Names(["four"]).widest, one.widest) == (31, 50) and two.labels == ["seven77<br>and<br>seven77"]
    assert two.widest == one.widest and two.highest == 3 * one.highest
    assert np.array_equal(Names(["a", "b"], texts=["x", "y"]).labels, ["x", "y"])
