"""A dictionary as sentences."""

from pathlib import Path

from embtools import wordlists
from embtools.pretrain import glosses
from embtools.pretrain.text import is_held_out


def test_dictionary_lines_become_sentences_that_end_in_the_word(tmp_path: Path) -> None:
    known = {"puppy", "kitten", "kitty", "large", "big"}
    assert glosses.sentences("kitten, kitty: young domestic cat (not a puppy); cute.", known) == [
        "Kitten means young domestic cat.",
        "A word that means young domestic cat is kitten.",
        "Another word for kitten is kitty.",
    ]
    assert glosses.sentences("whelp: a young dog.", known) == []
    assert glosses.sentences("puppy: a " + "very " * 12 + "young dog.", known) == []
    assert glosses.sentences("no dictionary line", known) == []
    assert glosses.sentences("puppy: (nothing).", known) == []


def test_a_dictionary_leaves_out_what_is_held_out(tmp_path: Path) -> None:
    documents = [f"puppy: a dog number {i}." for i in range(400)]
    file = tmp_path / "glosses.txt"
    file.write_text("\n\n".join(documents), encoding="utf-8")
    written = [d[0] for d in glosses.rewrite(file, {"puppy"})]
    kept = [d for d in documents if not is_held_out([d])]
    assert 0 < len(documents) - len(kept) < 20
    assert written == [f"A puppy is {d[7:-1]}. The word for {d[7:-1]} is puppy." for d in kept]


def test_the_templates_of_the_dictionary_are_not_those_of_a_suite() -> None:
    # The suites would be part of the training text if a definition in their own words came out as one of their sentences.
    cloze = wordlists.load("cloze")
    full = {
        (s.replace("[MASK]", a).lower(), a, s)
        for s, b in zip(cloze.sentence, cloze.answer, strict=True)
        for a in b.split("|")
    }
    words = {answer for _, answer, _ in full}
    written = set()
    common = [f"{start}dog" for start in ("", "a ", "the opposite of ", "a young ")]
    for _, answer, sentence in full:
        meaning = sentence.split(" is called")[0].split(" is ")[0].removeprefix("The color of ").strip(".")
        for definition in (meaning, meaning.lower(), f"the {meaning.lower()}", *common):
            made = glosses.sentences(f"{answer}: {definition}.", words)
            written |= {m.lower() for m in made}
    assert len(written) > 500
    assert not written & {sentence for sentence, _, _ in full}


def test_the_dictionary_command_writes_a_file_or_says_why_not(start: Path, tmp_path: Path, capsys) -> None:
    file, out = tmp_path / "glosses.txt", tmp_path / "sentences.txt"
    file.write_text("ba, be: a dog.\n", encoding="utf-8")
    assert glosses.main([str(file), "--vocabulary", str(start), "--out", str(out)]) == 0
    assert out.read_text() == "A ba is a dog. The word for a dog is ba. Another word for ba is be.\n"
    assert glosses.main([str(tmp_path / "no"), "--vocabulary", str(start), "--out", str(out)]) == 1
    assert "There is no text file" in capsys.readouterr().err
