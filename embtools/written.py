"""Settings that copied code can write as Python, and that the settings of a file list by their names."""

from dataclasses import fields
from typing import Any, ClassVar


class Written:
    """A dataclass whose objects can be written as the calls that make them, without arguments that are defaults."""

    by_position: ClassVar[int] = 0
    """How many of its fields are written without their names, and always."""

    @property
    def code(self) -> str:
        """The constructor call.

        >>> from embtools.clusters import View
        >>> View("PCA", seed=3).code
        "View(method='PCA', seed=3)"
        """
        named = enumerate(fields(self))  # type: ignore[arg-type]
        names = [f.name for n, f in named if n < self.by_position or getattr(self, f.name) != f.default]
        parts = [f"{'' if n < self.by_position else f'{name}='}{self._written(name)}" for n, name in enumerate(names)]
        return f"{type(self).__name__}({', '.join(parts)})"

    def _written(self, name: str) -> str:
        return repr(getattr(self, name))


class Listed(Written):
    """One whose fields are listed one by one in the settings of a file, because it is most of what was asked."""

    @property
    def settings(self) -> dict[str, Any]:
        """The fields by their names."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
