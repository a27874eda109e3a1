"""Write docs/library.md: every public function of the library with its parameters and what it returns.

python docs/write_library.py
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "library.md"
LEFT_OUT = {"ui", "charts", "paper", "dictionary", "lens", "rooms", "wordlists", "documents", "stored_scores"}
"""Screens, figures, rooms and command-line tools: a notebook has no use for their functions."""
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

Letters for shapes: v tokens in the vocabulary, d dimensions, l layers, t tokens of a text, n rows, k results.
`model` is always an `EmbeddingModel`. `progress` receives the fraction that is done, 0 … 1, and may raise an exception
to stop.

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
    named = [(name.arg, default) for name, default in zip(given.args, defaults, strict=True) if name.arg != "self"]
    parts = [_with_default(name, default) for name, default in named]
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


def sections(node: ast.AST) -> dict[str, dict[str, tuple[str, str]]]:
    """The numpydoc sections of a docstring: {"Parameters": {"k": ("int, default 10", "Number of tokens.")}, …}.

    Names that share a line share type and text. Under Returns and Raises, the type takes the place of a name.
    """
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for part in (ast.get_docstring(node) or "").split("\n\n"):  # type: ignore[arg-type]
        title, _, rest = part.partition("\n")
        rule, _, rest = rest.partition("\n")
        if not rule or set(rule) != {"-"} or len(rule) != len(title):
            continue
        entries = found.setdefault(title, {})
        for line in rest.splitlines():
            if line.startswith(" "):
                last = list(entries)[-1]
                entries[last] = entries[last][0], f"{entries[last][1]} {line.strip()}".strip()
            else:
                names, _, kind = line.partition(" : ")
                entries[names] = kind, ""
    return found


def description(node: Function, name: str = "") -> Iterator[str]:
    """The lines of a function: how it is called, its summary, and its parameters, result and errors if described."""
    yield f"- `{name}{signature(node)}` {summary(node)}"
    found = sections(node)
    for names, (_, text) in found.get("Parameters", {}).items():
        if text and names != "progress":
            yield f"  - {', '.join(f'`{each}`' for each in names.split(', '))}: {text}"
    for title in ("Returns", "Raises"):
        for kind, (_, text) in found.get(title, {}).items():
            yield f"  - *{title}* {kind}{f': {text}' if text else ''}"


def front() -> Iterator[str]:
    """The names that `import embtools` offers, with the described methods of the model."""
    yield "## embtools\n"
    yield "`import embtools` offers these names; all others are imported from their modules.\n"
    for name, home in sorted(_top_level().items()):
        path = ROOT / "embtools" / Path(*home.split(".")).with_suffix(".py")
        (node,) = (
            each for each in ast.parse(path.read_text(encoding="utf-8")).body if getattr(each, "name", "") == name
        )
        if isinstance(node, Function):
            yield from description(node, "embtools.")
        elif isinstance(node, ast.ClassDef):
            yield f"- `embtools.{name}` {summary(node)}"
            yield from (f"  - `{names}`: {text}" for names, (_, text) in sections(node).get("Attributes", {}).items())
            for method in node.body:
                if isinstance(method, Function) and sections(method):
                    yield from (f"  {line}" for line in description(method, "model."))
    yield ""


def _top_level() -> dict[str, str]:
    """The names of the package, with the modules that define them."""
    for node in ast.parse((ROOT / "embtools" / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOME":
            return dict(ast.literal_eval(node.value))
    raise LookupError("embtools/__init__.py has no _HOME.")


def text() -> str:
    """The whole page."""
    lines = [HEAD, *front()]
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
        for node in found:
            lines += description(node)
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    print(f"Wrote {TARGET.relative_to(ROOT)}.", file=sys.stderr)
