"""The words of a corpus folder: how often each occurs, and which rows of all are its occurrences."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Index:
    """What stands in words.parquet, one row for each word in the order of their spelling.

    table: word, count, and where its occurrences begin
    """

    table: pa.Table

    def words(self) -> pd.DataFrame:
        """The words and how often each occurs, in the order of their spelling: word, count."""
        return self.table.select(["word", "count"]).to_pandas()

    def span(self, word: str) -> tuple[int, int]:
        """The numbers of a word's rows in the order of all: from, to before; (0, 0) for one that does not occur."""
        place = int(np.searchsorted(self._names, word))
        if place == len(self._names) or self._names[place] != word:
            return 0, 0
        return int(self._ends[place] - self._counts[place]), int(self._ends[place])

    def word_of(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """The words (n,) of rows (n,) of these numbers."""
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
