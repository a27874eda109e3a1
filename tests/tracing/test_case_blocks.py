"""What is moved in the cases of an average, against hooks on a separate copy of the network, for every condition."""

import numpy as np
import pytest

from embtools.tracing.case_blocks import joined, moved_in
from embtools.tracing.cases import CONDITIONS, SENTENCE, DrawnCases, edited_cases
from tests.hooked import Hooked

LAYER, HEAD = 6, 8


@pytest.fixture(scope="module")
def cases(bundled):
    return edited_cases(DrawnCases("capital", count=4), bundled)


@pytest.fixture(scope="module")
def moved(bundled, cases):
    return moved_in(cases, bundled)


@pytest.fixture(scope="module")
def hooked(bundled):
    return Hooked(bundled)


@pytest.mark.parametrize("number", range(3), ids=CONDITIONS)
def test_every_change_of_a_case_is_what_hooks_give(bundled, cases, moved, hooked, number):
    case, n = 1, len(cases.table)
    text, mask = SENTENCE.replace("{a}", cases.table["a"][case]), cases.mask
    plain, changed = cases.inputs[case], cases.inputs[(number + 1) * n + case]
    b, c = cases.ids[case]

    def value(inputs, **changes):
        logits = hooked.logits(text, inputs=inputs, **changes)[mask]
        return float(logits[c] - logits[b])

    before, effect = value(plain), value(changed) - value(plain)
    assert moved.effects[case, number] == pytest.approx(effect, abs=1e-3)
    heads = hooked.head_values(text, LAYER, inputs=changed)[mask, HEAD - 1]
    found = value(plain, heads={(LAYER, HEAD): (mask, heads)}) - before
    assert moved.heads[case, number, LAYER - 1, HEAD - 1] == pytest.approx(found, abs=1e-3)
    for place, part in enumerate(("attention", "feed-forward")):
        output = hooked.output(text, LAYER, part, inputs=changed)[mask]
        found = value(plain, outputs={(LAYER, part): (mask, output)}) - before
        assert moved.parts[case, number, LAYER - 1, place] == pytest.approx(found, abs=1e-3)
    targets = cases.roles[number][1]
    every = [(layer, head) for layer in range(1, 7) for head in range(1, 13)]
    for place, pairs in ((LAYER - 1, [pair for pair in every if pair[0] == LAYER]), (6, every)):
        blocked = ((mask,), targets, pairs)
        left = value(changed, blocked=blocked) - value(plain, blocked=blocked)
        assert moved.blocked[case, number, place] == pytest.approx(effect - left, abs=1e-3)
    if number == 0:
        blocked = ((mask,), targets, [(LAYER, HEAD)])
        left = value(changed, blocked=blocked) - value(plain, blocked=blocked)
        assert moved.blocked_heads[case, LAYER - 1, HEAD - 1] == pytest.approx(effect - left, abs=1e-3)


def test_blocks_are_joined_in_their_order(bundled, cases, moved):
    parts = joined([moved_in(cases.part(start, start + 2), bundled) for start in (0, 2)])
    for name in ("effects", "copied", "heads", "parts", "blocked", "blocked_heads"):
        np.testing.assert_allclose(getattr(parts, name), getattr(moved, name), atol=1e-3)
    assert moved.copied.shape == (4, 2, 3, 7, 5) and moved.blocked.shape == (4, 3, 7)


def test_progress_rises_and_can_stop_the_work(bundled, cases):
    recorded = []

    def stop(done):
        recorded.append(done)
        if done > 0.5:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        moved_in(cases.part(0, 3), bundled, progress=stop)
    assert recorded == sorted(recorded) and 0 < recorded[0] < 0.5 < recorded[-1] < 1
