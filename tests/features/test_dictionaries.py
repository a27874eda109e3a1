"""Dictionaries: the atoms of words, learned ones by hand and against scikit-learn, those that a model has, and their quality."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from embtools.features import dictionary, targets
from embtools.features.learned import (
    COLUMNS,
    FOLDER,
    LearnedDictionary,
    about_file,
    dictionaries,
    files,
    fit_sentence,
    look_sentence,
    names_of,
    open_dictionary,
    random_dictionary,
    read,
    strongest,
    table,
    write,
)
from embtools.mask_filling.edited_models import edited_model
from tests.small_dictionary import QUALITY, made, written


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
    target = targets.from_folder(folder, bundled, word="cold", number=3, atoms=atoms.positions)
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


def test_chosen_words_of_a_folder_are_all_their_occurrences(folder, bundled):
    atoms = dictionary.of_words(folder, bundled, words=("Winter", "cold", "winter"))
    counts = folder.count("winter") + folder.count("cold")
    rows = folder.files.rows(0, len(folder))
    own = rows.table["word"].isin(["winter", "cold"]).to_numpy()
    assert np.array_equal(atoms.vectors, rows.vectors[own]) and set(atoms.words) == {"winter", "cold"} and own.any()
    assert atoms.positions["occ"].tolist() == rows.table["occ"][own].tolist()
    text = dictionary.coverage(folder, atoms, words=("winter", "cold"))
    assert text == f"The dictionary contains all {counts} occurrences of the 2 chosen words in the folder."
    target = targets.from_folder(folder, bundled, word="winter", number=2, atoms=atoms.positions)
    assert atoms.positions["occ"][target.row] == folder.occurrences("winter").table["occ"][1]
    one = dictionary.of_words(folder, bundled, words=("cold",), most=5)
    text = dictionary.coverage(folder, one, words=("cold",))
    assert text == (
        f"The dictionary contains a random sample of 5 of the {folder.count('cold')} occurrences of cold in the folder."
    )
    absent = "do not occur in the folder: xylophone, zebra. Remove them, or use forms that occur there."
    for words, message in ((("cold", "xylophone", "zebra"), absent), ((), "0 words were asked for; choose 1 to 500")):
        with pytest.raises(ValueError, match=message):
            dictionary.of_words(folder, bundled, words=words)


DIRECTIONS, OFFSETS = np.float32([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]]), np.float32([0.0, -0.5, 0.0])
SQUARE = LearnedDictionary(1, 2, DIRECTIONS, OFFSETS, np.float32([1.0, 1.0]), {})


def test_an_example_by_hand():
    codes = SQUARE.codes(np.array([[3.0, 2.0], [0.0, 0.0]]))
    # The first vector is (2, 1) from the centre: scores 2, 0.5 and −0.4. The second is (−1, −1): −1, −1.5 and −0.2.
    np.testing.assert_array_equal(codes.features[0], [0, 1])
    np.testing.assert_allclose(codes.activations, [[2.0, 0.5], [0.0, 0.0]])
    np.testing.assert_allclose(SQUARE.reconstruct(codes), [[3.0, 1.5], [1.0, 1.0]])


def test_the_codes_are_those_of_a_full_sort():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 30))
    features, values = strongest(scores, 5)
    np.testing.assert_array_equal(features, np.argsort(-scores, axis=1)[:, :5])
    np.testing.assert_allclose(values, np.maximum(-np.sort(-scores, axis=1)[:, :5], 0))
    with pytest.raises(ValueError, match="Choose 1 to 30"):
        strongest(scores, 31)


def test_refitted_weights_are_those_of_a_regression():
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(30, 12)).astype(np.float32)
    found = LearnedDictionary(1, 4, directions, np.zeros(30, np.float32), np.zeros(12, np.float32), {}, refit=True)
    vectors = rng.normal(size=(5, 12)).astype(np.float32)
    codes = found.codes(vectors)
    for vector, features, weights in zip(vectors, codes.features, codes.activations, strict=True):
        fitted = LinearRegression(fit_intercept=False).fit(directions[features].T, vector)
        np.testing.assert_allclose(weights, fitted.coef_, atol=2e-3)


def test_random_dictionaries_have_the_same_size_and_unit_directions(tiny):
    own, vectors = made(tiny), np.random.default_rng(0).normal(size=(50, tiny.dimensions)).astype(np.float32)
    for occurrences in (False, True):
        drawn = random_dictionary(own, vectors, occurrences=occurrences)
        assert drawn.refit and len(drawn) == len(own) and drawn.k == own.k
        np.testing.assert_allclose(np.linalg.norm(drawn.directions, axis=1), 1, atol=1e-5)
    rows = (vectors - own.centre) / np.linalg.norm(vectors - own.centre, axis=1, keepdims=True)
    assert (drawn.directions @ rows.T).max(axis=1) == pytest.approx(1, abs=1e-5)
    with pytest.raises(ValueError, match="16 numbers"):
        random_dictionary(own, vectors[:, :3])


def test_a_file_gives_back_the_dictionary(tiny, tmp_path):
    own, path = made(tiny), tmp_path / "one.safetensors"
    write(own, path)
    found = read(path)
    assert (found.layer, found.k, found.checksum) == (own.layer, own.k, tiny.checksum)
    np.testing.assert_allclose(found.directions, own.directions, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(found.directions, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(found.centre, own.centre)
    assert about_file(path)["quality"] == own.about["quality"]
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="read-only"):
        found.directions[0] = 0


def test_other_files_are_refused(tiny, tmp_path, tiny_folder):
    path = tmp_path / "one.safetensors"
    for content in (b"", (tiny_folder / "model.safetensors").read_bytes()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not a learned dictionary"):
            read(path)
    with pytest.raises(ValueError, match="not a learned dictionary"):
        read(tmp_path / "missing.safetensors")
    own = made(tiny)
    for centre in (own.centre[:3], own.centre * np.nan):
        write(dataclasses.replace(own, centre=centre), path)
        with pytest.raises(ValueError, match="damaged"):
            read(path)


@pytest.fixture
def offered(tiny, tiny_distil, tmp_path, monkeypatch):
    paths = [written(tiny, tmp_path), written(tiny, tmp_path, 2, "other"), written(tiny_distil, tmp_path, 1, "distil")]
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(b"x")
    monkeypatch.setenv("EMBTOOLS_DICTIONARIES", ", ".join(map(str, [*paths, damaged, tmp_path / "missing"])))
    return paths


def test_a_model_has_the_dictionaries_of_its_weights(offered, tiny, tiny_distil, bundled):
    assert dictionaries(tiny) == names_of(tiny.checksum) == ("layer 1, small", "layer 2, other")
    assert dictionaries(tiny_distil) == ("layer 1, distil",)
    assert open_dictionary("layer 2, other", tiny).layer == 2
    assert names_of("another") == ()
    own = [path.stem.partition("-")[2] for path in FOLDER.glob("dictionary-*")]
    assert set(dictionaries(bundled)) == {f"layer {layer}" for layer in own} and len(files()) == len(own) + 5


def test_a_model_with_edited_words_has_those_of_its_original(offered, tiny):
    edited = edited_model(["rome = rome - italy + france"], tiny)
    assert edited.checksum != tiny.checksum
    assert dictionaries(edited) == dictionaries(tiny)
    assert open_dictionary("layer 1, small", edited) is open_dictionary("layer 1, small", tiny)


def test_a_model_without_a_dictionary_says_so_and_why_and_another_name_is_refused(offered, tiny, tiny_cased):
    with pytest.raises(ValueError, match=r"has no learned dictionary.*belongs to the model .*python -m embtools"):
        open_dictionary("layer 3", tiny_cased)
    with pytest.raises(ValueError, match="Choose one of these: layer 1, small; layer 2, other"):
        open_dictionary("<b>", tiny)


def test_the_figures_are_named_or_missing():
    frame = pd.DataFrame(QUALITY)
    fit = fit_sentence(frame, {"held_out": 1234})
    assert "On 1,234 held-out words, the features explain 80%" in fit and "random directions" in fit and "30%" in fit
    assert "change by 0.20 bits" in fit and "5.0%" in fit and "90% of 20 sentences" in fit
    look = look_sentence(frame)
    assert "3.4 different words" in look and "random directions: 6.2 words, similarity −0.05" in look
    assert "does not say" in fit_sentence(pd.DataFrame(), {}) and "does not say" in look_sentence(pd.DataFrame())


def test_the_table_begins_with_the_name_and_keeps_every_figure():
    frame = table([dict(sorted(row.items())) for row in QUALITY])
    assert list(frame.columns) == [name for name in COLUMNS if any(name in row for row in QUALITY)]
    assert frame.columns[0] == "dictionary" and set(frame.columns) == {name for row in QUALITY for name in row}
    pd.testing.assert_frame_equal(frame, pd.DataFrame(QUALITY)[list(frame.columns)])
    assert table([]).empty
