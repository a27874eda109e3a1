"""What every page does: its examples stand for all fields of a panel."""

from embtools.ui import page
from embtools.ui.fields import Flag, Text


def test_an_example_puts_the_other_fields_of_its_panel_back() -> None:
    class Panel:
        FIELDS = (Text("t", "default"), Flag("f"))

    assert page.example(Panel, {"f": True}) == {"t": "default", "f": True}
