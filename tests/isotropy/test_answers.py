"""Tables that compare spaces, against counts of their parts."""

import numpy as np

from embtools.isotropy.answers import by_relation, ranks_by_space, senses_by_space, senses_finding
from embtools.isotropy.tasks import analogies, senses
from embtools.spaces.space import CENTRED, Space


def test_the_tables_compare_the_spaces(inside):
    raw, centred = (inside.fit(Space(kind)).apply(inside.vectors) for kind in ("raw", CENTRED))
    solved = {n: analogies(inside, inside.means(r, inside.owner)) for n, r in (("raw", raw), ("processed", centred))}
    shares = by_relation(solved)
    assert (shares["raw"] * shares["n"]).sum() == (solved["raw"]["rank"] == 1).sum() and shares["n"].sum() == len(
        solved["raw"]
    )
    table = ranks_by_space(solved)
    change = (table["processed"] - table["raw"]).abs()
    assert change.is_monotonic_decreasing and sorted(table["rank_by_c"]) == sorted(solved["raw"]["rank_by_c"])
    results = {n: senses(inside, r) for n, r in (("raw", raw), ("processed", centred))}
    beside = senses_by_space(results)
    np.testing.assert_array_equal(beside["processed"], results["processed"]["auc"])
    assert (
        f"{results['raw']['correct'].sum()} of 400 cases (raw), {results['processed']['correct'].sum()} (processed); "
        in senses_finding(results)
    )
