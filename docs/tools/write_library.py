"""Write docs/library: a page for each room of the library, with its functions, their parameters and results.

python docs/tools/write_library.py
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import embtools  # noqa: E402  (from the checkout, wherever this is started)

TARGET = ROOT / "docs" / "library"
GROUPS = {
    "A model, formulas and edits": ("models", "formula", "mask_filling", "words", "spaces"),
    "Words": ("arithmetic", "similarity", "clusters", "bias"),
    "Inside BERT": ("inputs", "layers", "attention", "tracing", "pairs", "concepts"),
    "Texts": ("occurrences", "corpus", "features"),
    "Evidence": ("evidence", "paper"),
}
METHODS = ("tokenize", "pieces", "token_id", "vector", "hidden_states")
"""Of the model: what a notebook needs."""
HEAD = """\
# The library

`pip install .` in a clone of this repository installs `embtools` with its bundled model. Then, in a notebook:

```python
import embtools

model = embtools.load_model()
embtools.fill_mask("Rome is the capital of [MASK].", model, edits=["rome = rome - italy + france"])
```

`embtools` offers what is needed most: {top}. Everything below is imported from its room: `from embtools.bias import
weat`. Only these names are kept when the library changes; `dir(embtools.bias)` lists those of a room, and
`help(function)` prints a whole description. The rooms:

{rooms}

Conventions, unless a function describes its own:

- Arguments after the star are given by name. Wrong ones raise a `ValueError` that says what to do.
- Functions are pure: the same arguments give the same result, and no model is changed.
- A result with a headline and a chart shows both at the end of a notebook's cell. `print(result)` gives the headline
  and the names of its fields.
- `model` is an `EmbeddingModel`, as `load_model` returns it, or an edited one (`edited_model`).
- `seed` starts the random number generator: a whole number from 0 to 4,294,967,295.
- `progress` receives the fraction that is done, 0 … 1, and may raise an exception to stop.
- `pieces` says what happens to a word of several tokens: "refuse" raises an error, "mean" takes the mean of its tokens.
- `layer` is 0 for the output of the embeddings, and `None` for the static embeddings.
- Letters for shapes: v tokens in the vocabulary, d dimensions, l layers, t tokens of a text, n rows, k results.

This page is written by `python docs/tools/write_library.py`.
"""


def signature(function: Callable[..., Any]) -> str:
    """A function as it is called: names and defaults, without types."""
    given = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
    bare = [each.replace(annotation=each.empty) for each in given]
    named = [each.replace(default=_Name(each.default)) if inspect.isfunction(each.default) else each for each in bare]
    return f"{function.__name__}{inspect.Signature(named)}"


class _Name:
    """A default that is a function, written by its name."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __repr__(self) -> str:
        return str(self.function.__name__)


def summary(value: Any) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


def sections(value: Any) -> dict[str, dict[str, tuple[str, str]]]:
    """The numpydoc sections of a docstring: {"Parameters": {"k": ("int, default 10", "Number of tokens.")}, …}.

    Names that share a line share type and text. Under Returns and Raises, the type takes the place of a name.
    """
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for part in (inspect.getdoc(value) or "").split("\n\n"):
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


def description(function: Callable[..., Any], name: str = "") -> Iterator[str]:
    """The lines of a function: how it is called, its summary, and its parameters, result and errors if described."""
    yield f"- `{name}{signature(function)}` {summary(function)}"
    found = sections(function)
    for names, (_, text) in found.get("Parameters", {}).items():
        if text:
            yield f"  - {', '.join(f'`{each}`' for each in names.split(', '))}: {text}"
    for title in ("Returns", "Raises"):
        for kind, (_, text) in found.get(title, {}).items():
            yield f"  - *{title}* {kind}{f': {text}' if text else ''}"


def lines_of(value: Any) -> Iterator[str]:
    """The lines of a function, or of a class with its attributes; of a model also its most useful methods."""
    if not inspect.isclass(value):
        yield from description(value)
        return
    yield f"- `{value.__name__}` {summary(value)}"
    yield from (f"  - `{names}`: {text}" for names, (_, text) in sections(value).get("Attributes", {}).items())
    if value is embtools.EmbeddingModel:
        for name in METHODS:
            yield from (f"  {line}" for line in description(getattr(value, name), "model."))


def pages() -> dict[str, str]:
    """All pages: the name of the file → its text."""
    found, listed = {}, []
    for title, rooms in GROUPS.items():
        listed.append(f"- {title}")
        for room in rooms:
            module = importlib.import_module(f"embtools.{room}")
            lines = [f"# embtools.{room}\n", f"{summary(module)}\n"]
            lines += (line for name in module.__all__ for line in lines_of(getattr(module, name)))
            found[f"{room}.md"] = "\n".join(lines) + "\n"
            listed.append(f"  - [{room}]({room}.md): {summary(module)}")
    top = ", ".join(f"`{name}`" for name in embtools.__all__)
    return {"index.md": HEAD.format(top=top, rooms="\n".join(listed))} | found


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for stale in {path.name for path in TARGET.glob("*.md")} - set(pages()):
        (TARGET / stale).unlink()
    for name, text in pages().items():
        (TARGET / name).write_text(text, encoding="utf-8")
