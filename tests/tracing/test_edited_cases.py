"""Cases of an edit, and what is moved in them, against hooks on a separate copy of the network."""

import numpy as np
import pytest

from embtools.mask_filling.relations import EDIT, relation
from embtools.tracing.case_blocks import joined, moved_in
from embtools.tracing.cases import CONDITIONS, SENTENCE, DrawnCases, edited_cases, states_of
from tests.hooked import Hooked

# Cases of an edit and their runs

PAIRS = relation("capital").pairs


def cases_of(model, pairs=PAIRS, **changed):
    return edited_cases(DrawnCases(**{"pairs": pairs, "count": 5, "others": 2} | changed), model)


@pytest.mark.parametrize(("edit", "strength"), [(EDIT, 1.0), ("{a} = mean({a}, {c})", 0.5), ("{a} = {a} + {c}", -1.0)])
def test_every_case_has_four_runs_and_the_edit_of_its_formula(bundled, edit, strength):
    cases = cases_of(bundled, edit=edit, strength=strength)
    n, countries = len(cases.table), dict(PAIRS)
    plain, edited, noise, other = cases.inputs.reshape(4, n, *cases.inputs.shape[1:])
    states = states_of(cases, bundled)
    assert n == 10 and states.shape[1] == 4 * n and cases.mask == 6
    for row in cases.table.itertuples():
        assert countries[row.a] == row.b != row.c
        a, b, c = (bundled.vector(word) for word in (row.a, row.b, row.c))
        shift = strength * {EDIT: c - b, "{a} = mean({a}, {c})": (c - a) / 2, "{a} = {a} + {c}": c}[edit]
        np.testing.assert_allclose(plain[row.Index, 1], a)
        np.testing.assert_allclose(edited[row.Index, 1], a + shift, atol=1e-5)
        np.testing.assert_allclose(other[row.Index, 4], bundled.vector("capital") + shift, atol=1e-5)
        assert np.linalg.norm(noise[row.Index, 1] - a) == pytest.approx(np.linalg.norm(shift), rel=1e-4)
        assert not np.allclose(noise[row.Index, 1], edited[row.Index, 1], atol=1e-3)
        assert cases.ids[row.Index].tolist() == [bundled.token_id(row.b), bundled.token_id(row.c)]
    for changed, place in ((edited, 1), (noise, 1), (other, 4)):  # nothing else differs
        rest = np.delete(np.arange(9), place)
        np.testing.assert_array_equal(changed[:, rest], plain[:, rest])
    np.testing.assert_allclose(
        states[:, 0], bundled.hidden_states(SENTENCE.replace("{a}", cases.table["a"][0])), atol=2e-5
    )
    assert cases.roles[0] == cases.roles[1] == ((0,), (1,), (2, 3, 4, 5), (6,), (7, 8))
    assert cases.roles[2] == ((0, 1, 2, 3), (4,), (5,), (6,), (7, 8))


def test_the_halves_alternate_and_a_part_has_the_runs_of_its_cases(bundled):
    cases = cases_of(bundled)
    assert cases.table["half"].tolist()[:6] == [1, 2, 1, 2, 1, 2]
    part, n = cases.part(4, 7), len(cases.table)
    assert part.table.equals(cases.table[4:7].reset_index(drop=True)) and part.excluded.empty
    for run in range(4):
        np.testing.assert_array_equal(part.inputs[3 * run : 3 * run + 3], cases.inputs[run * n + 4 : run * n + 7])
    np.testing.assert_array_equal(part.ids, cases.ids[4:7])
    assert len(cases.part(8, 20).table) == n - 8


@pytest.mark.parametrize(("key", "seed"), [("capital", 0), ("continent", 1), ("young", 2)])
def test_the_halves_share_no_word_a_and_no_word_c(bundled, key, seed):
    chosen = relation(key)
    table = cases_of(bundled, chosen.pairs, sentence=chosen.sentences[0], count=20, seed=seed).table
    first, second = (table[table["half"] == half] for half in (1, 2))
    assert len(first) and len(second) and len(first) + len(second) == len(table)
    for word in ("a", "c"):
        assert not set(first[word]) & set(second[word])
    assert abs(first["a"].nunique() - second["a"].nunique()) <= 2
    assert table.groupby("a").size().max() == 2 and not table.duplicated(["a", "c"]).any()


