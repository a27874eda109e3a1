"""An example sets all fields of its panel."""

from embtools.ui import examples
from embtools.ui.fields import Flag, Text


def test_an_example_puts_the_other_fields_of_its_panel_back() -> None:
    class Panel:
        FIELDS = (Text("t", "default"), Flag("f"))

    assert examples.values_of(Panel, {"f": True}) == {"t": "default", "f": True}
