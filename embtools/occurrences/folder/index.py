"""The words of a corpus folder: their counts and their rows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Index:
    """The content of words.parquet: one row per word, in alphabetical order.

    table: word, count, and the position of its first occurrence
    """

    table: pa.Table

    def words(self) -> pd.DataFrame:
        """The words in alphabetical order and their counts, as a frame: word, count."""
        return self.table.select(["word", "count"]).to_pandas()

    def span(self, word: str) -> tuple[int, int]:
        """The first row of a word and the row after its last one; (0, 0) if it does not occur."""
        index = int(np.searchsorted(self._names, word))
        if index == len(self._names) or self._names[index] != word:
            return 0, 0
        return int(self._ends[index] - self._counts[index]), int(self._ends[index])

    def word_of(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """The words (n,) of the rows with these numbers (n,)."""
        return self._names[np.searchsorted(self._ends, rows, side="right")]

    @cached_property
    def _names(self) -> NDArray[np.object_]:
        return self.table["word"].to_numpy().astype(object)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return self.table["count"].to_numpy()

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return self._counts.cumsum()
