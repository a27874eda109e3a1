import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.progress import part, silent, through

share = st.floats(0, 1)


@given(share, share, share)
def test_a_part_reports_the_fraction_of_the_whole(begin, size, done):
    reported = []
    part(reported.append, begin, size)(done)
    assert reported == [begin + size * done]


def test_parts_of_parts_add_up():
    reported = []
    half = part(reported.append, 0.5, 0.5)
    part(half, 0.5, 0.5)(1.0)
    assert reported == [1.0]


def test_a_part_of_silent_progress_is_silent():
    assert part(silent, 0.2, 0.3) is silent
    silent(0.5)


def test_the_callback_can_stop_the_computation():
    def stop(done: float) -> None:
        raise RuntimeError(f"stopped at {done}")

    with pytest.raises(RuntimeError, match=r"stopped at 0\.75"):
        part(stop, 0.5, 0.5)(0.5)


def test_progress_is_reported_before_each_item():
    reported = []
    assert list(through("abcd", reported.append)) == list("abcd")
    assert reported == [0, 0.25, 0.5, 0.75]
