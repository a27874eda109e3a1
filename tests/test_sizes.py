"""The project stays as small as it is: what is added must be worth more than what goes for it."""

import runpy
from pathlib import Path

MOST = {"product": 93_800, "tests": 64_500, "embtools": 600, "pages": 14, "tabs": 46}
"""Lines of product and of tests, files of `embtools/`, pages and tabs. Lower them when something gets smaller."""


def test_the_sizes_stay_below_their_limits() -> None:
    sizes = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "tools" / "sizes.py"))
    parts, (pages, tabs) = sizes["parts"](), sizes["shown"]()
    found = {name: sizes["lines"](parts[name]) for name in ("product", "tests")}
    found |= {"embtools": len(parts["embtools"]), "pages": pages, "tabs": tabs}
    assert {name: value for name, value in found.items() if value > MOST[name]} == {}
