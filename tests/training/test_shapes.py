"""How the blocks of a step are distributed over the shapes."""

from collections import Counter

import pytest

from training.shapes import BLOCK, SHAPES, groups


def test_each_shape_holds_one_block_and_the_shares_sum_to_one() -> None:
    assert {s.rows * s.width for s in SHAPES} == {BLOCK}
    assert sum(s.share for s in SHAPES) == pytest.approx(1)


@pytest.mark.parametrize(("blocks", "at_once"), [(1, 1), (16, 1), (16, 4), (16, 16), (7, 2)])
def test_each_block_of_a_step_occurs_once_and_each_shape_as_often_as_its_share(blocks: int, at_once: int) -> None:
    seen: Counter[str] = Counter()
    steps = 1600 // blocks
    for step in range(steps):
        found = list(groups(step, blocks, at_once, seed=3))
        assert found == list(groups(step, blocks, at_once, seed=3))
        assert [n for g in found for n in range(g.first, g.first + g.count)] == list(
            range(step * blocks, (step + 1) * blocks)
        )
        assert all(1 <= g.count <= at_once for g in found)
        step_counts: Counter[str] = Counter()
        for group in found:
            step_counts[group.shape.name] += group.count
        for shape in SHAPES:
            assert abs(step_counts[shape.name] - blocks * shape.share) < 1
        seen += step_counts
    for shape in SHAPES:
        assert seen[shape.name] / (steps * blocks) == pytest.approx(shape.share, abs=0.04)


def test_another_seed_draws_other_shapes() -> None:
    assert [next(groups(n, 1, 1, 0)).shape for n in range(50)] != [next(groups(n, 1, 1, 1)).shape for n in range(50)]
