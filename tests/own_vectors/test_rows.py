"""The limits of every kind of file of word vectors."""

import pytest

from embtools.own_vectors.rows import check_width


@pytest.mark.parametrize("width", [0, 1, 2_049])
def test_the_number_of_dimensions_has_limits(width):
    check_width(2), check_width(2_048)
    with pytest.raises(ValueError, match="number(s|), but 2 to 2,048"):
        check_width(width)
