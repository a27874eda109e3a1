import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.progress import part, silent, through

share = st.floats(0, 1)


@given(share, share, share)
def test_a_part_is_told_in_terms_of_the_whole(begin, size, done):
    told = []
    part(told.append, begin, size)(done)
    assert told == [begin + size * done]


def test_parts_of_parts_add_up():
    told = []
    half = part(told.append, 0.5, 0.5)
    part(half, 0.5, 0.5)(1.0)
    assert told == [1.0]


def test_a_part_of_what_nobody_watches_is_watched_by_nobody():
    assert part(silent, 0.2, 0.3) is silent
    silent(0.5)


def test_whoever_is_told_may_stop_the_job():
    def stop(done: float) -> None:
        raise RuntimeError(f"stopped at {done}")

    with pytest.raises(RuntimeError, match=r"stopped at 0\.75"):
        part(stop, 0.5, 0.5)(0.5)


def test_what_is_gone_through_is_told_before_each():
    told = []
    assert list(through("abcd", told.append)) == list("abcd")
    assert told == [0, 0.25, 0.5, 0.75]