def test_the_same_seed_draws_the_same_cases(bundled):
    one, again, other = (cases_of(bundled, count=4, seed=seed).table for seed in (0, 0, 1))
    assert one.equals(again) and not one.equals(other)


def test_a_word_that_the_sentence_names_too_is_not_edited(bundled):
    cases = cases_of(bundled, sentence="Paris and {a} are in [MASK].", count=60, others=1)
    assert "Paris" in set(cases.table["a"]) and cases.roles[0][1] == (3,)


def test_the_mask_may_come_first(bundled):
    cases = cases_of(bundled, sentence="___ has the capital {a}.", count=4, others=1)
    assert cases.mask == 1 and cases.roles[0] == ((0,), (5,), (2, 3, 4), (1,), (6, 7))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sentence": "{a} and {a} [MASK]."}, "exactly once"),
        ({"sentence": "{a} [MASK]"}, "no other word"),
        ({"sentence": "The non{a} is [MASK]."}, "not a word of its own|joined to other letters"),
        ({"sentence": "{a} [MASK] " + "very " * 100}, "exactly once"),
        ({"edit": "{a} = {a} - {b} + qqqzz"}, "does not contain {c}"),
        ({"count": 3}, "3 pairs"),
        ({"others": 6}, "other words"),
        ({"pairs": PAIRS[:3]}, "at least 4 are needed"),
    ],
)  # fmt: skip
def test_input_that_cannot_be_used_is_refused(changed, words, bundled):
    with pytest.raises(ValueError, match=words):
        cases_of(bundled, **changed)


def test_few_words_b_are_divided_so_that_no_pair_is_lost(bundled):
    """With two words b, each half has one of them, so a pair can only be in the half with the other one."""
    words = "boy girl king queen father mother brother sister son daughter".split()
    pairs = [(word, ("he", "she")[n % 2]) for n, word in enumerate(words)]
    for seed in range(6):
        table = cases_of(bundled, pairs, sentence="The {a} said that [MASK] was late.", count=8, seed=seed).table
        assert len(table) == 8 and (table.groupby("half")["a"].nunique() >= 2).all()
        assert (table.groupby("c")["half"].nunique() == 1).all() and (table["b"] != table["c"]).all()


def test_one_other_word_b_is_too_few_for_two_halves(bundled):
    pairs = [*((word, "he") for word in "boy king father brother son uncle".split()), ("girl", "she")]
    with pytest.raises(ValueError, match="one half has fewer than two pairs"):
        cases_of(bundled, pairs, sentence="The {a} said that [MASK] was late.", count=7)


def test_pairs_that_a_model_does_not_know_are_left_out_with_the_reason(tiny, bundled):
    with pytest.raises(ValueError, match="knows 2 of the pairs"):
        cases_of(tiny)
    cases = cases_of(bundled, (*PAIRS, ("Ouagadougou", "Burkina Faso")), count=4)
    assert cases.excluded["a"].tolist()[-1] == "Ouagadougou" and "single token" in cases.excluded["reason"].iloc[-1]


# What is moved in the cases of an average, against hooks on a separate copy of the network, for every condition

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


@pytest.mark.slow
def test_blocks_are_joined_in_their_order(bundled, cases, moved):
    parts = joined([moved_in(cases.part(start, start + 2), bundled) for start in (0, 2)])
    for name in ("effects", "copied", "heads", "parts", "blocked", "blocked_heads"):
        np.testing.assert_allclose(getattr(parts, name), getattr(moved, name), atol=1e-3)
    assert moved.copied.shape == (4, 2, 3, 7, 5) and moved.blocked.shape == (4, 3, 7)


def test_a_word_with_two_answers_is_tested_with_the_first(bundled):
    pairs = (*PAIRS[:10], *((a, "London") for a, _ in PAIRS[:10]))
    assert not (cases_of(bundled, pairs, count=10).table["b"] == "London").any()
