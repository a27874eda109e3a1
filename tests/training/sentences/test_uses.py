"""What things are used for."""

from pathlib import Path

import pytest

from training.sentences import uses


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ("a cleaning implement for sweeping; bundle of straws", ("for", "sweeping")),
        ("a piece of cutlery with a handle; used to stir or serve food", ("to", "stir or serve food")),
        ("a small open container usually used for drinking; usually has a handle", ("for", "drinking")),
        ("hand tool having a toothed blade for cutting", ("for", "cutting")),
        ("tools, blades for cutting", None),  # unclear which thing is meant
        ("a tool for the hand", None),  # no activity
        ("feeling or caused to feel used to pain", None),  # no thing
        ("a device used to do one two three four five six seven", ("to", "do one two three four five six seven")),
        ("a device used to do one two three four five six seven eight", None),  # too long
        ("any small bird", None),
        ("", None),
    ],
)
def test_the_use_of_a_thing_is_read_from_a_definition(definition: str, said: tuple[str, str] | None) -> None:
    assert uses.use(definition) == said


def test_only_known_words_of_a_line_are_written() -> None:
    line = "boiler, tea urn, urn: an (old) vessel; used for boiling. He used to boil."
    assert uses.sentences(line, {"boiler", "tea urn"}) == [
        "A boiler is used for boiling.",
        "You use a boiler for boiling.",
        "For boiling you need a boiler.",
    ]
    assert uses.sentences(line, {"kettle"}) == []


def test_each_line_becomes_a_document(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text("oven: an appliance used for baking.\nsparrow: any small bird.\nurn: a vessel for boiling tea.")
    assert [d[0].split(".")[0] for d in uses.rewrite([glosses], {"oven", "sparrow", "urn"})] == [
        "An oven is used for baking",
        "An urn is used for boiling tea",
    ]
