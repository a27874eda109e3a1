import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.progress import part, silent

share = st.floats(0, 1)


@given(share, share, share)
def test_a_part_reports_the_fraction_of_the_whole(begin, size, done):
    reported = []
    part(reported.append, begin, size)(done)
    assert reported == [begin + size * done]


def test_a_part_of_silent_progress_is_silent():
    assert part(silent, 0.2, 0.3) is silent
    silent(0.5)


def test_the_callback_can_stop_the_computation():
    def stop(done: float) -> None:
        raise RuntimeError(f"stopped at {done}")

    with pytest.raises(RuntimeError, match=r"stopped at 0\.75"):
        part(stop, 0.5, 0.5)(0.5)
