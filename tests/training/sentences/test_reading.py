"""Documents, lines and sentences of files, without held-out documents."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.documents import is_held_out
from training.sentences import reading

DOCUMENTS = [[f"Document {number} begins.", f"It ends with {number}."] for number in range(300)]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join("\n".join(document) for document in DOCUMENTS))
    return path


def test_held_out_documents_are_never_read(text: Path) -> None:
    kept = [document for document in DOCUMENTS if not is_held_out(document)]
    assert 0 < len(kept) < len(DOCUMENTS)
    assert list(reading.training_documents([text, text])) == kept * 2


def test_each_line_with_a_result_becomes_a_document(text: Path) -> None:
    found = list(reading.of_each_line([text], {"7"}, lambda line, known: [line, line] if "7 " in line else []))
    lines = [d[0] for d in DOCUMENTS if not is_held_out(d) and "7 " in d[0]]
    assert found == [[f"{line} {line}"] for line in lines]


def test_the_sentences_kept_from_a_document_are_one_paragraph(text: Path) -> None:
    found = list(reading.of_each_document([text], set(), lambda sentence, known: "7" in sentence))
    assert found == [[" ".join(d)] for d in DOCUMENTS if not is_held_out(d) and "7" in d[0]]


@given(st.lists(st.sampled_from(["Bees", "make", "honey", "wax,"]), max_size=8), st.booleans())
def test_a_complete_sentence_starts_with_a_capital_and_ends_with_a_full_stop(words: list[str], stop: bool) -> None:
    plain = reading.plain_words(" ".join(words) + "." * stop, 2, 5)
    whole = stop and 2 <= len(words) <= 5 and words[0] == "Bees"
    assert plain == ([word.strip(",") for word in words] if whole else [])
