"""Tables that compare spaces, against counts of their parts."""

import numpy as np

from embtools.isotropy.answers import by_relation, senses_beside, senses_sentence, side_by_side
from embtools.isotropy.tasks import analogies, senses
from embtools.spaces.space import CENTRED, Space


def test_the_tables_compare_the_spaces(inside):
    raw, centred = (inside.fit(Space(kind)).apply(inside.vectors) for kind in ("raw", CENTRED))
    solved = {n: analogies(inside, inside.means(r, inside.owner)) for n, r in (("raw", raw), ("processed", centred))}
    shares = by_relation(solved)
    assert (shares["raw"] * shares["of"]).sum() == (solved["raw"]["rank"] == 1).sum() and shares["of"].sum() == len(
        solved["raw"]
    )
    table = side_by_side(solved)
    change = (table["processed"] - table["raw"]).abs()
    assert change.is_monotonic_decreasing and sorted(table["by c alone"]) == sorted(solved["raw"]["alone"])
    told = {n: senses(inside, r) for n, r in (("raw", raw), ("processed", centred))}
    beside = senses_beside(told)
    np.testing.assert_array_equal(beside["processed"], told["processed"]["separation"])
    assert (
        f"{told['raw']['right'].sum()} of 400 cases (raw), {told['processed']['right'].sum()} (processed); "
        in senses_sentence(told)
    )
