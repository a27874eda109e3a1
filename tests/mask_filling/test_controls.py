"""Controls by token ids: those of an edit that is read from text, with words found once for many edits."""

import numpy as np

from embtools.chance import generator
from embtools.mask_filling import controls
from embtools.mask_filling.edits import Change, resolve

TEXT = "rome is the capital of [MASK]."


def test_controls_by_id_are_those_of_the_text(bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(["rome = rome - italy + france"])
    a, b, c = (bundled.ids[word] for word in ("rome", "italy", "france"))
    given = controls.controls(TEXT, bundled, change=change, draws=3, seed=4)
    found = controls.controls_by_id(
        bundled.tokenize(TEXT)["id"].tolist(),
        bundled,
        edited=resolve(change, bundled),
        sums={a: controls.by_id([(a, 1.0), (b, -1.0), (c, 1.0)])},
        change=change,
        draws=3,
        random=generator(4),
    )
    assert [(run.name, run.detail) for run in found] == [(run.name, run.detail) for run in given]
    for one, other in zip(found, given, strict=True):
        for target, vector in one.patch.vectors.items():
            np.testing.assert_array_equal(vector, other.patch.vectors[target])


def test_a_formula_with_a_function_has_no_controls_of_its_parts(bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(["rome = unit(rome)"])
    words = bundled.tokenize(TEXT)["id"].tolist()
    found = controls.controls_by_id(
        words, bundled, edited=resolve(change, bundled), sums=None, change=change, draws=1, random=generator(0)
    )
    assert [run.name for run in found] == [controls.OTHER_EDITED, controls.RANDOM]


def test_words_in_both_spellings_are_one() -> None:
    assert controls.by_id([(3, 1.0), (3, -1.0), (4, 0.5), (4, 0.5)]) == {4: 1.0}
