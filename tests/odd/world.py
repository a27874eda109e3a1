"""Every function in a door of the library, with arguments for which it works."""

import inspect
import re
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

from embtools import load_model, wordlists
from embtools.occurrences.folder.reading import CorpusFolder
from tests.conftest import WORDS, make_tiny
from tests.doors import FUNCTIONS
from tests.odd.arguments import BY_NAME, BY_TYPE, SENTENCES
from tests.odd.of_functions import OF_FUNCTION
from tests.small_dictionary import written
from tests.store import encoded

_ARRAY = re.compile(r"numpy\.ndarray\[tuple\[typing\.Any, \.\.\.\], numpy\.dtype\[(?:typing|numpy)\.(\w+)\]\]")
_FLOATS = ("Any", "float32", "float64", "floating")


def type_of(annotation: Any) -> str:
    """An annotation without modules: "Array", "Sequence[str]", "Experiment"."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = _ARRAY.sub(lambda found: "Array" if found[1] in _FLOATS else f"Array of {found[1]}", text)
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text).strip("'")


class World:
    """A tiny model, a folder that it encoded, and arguments for every function.

    The model knows the words of all built-in lists and every letter, so that the built-in tests can run on it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def model(self) -> Any:
        # Not of the glossary and the claims, which are prose: a sentence that is rewritten would make another model.
        lists = (wordlists.load(name) for name in wordlists.names() if name not in ("claims", "glossary"))
        texts = (str(value) for words in lists for value in words.to_numpy().ravel())
        known = Counter(re.findall(r"[^\W\d_]+|[^\w\s]", " ".join(texts).lower()))
        signs = [chr(number) for number in range(ord("a"), ord("z") + 1)]
        words = [*WORDS, *signs, *(f"##{sign}" for sign in signs), *"0123456789", *known]
        made = load_model(str(make_tiny(self.root / "model", words=list(dict.fromkeys(words)))))
        written(made, self.root)  # small.safetensors, which EMBTOOLS_DICTIONARIES names
        return made

    @cached_property
    def folder(self) -> CorpusFolder:
        return CorpusFolder.open(str(encoded(SENTENCES, self.root / "text", self.model)))

    def arguments(self, name: str) -> dict[str, Any]:
        """Arguments by keyword. Raises KeyError for a parameter without one."""
        parameters = inspect.signature(FUNCTIONS[name]).parameters.values()
        named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        return {p.name: self._argument(name, p) for p in named}

    def _argument(self, name: str, parameter: inspect.Parameter) -> Any:
        kind = type_of(parameter.annotation)
        for key, table in ((f"{name}.{parameter.name}", OF_FUNCTION), (f"{kind} {parameter.name}", BY_NAME)):
            if key in table:
                return self._made(table[key])
        if parameter.default is not parameter.empty:
            return parameter.default
        if kind not in BY_TYPE:
            raise KeyError(f"No argument for {name}: {parameter.name}: {kind}")
        return self._made(BY_TYPE[kind])

    def _made(self, value: Any) -> Any:
        """An entry of the tables: a value, or a function that makes one of this world."""
        return value(self) if callable(value) else value
