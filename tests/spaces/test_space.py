"""The definition of a space and its limits."""

import pytest

from embtools.spaces.space import (
    BY_CLUSTER,
    CENTRED,
    CONCEPTOR,
    KINDS,
    MAX_COMPONENTS,
    RAW,
    TOP,
    WHITENED,
    Space,
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_space_is_written_as_the_python_that_makes_it(kind):
    space = Space(kind, 5, 0.3, 2.0, 7, 3)
    assert eval(space.code) == space
    assert kind in space.says


def test_unused_parameters_make_no_difference():
    assert Space(CENTRED, components=9, shrinkage=0.5) == Space(CENTRED)
    assert Space(TOP, 2, 0.7, 3.0, 5) == Space(TOP, 2)
    assert Space(RAW, shuffled=4) == Space()
    assert Space(TOP, 2) != Space(TOP, 3) and Space(TOP, 2, shuffled=1) != Space(TOP, 2)
    assert len({Space(WHITENED, 1), Space(WHITENED, 2)}) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "flat"}, "There is no space 'flat'. Choose one of: raw,"),
        ({"kind": TOP, "components": 0}, "0 directions cannot be removed. Choose 1 to 1,000"),
        ({"kind": TOP, "components": MAX_COMPONENTS + 1}, "1001 directions cannot be removed"),
        ({"kind": WHITENED, "shrinkage": 1.1}, "Choose 0 to 1"),
        ({"kind": WHITENED, "shrinkage": float("nan")}, "Choose 0 to 1"),
        ({"kind": CONCEPTOR, "aperture": 0.0}, "An aperture of 0 is out of range"),
        ({"kind": BY_CLUSTER, "clusters": 1}, "1 clusters are out of range. Choose 2 to 50"),
    ],
)
def test_parameters_out_of_range_raise_an_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        Space(**arguments)
