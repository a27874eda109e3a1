"""The command that writes training text: no held-out text, no sentence of a test suite, errors."""

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import wordlists
from embtools.documents import is_held_out, read_documents
from tests.training.recipe import WORDS
from training.sentences import __main__ as command
from training.sentences import apart, reading, wordings
from training.sentences.apart import of_a_suite
from training.text import split_sentences

# The command that writes training text: files, errors, and no held-out text or sentence of a test suite

DOCUMENTS = {
    "articles": "A ba is dog number {:05}. " + "It barks. " * 30,
    "glosses": "ba: a dog number {:05}.",
    "relations": "ba: someone who sings song {:05}.",
    "everyday": "Be bi bo {0:05}.\nBa be bi bo. Be {0:05}.",
    "statements": "Ba bi has be.\nBe {0:05}. Bo bi has ba {0:05}.",
    "colours": "x {:05}. ba is white. Ba is white. The ba-white as white as a ba.",
    "countries": "Bardon {:05}.\nBardon is old.\nMany like Bardon.\nBardon's kings.\nNorthern Asia, near Bardon",
}


def run(kind: str, files: list[Path], start: Path, out: Path) -> int:
    return command.main([kind, *map(str, files), "--vocabulary", str(start), "--out", str(out)])


@pytest.fixture(scope="module")
def named(start: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tokenizer of `start`, whose words also include the name of a country and a verb."""
    from transformers import BertTokenizer

    folder = tmp_path_factory.mktemp("named")
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "bardon", "has"]
    BertTokenizer(vocab={token: i for i, token in enumerate(tokens)}, do_lower_case=True).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_text_made_from_training_documents_is_never_held_out(kind: str, named: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "text.txt", tmp_path / "out.txt"
    file.write_text("\n\n".join(DOCUMENTS[kind].format(i) for i in range(500)), encoding="utf-8")
    assert run(kind, [file], named, out) == 0
    written = list(read_documents(out))
    assert len(written) >= (1 if kind == "colours" else 400)
    assert not any(map(is_held_out, written))
    if kind != "colours":  # each fact is written once, whatever the number of documents
        assert len(written) < 500


def test_opposites_are_made_from_a_dictionary_and_texts(named: Path, tmp_path: Path) -> None:
    glosses, text, out = tmp_path / "glosses.txt", tmp_path / "text.txt", tmp_path / "out.txt"
    glosses.write_text("ba: not bi.\nbi: not ba.\n", encoding="utf-8")
    text.write_text("Neither ba nor bi. Either ba or bi. Ba and bi.\n", encoding="utf-8")
    assert run("opposites", [glosses, text], named, out) == 0
    assert out.read_text(encoding="utf-8").startswith("Ba is the opposite of bi. Bi is the opposite of ba. ")


def test_no_sentence_of_a_test_suite_is_written(bundled, tmp_path: Path) -> None:
    # Every sentence of a suite is inside an article about a common word: only the sentence is left out.
    cloze = wordlists.load("cloze")
    asked = [s.replace("[MASK]", a) for s, b in zip(cloze.sentence, cloze.answer, strict=True) for a in b.split("|")]
    file, out = tmp_path / "wiki.txt", tmp_path / "out.txt"
    file.write_text(
        "\n\n".join(f"A dog is an animal. {s} It barks at {i} cats." for i, s in enumerate(asked)), encoding="utf-8"
    )
    import embtools

    vocabulary = Path(embtools.__file__).parent / "bundled"
    assert run("articles", [file], vocabulary, out) == 0
    written = [s for d in read_documents(out) for p in d for s in split_sentences(p)]
    assert len(written) > 1.9 * len(asked)
    assert all(s == "A dog is an animal." or s.startswith("It barks at ") for s in written)
    assert not any(map(of_a_suite, written))


def test_several_files_are_read_and_errors_are_one_sentence(start: Path, tmp_path: Path, capsys) -> None:
    one, two, out = tmp_path / "one.txt", tmp_path / "two.txt", tmp_path / "out.txt"
    one.write_text("A ba is a dog. It barks.\n\nKurt was born in 1900.\n", encoding="utf-8")
    two.write_text("A be is a cat.\nIt purrs.\n", encoding="utf-8")
    assert run("articles", [one, two], start, out) == 0
    assert out.read_text() == "A ba is a dog. It barks.\n\nA be is a cat.\nIt purrs.\n"
    assert run("articles", [tmp_path / "no"], start, out) == 1
    assert "There is no text file" in capsys.readouterr().err
    assert run("articles", [one], start, tmp_path) == 1
    assert "Is a directory" in capsys.readouterr().err


# Documents, lines and sentences of files, without held-out documents

NUMBERED = [[f"Document {number} begins.", f"It ends with {number}."] for number in range(300)]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join("\n".join(document) for document in NUMBERED))
    return path


def test_held_out_documents_are_never_read(text: Path) -> None:
    kept = [document for document in NUMBERED if not is_held_out(document)]
    assert 0 < len(kept) < len(NUMBERED)
    assert list(reading.training_documents([text, text])) == kept * 2


def test_each_line_with_a_result_becomes_a_document(text: Path) -> None:
    found = list(reading.of_each_line([text], {"7"}, lambda line, known: [line, line] if "7 " in line else []))
    lines = [d[0] for d in NUMBERED if not is_held_out(d) and "7 " in d[0]]
    assert found == [[f"{line} {line}"] for line in lines]


def test_the_sentences_kept_from_a_document_are_one_paragraph(text: Path) -> None:
    found = list(reading.of_each_document([text], set(), lambda sentence, known: "7" in sentence))
    assert found == [[" ".join(d)] for d in NUMBERED if not is_held_out(d) and "7" in d[0]]


@given(st.lists(st.sampled_from(["Bees", "make", "honey", "wax,"]), max_size=8), st.booleans())
def test_a_complete_sentence_starts_with_a_capital_and_ends_with_a_full_stop(words: list[str], stop: bool) -> None:
    plain = reading.plain_words(" ".join(words) + "." * stop, 2, 5)
    whole = stop and 2 <= len(words) <= 5 and words[0] == "Bees"
    assert plain == ([word.strip(",") for word in words] if whole else [])


# Sentences that no generated text may contain

CLOZE = wordlists.load("cloze")


def test_every_sentence_of_every_suite_is_refused_with_every_answer() -> None:
    for sentence, answers in zip(CLOZE.sentence, CLOZE.answer, strict=True):
        for answer in answers.split("|"):
            filled = sentence.replace("[MASK]", answer)
            assert apart.of_a_suite(filled), filled
            assert apart.of_a_suite(filled.upper())


@pytest.mark.parametrize("country", ["Norway", "the Netherlands"])
def test_every_held_out_wording_of_capital_and_country_is_refused(country: str) -> None:
    for template in wordlists.load("locations").template:
        written = template.replace("{capital}", "Port Zebra").replace("[MASK]", country)
        assert any(apart.of_a_suite(sentence) for sentence in split_sentences(written)), template
        other = written.replace("capital", "chief").replace("country", "part").replace("meets", "met")
        assert not apart.of_a_suite(other), template


@pytest.mark.parametrize(
    "sentence",
    [
        "Six plus eight is fourteen.",
        "The brother of my father is my uncle.",
        "Beer is made from barley.",
    ],
)
def test_a_fact_with_the_same_form_as_others_of_the_suite_is_refused(sentence: str) -> None:
    assert apart.of_a_suite(sentence)


def test_templates_are_complete_patterns() -> None:
    for template in apart.TEMPLATES:
        assert not re.fullmatch(template, "the dog sleeps in the house")


# The word list of training wordings is what the modules write now


def test_the_stored_wordings_are_current() -> None:
    """If this fails after a wording was changed: python -m training.sentences.wordings"""
    pd.testing.assert_frame_equal(wordlists.load("training_wordings"), wordings.wordings(), check_dtype=False)


def test_wordings_have_both_words_and_no_example() -> None:
    for text in wordings.wordings()["wording"]:
        assert "{a}" in text and "{b}" in text
        assert not {"lamb", "Arabic", "Africa", "bird"} & set(text.replace(".", "").split()), text


def test_the_command_writes_the_list(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(wordings, "_FILE", tmp_path / "list.csv")
    assert wordings.main() == 0 and "wordings are in" in capsys.readouterr().out
    assert len(pd.read_csv(tmp_path / "list.csv")) == len(wordings.wordings())
