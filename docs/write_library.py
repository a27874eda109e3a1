"""Write docs/library.md: every public function of the library with its arguments and what it returns.

python docs/write_library.py
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "library.md"
LEFT_OUT = {"ui", "charts", "bundled", "pretrain", "scoring", "paper", "wordlists"}
"""Screens, figures and command-line tools: a notebook has no use for their functions."""
HEAD = """\
# The library

`pip install .` in a clone of this repository installs `embtools` with its bundled model. Then, in a notebook:

```python
import embtools

model = embtools.load_model()
embtools.fill_mask("Rome is the capital of [MASK].", model, edits=["rome = rome - italy + france"])
```

Arguments after the star are given by name. Functions are pure: the same arguments give the same result, and no model is
changed. Wrong arguments raise a `ValueError` that says what to do. `help(function)` prints the whole description.

This page is written by `python docs/write_library.py`.
"""
Function = ast.FunctionDef


def functions(path: Path) -> Iterator[Function]:
    """The public functions of a file, in their order."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, Function) and not node.name.startswith("_") and ast.get_docstring(node):
            yield node


def signature(node: Function) -> str:
    """A function as it is called: names and defaults, without types."""
    given = node.args
    defaults = [None] * (len(given.args) - len(given.defaults)) + list(given.defaults)
    parts = [_with_default(name.arg, default) for name, default in zip(given.args, defaults, strict=True)]
    if given.vararg:
        parts.append(f"*{given.vararg.arg}")
    elif given.kwonlyargs:
        parts.append("*")
    parts += [_with_default(name.arg, value) for name, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return f"{node.name}({', '.join(parts)})"


def _with_default(name: str, default: ast.expr | None) -> str:
    return name if default is None else f"{name}={ast.unparse(default)}"


def summary(node: ast.AST) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())  # type: ignore[arg-type]


def text() -> str:
    """The whole page."""
    lines = [HEAD]
    package = ""
    for path in sorted((ROOT / "embtools").rglob("*.py")):
        parts = path.relative_to(ROOT / "embtools").with_suffix("").parts
        found = list(functions(path))
        if not found or parts[0] in LEFT_OUT or parts[-1].startswith("_"):
            continue
        folder = parts[0] if len(parts) > 1 else "Shared modules"
        if folder != package:
            package = folder
            lines.append(f"## {package}\n")
        lines.append(f"### embtools.{'.'.join(parts)}\n")
        lines.append(f"{summary(ast.parse(path.read_text(encoding='utf-8')))}\n")
        lines += [f"- `{signature(node)}` {summary(node)}" for node in found]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    print(f"Wrote {TARGET.relative_to(ROOT)}.", file=sys.stderr)
