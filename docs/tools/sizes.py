"""Print how large the project is: lines and files by part, what the doors of the library offer, pages and tabs.

python docs/tools/sizes.py
"""

import inspect
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from embtools import doors  # noqa: E402  (from the checkout, wherever this is started)
from embtools.ui import menu, panels  # noqa: E402

PRODUCT = ("embtools", "pages", "training")
SCREENS = ("charts", "ui")


def lines(paths: list[Path]) -> int:
    """The lines of files."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def parts() -> dict[str, list[Path]]:
    """The Python files of each part."""
    found = {name: sorted((ROOT / name).rglob("*.py")) for name in (*PRODUCT, "tests", "benchmarks", "docs")}
    numbers = [path for path in found["embtools"] if path.relative_to(ROOT).parts[1] not in SCREENS]
    screens = {f"embtools/{name}": sorted((ROOT / "embtools" / name).rglob("*.py")) for name in SCREENS}
    product = [*(path for name in PRODUCT for path in found[name]), ROOT / "app.py"]
    return {"product": product, "of it, numbers": numbers, **screens, **found}


def offered() -> tuple[int, int]:
    """The functions and the classes in all doors of the numbers."""
    found = {getattr(room, name) for room in doors.rooms() for name in getattr(room, "__all__", ())}
    classes = sum(map(inspect.isclass, found))
    return len(found) - classes, classes


def shown() -> tuple[int, int]:
    """The pages beside Home, Lessons and About, and the tabs at the top of them."""
    return len(menu.IDEAS), sum(len(panels.of(page.name)) for page in menu.IDEAS)


def main() -> None:
    """Print the table."""
    for name, paths in parts().items():
        print(f"{name:<20} {lines(paths):>8,} lines {len(paths):>6,} files")
    functions, classes = offered()
    print(f"{'doors':<20} {functions:>8,} functions {classes:>4,} classes")
    pages, tabs = shown()
    print(f"{'shown':<20} {pages:>8,} pages {tabs:>8,} tabs")


if __name__ == "__main__":
    main()
