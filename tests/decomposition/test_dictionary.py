"""Which atoms there are, and which of them may be parts."""

import numpy as np

from embtools.decomposition import dictionary, targets


def test_every_occurrence_is_an_atom(found, atoms):
    assert len(atoms.words) == len(atoms.vectors) == len(found.table)
    assert atoms.vectors is found.vectors and atoms.usable.all()
    row = atoms.places.iloc[3]
    assert atoms.sentences[row["sentence"]][row["start"] : row["end"]] == atoms.words[3]


def test_every_whole_word_of_the_vocabulary_is_an_atom(tiny):
    atoms = dictionary.of_vocabulary(tiny)
    assert atoms.usable[tiny.ids["king"]] and not atoms.usable[tiny.ids["##able"]] and not atoms.usable[tiny.ids["."]]
    np.testing.assert_array_equal(atoms.vectors[tiny.ids["king"]], tiny.vector("king"))


def test_the_word_and_its_sentence_can_be_left_out(found, atoms, tiny):
    target = targets.occurrence(found, "queen", tiny)
    queens = set(np.flatnonzero(atoms.words == "queen"))
    own = set(np.flatnonzero(atoms.places["sentence"] == 1))
    every = set(range(len(atoms.words)))

    def allowed(**rules):
        return set(np.flatnonzero(atoms.allowed(target, **rules)))

    assert allowed() == every - queens
    assert allowed(same_word=True) == every - {target.row}
    assert allowed(same_sentence=False) == every - queens - own
    assert allowed(same_word=True, same_sentence=False) == every - own


def test_the_number_of_an_occurrence_leaves_no_static_word_out(found, tiny):
    atoms, target = dictionary.of_vocabulary(tiny), targets.occurrence(found, "queen", tiny)
    assert np.array_equal(atoms.allowed(target, same_word=True, same_sentence=False), atoms.usable)
    king = targets.formula("king", tiny)
    assert not atoms.allowed(king, same_word=True)[tiny.ids["king"]]  # nothing is a part of itself
