"""The atoms of each dictionary, and which of them may be parts."""

import numpy as np
import pytest

from embtools.decomposition import dictionary, targets


def test_every_occurrence_is_an_atom(found, atoms):
    assert len(atoms.words) == len(atoms.vectors) == len(found.table)
    assert atoms.vectors is found.vectors and atoms.usable.all()
    row = atoms.positions.iloc[3]
    assert atoms.sentences[row["sentence"]][row["start"] : row["end"]] == atoms.words[3]
    (place,) = atoms.locate(np.array([3])).itertuples(index=False)
    assert place.text[place.start : place.end] == atoms.words[3]


def test_every_whole_word_of_the_vocabulary_is_an_atom(tiny):
    atoms = dictionary.of_vocabulary(tiny)
    assert atoms.usable[tiny.ids["king"]] and not atoms.usable[tiny.ids["##able"]] and not atoms.usable[tiny.ids["."]]
    np.testing.assert_array_equal(atoms.vectors[tiny.ids["king"]], tiny.vector("king"))
    assert atoms.locate(np.array([5, 6]))["text"].tolist() == ["", ""]


def test_the_lengths_of_the_atoms_are_those_of_their_vectors(found, atoms, tiny):
    for dictionary_ in (atoms, dictionary.of_vocabulary(tiny)):
        lengths = np.sqrt((dictionary_.vectors.astype(float) ** 2).sum(axis=1))
        there = lengths > 0
        np.testing.assert_allclose(1 / dictionary_.inverse_lengths[there], lengths[there], rtol=1e-6)
        assert np.isfinite(dictionary_.inverse_lengths).all()


def test_the_word_and_its_sentence_can_be_left_out(found, atoms, tiny):
    target = targets.occurrence(found, tiny, word="queen")
    queens = set(np.flatnonzero(atoms.words == "queen"))
    own = set(np.flatnonzero(atoms.positions["sentence"] == 1))
    every = set(range(len(atoms.words)))

    def allowed(**rules):
        return set(np.flatnonzero(atoms.allowed(target, **rules)))

    assert allowed() == every - queens
    assert allowed(same_word=True) == every - {target.row}
    assert allowed(same_sentence=False) == every - queens - own
    assert allowed(same_word=True, same_sentence=False) == every - own


def test_the_number_of_an_occurrence_leaves_no_static_word_out(found, tiny):
    atoms, target = dictionary.of_vocabulary(tiny), targets.occurrence(found, tiny, word="queen")
    assert np.array_equal(atoms.allowed(target, same_word=True, same_sentence=False), atoms.usable)
    king = targets.formula("king", tiny)
    assert not atoms.allowed(king, same_word=True)[tiny.ids["king"]]  # nothing is a part of itself


def test_a_folder_is_drawn_from(folder, bundled, tiny):
    atoms = dictionary.of_folder(folder, bundled, most=200)
    assert len(atoms.words) == len(atoms.vectors) == 200 < len(folder)
    assert dictionary.coverage(folder, atoms) == (
        f"The dictionary contains a random sample of 200 of the {len(folder):,} occurrences in the folder."
    )
    rows = np.flatnonzero(np.char.isalpha(atoms.words.astype(str)))[[0, 70, 150]]
    for word, place in zip(atoms.words[rows], atoms.locate(rows).itertuples(), strict=True):
        assert place.text[place.start : place.end].lower() == word
    assert not atoms.usable[np.char.isdigit(atoms.words.astype(str))].any()
    every = dictionary.of_folder(folder, bundled)
    assert len(every.words) == len(folder)
    assert dictionary.coverage(folder, every) == (
        f"The dictionary contains all {len(folder):,} occurrences in the folder."
    )
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        dictionary.of_folder(folder, tiny)


def test_the_word_and_its_sentence_in_a_folder_can_be_left_out(folder, bundled):
    atoms = dictionary.of_folder(folder, bundled)
    target = targets.from_folder(folder, bundled, word="cold", number=3, atoms=atoms)
    own = folder.occurrences("cold").table.iloc[2]
    assert target.number == own["sentence"] and atoms.positions["occ"][target.row] == own["occ"]
    assert target.sentence[target.start : target.end].lower() == "cold"
    colds, there = atoms.words == "cold", (atoms.positions["sentence"] == target.number).to_numpy()
    alone = np.arange(len(colds)) == target.row
    for rules, hidden in (
        ({}, colds),
        ({"same_word": True}, alone),
        ({"same_sentence": False}, colds | there),
        ({"same_word": True, "same_sentence": False}, there),
    ):
        assert np.array_equal(atoms.allowed(target, **rules), atoms.usable & ~hidden)


def test_chosen_words_of_a_folder_are_all_their_occurrences(folder, bundled, tiny):
    atoms = dictionary.of_words(folder, bundled, words=("Winter", "cold", "winter"))
    counts = folder.count("winter") + folder.count("cold")
    rows = folder.files.rows(0, len(folder))
    own = rows.table["word"].isin(["winter", "cold"]).to_numpy()
    assert np.array_equal(atoms.vectors, rows.vectors[own]) and set(atoms.words) == {"winter", "cold"} and own.any()
    assert atoms.positions["occ"].tolist() == rows.table["occ"][own].tolist()
    text = dictionary.coverage(folder, atoms, words=("winter", "cold"))
    assert text == f"The dictionary contains all {counts} occurrences of the 2 chosen words in the folder."
    target = targets.from_folder(folder, bundled, word="winter", number=2, atoms=atoms)
    assert atoms.positions["occ"][target.row] == folder.occurrences("winter").table["occ"][1]
    one = dictionary.of_words(folder, bundled, words=("cold",), most=5)
    text = dictionary.coverage(folder, one, words=("cold",))
    assert text == (
        f"The dictionary contains a random sample of 5 of the {folder.count('cold')} occurrences of cold in the folder."
    )
    for words, model, message in (
        (
            ("cold", "xylophone", "zebra"),
            bundled,
            "do not occur in the folder: xylophone, zebra. Remove them, or use forms that occur there.",
        ),
        ((), bundled, "0 words were asked for; choose 1 to 500"),
        (("cold",), tiny, "encoded with the model 'bundled'"),
    ):
        with pytest.raises(ValueError, match=message):
            dictionary.of_words(folder, model, words=words)
