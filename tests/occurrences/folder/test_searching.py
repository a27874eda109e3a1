"""The search in steps, in any order, compared with the search in one step."""

import numpy as np
import pandas as pd
import pytest

from embtools.occurrences.folder.reading import FILES
from embtools.occurrences.folder.searching import nearest_by
from embtools.spaces.space import AS_IS, WHITENED, Space


def backwards(work, numbers):
    """An engine that begins with the last."""
    assert len(numbers) > 3
    for number in reversed(numbers):
        yield from pd.DataFrame(work(number)).to_dict("records")


@pytest.mark.parametrize("space", [AS_IS, Space(WHITENED)], ids=lambda space: space.kind)
def test_the_best_of_all_buckets_are_the_best_of_all(folder, space):
    view, query, reported = folder.in_space(space), np.arange(8.0), []
    for without in ((), [folder.span("the"), (3, 9)]):
        found = nearest_by(backwards, view, query, 12, without=without, progress=reported.append)
        known = view.nearest(query, 12, without=without, most_stored=0)
        pd.testing.assert_frame_equal(found.table, known.table)
        assert (found.rung, found.searched) == (known.rung, known.searched) == (FILES, 540)
    assert reported[-1] <= 1 and set(found.table["word"]).isdisjoint({"the"})


def test_nothing_is_found_if_all_rows_are_left_out(folder):
    assert nearest_by(backwards, folder, np.ones(8), 3, without=[(0, len(folder))]).table.empty
