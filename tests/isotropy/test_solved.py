"""The built-in analogies and senses in every space, against the steps."""

import pandas as pd

from embtools.isotropy import answers, tasks
from embtools.isotropy.overview import with_controls
from embtools.isotropy.solved import separate_senses, solve_analogies
from embtools.spaces.space import CENTRED, Space

LAYER = "layer 4"


def test_analogies_and_senses_in_every_space(inside, bundled):
    space = Space(CENTRED)
    rows = {name: inside.fit(one).apply(inside.vectors) for name, one in with_controls(space).items()}
    solved = {name: tasks.analogies(inside, inside.means(own, inside.owner)) for name, own in rows.items()}
    result = solve_analogies(LAYER, bundled, space=space)
    pd.testing.assert_frame_equal(result.by_relation, answers.by_relation(solved))
    pd.testing.assert_frame_equal(result.ranks, answers.ranks_by_space(solved))
    separated = {name: tasks.senses(inside, own) for name, own in rows.items()}
    senses = separate_senses(LAYER, bundled, space=space)
    assert senses.headline == answers.senses_finding(separated)
    pd.testing.assert_frame_equal(senses.table, answers.senses_by_space(separated))
