"""The recipe of the bundled model: text, batches, masks, checkpoints, resuming, export, errors."""

import argparse
import json
import lzma
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from embtools import wordlists
from embtools.pretrain import __main__ as command
from embtools.pretrain import articles, batches, checkpoints, glosses, training
from embtools.pretrain import settings as pretrain_settings
from embtools.pretrain import text as pretrain_text
from embtools.pretrain.batches import IGNORE, SHAPES, SINGLE, Vocabulary, make_batch, source, vocabulary
from embtools.pretrain.text import Text, is_held_out, load_text, read_documents, split_sentences, tokenise

WORDS = [f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "en", "on", "ar", "or")]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","]


def write_text(path: Path, documents: int = 40, seed: int = 0) -> Path:
    """Documents of six sentences of 4 to 12 of the words."""
    rng = np.random.default_rng(seed)

    def sentence() -> str:
        return " ".join(rng.choice(WORDS, rng.integers(4, 13))).capitalize() + "."

    parts = ["\n".join(" ".join(sentence() for _ in range(3)) for _ in range(2)) for _ in range(documents)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT that reads 128 pieces."""
    import torch
    from transformers import BertConfig, BertForPreTraining, BertTokenizer

    folder = tmp_path_factory.mktemp("start")
    tokens = SPECIAL + WORDS
    BertTokenizer(vocab={token: i for i, token in enumerate(tokens)}, do_lower_case=True).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokens),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
    )
    BertForPreTraining(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def text_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text") / "text.txt")


def settings(start: Path, text: Path, folder: Path, **changes: object) -> pretrain_settings.Settings:
    usual: dict = {"steps": 6, "decay": 2, "warmup": 1, "save_every": 2, "threads": 1}
    return pretrain_settings.Settings(str(start), ((text, 1.0),), folder / "run", folder / "out", **(usual | changes))


def number(stride: int) -> tuple[list[batches.Source], Vocabulary]:
    """A text in which every piece is unique: piece = 10 + stride · sentence + place, five sentences a document."""
    sentences = 500
    lengths = np.random.default_rng(0).integers(6, stride, sentences)
    pieces = [np.arange(n, dtype=np.uint16) + 10 + stride * i for i, n in enumerate(lengths)]
    text = Text(
        "numbered", np.concatenate(pieces), np.concatenate([[0], np.cumsum(lengths)]), np.arange(0, sentences + 1, 5)
    )
    size = 10 + stride * sentences
    return [source(text, 1.0)], Vocabulary(np.zeros(size, bool), np.arange(size) >= 10, cls=2, sep=3, mask=4)


@pytest.fixture(scope="module")
def numbered() -> tuple[list[batches.Source], Vocabulary]:
    return number(20)


PAIRS = [s for s in SHAPES if s.name not in SINGLE]


# Text


def test_sentences_are_cut_at_ends_and_not_at_abbreviations() -> None:
    assert split_sentences("Mr. Smith met J. Doe in the U.S. in 1990. It rained! Was it cold? “Yes.” He left.") == [
        "Mr. Smith met J. Doe in the U.S. in 1990.",
        "It rained!",
        "Was it cold?",
        "“Yes.”",
        "He left.",
    ]
    assert split_sentences("  ") == []


def test_plain_and_compressed_text_read_the_same(text_file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "text.txt.xz"
    packed.write_bytes(lzma.compress(text_file.read_bytes()))
    documents = list(read_documents(text_file))
    assert list(read_documents(packed)) == documents
    assert len(documents) == 40
    assert {len(d) for d in documents} == {2}


def test_held_out_documents_are_about_one_in_a_hundred_and_never_trained_on(tmp_path: Path) -> None:
    file = write_text(tmp_path / "many.txt", documents=2000)
    documents = list(read_documents(file))
    held = [d for d in documents if is_held_out(d)]
    assert 5 <= len(held) <= 40

    def encode(sentences: list[str]) -> list[list[int]]:
        return [[WORDS.index(w) for w in s.lower().rstrip(".").split()] for s in sentences]

    train = load_text(file, encode, "words", tmp_path / "cache", held_out=False, report=lambda _: None)
    test = load_text(file, encode, "words", tmp_path / "cache", held_out=True, report=lambda _: None)
    assert len(train.documents) - 1 == 2000 - len(held)
    assert len(test.documents) - 1 == len(held)
    expected = encode([s for p in held[0] for s in split_sentences(p)])
    assert [list(test.sentence(i)) for i in range(len(expected))] == expected


def test_a_text_is_tokenised_once(text_file: Path, tmp_path: Path) -> None:
    calls: list[int] = []

    def encode(sentences: list[str]) -> list[list[int]]:
        calls.append(len(sentences))
        return [[1, 2, 3]] * len(sentences)

    first = load_text(text_file, encode, "three", tmp_path, held_out=False, report=lambda _: None)
    count = len(calls)
    again = load_text(text_file, encode, "three", tmp_path, held_out=False, report=lambda _: None)
    assert len(calls) == count > 0
    np.testing.assert_array_equal(first.pieces, again.pieces)
    load_text(text_file, encode, "another tokenizer", tmp_path, held_out=False, report=lambda _: None)
    assert len(calls) == 2 * count
    assert not list(tmp_path.glob("*.partial"))


def test_text_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    def encode(sentences: list[str]) -> list[list[int]]:
        return [[1]] * len(sentences)

    with pytest.raises(ValueError, match=r"no text file .*none\.txt"):
        load_text(tmp_path / "none.txt", encode, "one", tmp_path, held_out=False)
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    with pytest.raises(ValueError, match="holds no text"):
        load_text(empty, encode, "one", tmp_path, held_out=False)
    broken = tmp_path / "broken.txt.xz"
    broken.write_bytes(lzma.compress(b"A sentence. " * 999)[:60])
    with pytest.raises(ValueError, match="cannot be read"):
        load_text(broken, encode, "one", tmp_path, held_out=False)
    with pytest.raises(ValueError, match="too small"):
        source(tokenise([["One. Two."]], encode, "tiny"), 1.0)


# Batches


def test_a_batch_depends_on_seed_and_step_alone(numbered) -> None:
    first, again, other = (make_batch(*numbered, step=s, seed=5) for s in (7, 7, 8))
    np.testing.assert_array_equal(first.ids, again.ids)
    np.testing.assert_array_equal(first.where, again.where)
    assert first.ids.shape != other.ids.shape or (first.ids != other.ids).any()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_shapes_are_fixed_and_every_label_stood_where_it_is_asked_for(numbered, shape) -> None:
    for step in range(5):
        batch = make_batch(*numbered, step=step, shape=shape)
        assert batch.ids.shape == batch.segments.shape == batch.attention.shape == (shape.rows, shape.width)
        assert batch.where.shape == batch.labels.shape == (shape.masked,)
        used = batch.labels != IGNORE
        assert used.sum() > shape.masked / 3
        assert (batch.ids.ravel()[batch.where[used]] == 4).all()
        assert (batch.attention == (batch.ids != 0)).all()
        assert len(set(batch.where[used])) == used.sum()
        # In this text neighbours differ by one: a visible neighbour proves the label.
        flat = batch.ids.ravel()
        for place, label in zip(batch.where[used], batch.labels[used], strict=True):
            if flat[place - 1] >= 10:
                assert label == flat[place - 1] + 1 or (label - 10) % 20 == 0


def parts(batch: batches.Batch) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Label, first and second part of each row, without [CLS] and [SEP]."""
    for ids, segments, attention, label in zip(batch.ids, batch.segments, batch.attention, batch.follows, strict=True):
        both = ids[attention == 1]
        second = int(segments[attention == 1].sum())
        yield int(label), both[1 : -second - 1], both[-second:-1]


@pytest.mark.parametrize("stride", [20, 100])  # sentences that fit into a sequence, and some that do not
def test_real_pairs_follow_each_other_and_random_ones_come_from_another_document(stride: int) -> None:
    numbered = number(stride)
    (text,), _ = numbered
    ends = text.text.pieces[text.text.sentences[1:] - 1].tolist()
    begins = text.text.pieces[text.text.sentences[:-1]].tolist()
    counts = {0: 0, 1: 0}
    for step in range(6):
        for shape in PAIRS:
            # Almost nothing is masked, so that both parts can be read.
            for label, first, second in parts(make_batch(*numbered, step=step, shape=shape, mask_rate=1e-4)):
                assert first[-1] in [*ends, 4]
                assert second[0] in [*begins, 4]
                if 4 in (*first, *second):
                    continue
                counts[label] += 1
                document, other = (first - 10) // (5 * stride), (second - 10) // (5 * stride)
                assert len({*document}) == len({*other}) == 1
                if label == 0:
                    assert document[0] == other[0]
                    assert begins.index(second[0]) == ends.index(first[-1]) + 1
                else:
                    assert document[0] != other[0]
    assert abs(counts[0] - counts[1]) < 0.2 * sum(counts.values())


@pytest.mark.parametrize("shape", PAIRS, ids=lambda s: s.name)
def test_neither_length_nor_begin_nor_end_tells_that_a_pair_is_random(shape) -> None:
    # Documents of 2 to 40 sentences; they begin with 6, and the last piece of a sentence is 5.
    rng = np.random.default_rng(0)
    lengths = rng.integers(6, 20, 6000)
    pieces = np.full(lengths.sum(), 10, np.uint16)
    pieces[np.cumsum(lengths) - 1] = 5
    starts = np.unique(np.concatenate([[0], np.cumsum(rng.integers(2, 41, 400)).clip(max=6000), [6000]]))
    pieces[np.concatenate([[0], np.cumsum(lengths)])[starts[:-1]]] = 6
    text = source(Text("ends", pieces, np.concatenate([[0], np.cumsum(lengths)]), starts), 1.0)
    plain = Vocabulary(np.zeros(20, bool), np.zeros(20, bool), cls=2, sep=3, mask=4)
    found: dict[int, list[tuple[int, bool]]] = {0: [], 1: []}
    for step in range(4000 // shape.rows):
        for label, _, second in parts(make_batch([text], plain, step, shape=shape, mask_rate=1e-6)):
            found[label].append((len(second), second[-1] == 5))
            assert second[0] != 6
    real, random = (np.mean(found[label], axis=0) for label in (0, 1))
    assert random == pytest.approx(real, rel=0.08)


@pytest.mark.parametrize("shape", [s for s in SHAPES if s.name in SINGLE], ids=lambda s: s.name)
def test_single_sentences_never_show_the_answer(shape) -> None:
    # Every word twice: hiding one of them must hide the other.
    rng = np.random.default_rng(0)
    sentences = [np.tile(rng.choice(np.arange(10, 60), 6, replace=False), 2).astype(np.uint16) for _ in range(200)]
    text = Text("twice", np.concatenate(sentences), np.arange(0, 12 * 201, 12), np.arange(0, 201, 4))
    vocab = Vocabulary(np.zeros(60, bool), np.arange(60) >= 10, cls=2, sep=3, mask=4)
    batch = make_batch([source(text, 1.0)], vocab, step=0, shape=shape)
    assert (batch.follows == IGNORE).all()
    for place, label in zip(batch.where, batch.labels, strict=True):
        if label != IGNORE:
            row = place // shape.width
            assert label not in batch.ids[row]
            assert label not in batch.visible[row]
    for row, seen in zip(batch.ids, batch.visible, strict=True):
        assert set(seen) - {0} == {i for i in row if i >= 10}
        assert len(set(seen) - {0}) == (seen > 0).sum()


def test_about_a_fifth_of_the_pieces_of_pairs_are_masked(numbered) -> None:
    asked = words = 0
    for step in range(10):
        batch = make_batch(*numbered, step=step, shape=PAIRS[0])
        asked += (batch.labels != IGNORE).sum()
        words += (batch.ids > 3).sum()
    assert 0.17 < asked / words < 0.21


def test_the_mask_rate_can_be_chosen(numbered) -> None:
    def masked(rate: float, shape) -> float:
        batch = make_batch(*numbered, step=1, shape=shape, mask_rate=rate)
        return (batch.labels != IGNORE).mean()

    assert all(masked(0.05, shape) < masked(0.15, shape) for shape in PAIRS)


def test_function_words_are_the_most_frequent_pieces() -> None:
    tokens = [*SPECIAL, "the", "rome", "##s", "paris", "of", "italy", "france"]
    pieces = np.array([7] * 50 + [11] * 40 + [8, 9, 10, 12, 13], np.uint16)
    text = Text("t", pieces, np.array([0, len(pieces)]), np.array([0, 1]))
    vocab = vocabulary(tokens, [text])
    assert not vocab.content[[0, 4, 5, 7, 11]].any()
    assert vocab.content[[12, 13]].all()
    assert list(np.flatnonzero(vocab.continues)) == [9]
    assert (vocab.cls, vocab.sep, vocab.mask) == (2, 3, 4)


def test_brief_sentences_fill_their_narrow_shape(numbered) -> None:
    batch = make_batch(*numbered, step=0, shape=SHAPES[0])
    lengths = batch.attention.sum(axis=1)
    assert lengths.max() <= 16 and lengths.min() >= 6
    assert batch.attention.mean() > 0.6


# A dictionary


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


def test_what_is_made_from_training_documents_never_passes_for_held_out(start: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "text.txt", tmp_path / "out.txt"
    for program, document in (
        (glosses, "ba: a dog number {:05}."),
        (articles, "A ba is dog number {:05}. " + "It barks. " * 30),
    ):
        file.write_text("\n\n".join(document.format(i) for i in range(2000)), encoding="utf-8")
        assert program.main([str(file), "--vocabulary", str(start), "--out", str(out)]) == 0
        written = list(read_documents(out))
        assert 1900 < len(written) < 2000
        assert not any(map(is_held_out, written))


def test_the_dictionary_command_writes_a_file_or_says_why_not(start: Path, tmp_path: Path, capsys) -> None:
    file, out = tmp_path / "glosses.txt", tmp_path / "sentences.txt"
    file.write_text("ba, be: a dog.\n", encoding="utf-8")
    assert glosses.main([str(file), "--vocabulary", str(start), "--out", str(out)]) == 0
    assert out.read_text() == "A ba is a dog. The word for a dog is ba. Another word for ba is be.\n"
    assert glosses.main([str(tmp_path / "no"), "--vocabulary", str(start), "--out", str(out)]) == 1
    assert "There is no text file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Snow is a form of ice.", "snow"),
        ("The oboe (pronounced OH-boh) is a woodwind instrument.", "oboe"),
        ("Lodging or holiday accommodation is a place to sleep.", "lodging"),
        ("An ox, or a bullock, is a large animal.", "ox"),
        ("Dogs are mammals.", "dogs"),
        ("To dig means to make a hole.", "dig"),
        ("New York is a city.", None),
        ("There are many cats.", None),
        ("He was a king.", None),
        ("She was a queen.", None),
        ("These are lists.", None),
        ("Core is the first album of a band, released in 1992.", None),
        ("Fish swim.", None),
        ("", None),
    ],
)
def test_an_article_is_about_the_word_that_its_first_sentence_defines(sentence: str, word: str | None) -> None:
    assert articles.subject(sentence) == word


def test_the_opening_of_an_article_keeps_its_paragraphs_and_ends_after_twenty_sentences(tmp_path: Path) -> None:
    paragraphs = [
        "A cat is a pet. It purrs. It sleeps.",
        *(f"Cat number {i} sleeps. So does its kitten." for i in range(30)),
    ]
    file = tmp_path / "wiki.txt"
    file.write_text("\n".join(paragraphs), encoding="utf-8")
    (kept,) = articles.openings(file, {"cat"})
    assert kept == [*paragraphs[:9], "Cat number 8 sleeps."]
    assert list(articles.openings(file, {"dog"})) == []


def test_articles_that_are_held_out_are_left_out(tmp_path: Path) -> None:
    documents = [f"A cat is pet number {i}.\nIt purrs." for i in range(400)]
    file = tmp_path / "wiki.txt"
    file.write_text("\n\n".join(documents), encoding="utf-8")
    kept = [d.split("\n") for d in documents if not is_held_out(d.split("\n"))]
    assert 0 < len(documents) - len(kept) < 20
    assert list(articles.openings(file, {"cat"})) == kept


def test_the_articles_command_reads_several_files_or_says_why_not(start: Path, tmp_path: Path, capsys) -> None:
    one, two, out = tmp_path / "one.txt", tmp_path / "two.txt", tmp_path / "articles.txt"
    one.write_text("A ba is a dog. It barks.\n\nKurt was born in 1900.\n", encoding="utf-8")
    two.write_text("A be is a cat.\nIt purrs.\n", encoding="utf-8")
    assert articles.main([str(one), str(two), "--vocabulary", str(start), "--out", str(out)]) == 0
    assert out.read_text() == "A ba is a dog. It barks.\n\nA be is a cat.\nIt purrs.\n"
    assert articles.main([str(tmp_path / "no"), "--vocabulary", str(start), "--out", str(out)]) == 1
    assert "There is no text file" in capsys.readouterr().err
    assert articles.main([str(one), "--vocabulary", str(start), "--out", str(tmp_path)]) == 1
    assert "Is a directory" in capsys.readouterr().err


# Training


def test_the_rate_rises_stays_and_falls_to_zero() -> None:
    run = pretrain_settings.Settings("", (), Path(), Path(), steps=100, decay=20, warmup=10, learning_rate=1.0)
    assert pretrain_settings.learning_rate(0, run) == pytest.approx(0.1)
    assert pretrain_settings.learning_rate(9, run) == pretrain_settings.learning_rate(80, run) == 1.0
    assert pretrain_settings.learning_rate(90, run) == pytest.approx(0.5)
    assert pretrain_settings.learning_rate(100, run) == 0


def test_training_lowers_the_loss_and_exports_a_folder_that_loads(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer, BertForPreTraining

    from embtools import load_model

    run = settings(start, text_file, tmp_path, steps=60, decay=10, save_every=30, average=1, learning_rate=1e-2)
    out = training.train(run)
    log = [json.loads(line) for line in (run.run / "log.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in log] == [50, 60]
    assert all(np.isfinite(v) for entry in log for v in entry.values())
    assert log[-1]["sentence_loss"] < np.log(len(WORDS) + len(SPECIAL))
    weights = load_file(out / "model.safetensors")
    assert {w.dtype for w in weights.values()} == {np.dtype(np.float16)}
    assert json.loads((out / "tokenizer.json").read_text())["truncation"] is None
    assert AutoTokenizer.from_pretrained(out).tokenize("BA be.") == ["ba", "be", "."]
    assert AutoModelForMaskedLM.from_pretrained(out).config.vocab_size == len(WORDS) + len(SPECIAL)
    assert BertForPreTraining.from_pretrained(out).cls.seq_relationship.out_features == 2
    assert load_model(str(out)).has_next_sentence
    assert not out.with_name("out.partial").exists()


def test_a_killed_run_continues_to_the_same_weights(
    start: Path, text_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = training.train(settings(start, text_file, tmp_path / "a"))
    broken = settings(start, text_file, tmp_path / "b")

    def killed(sources, vocab, step, seed, **named):
        if step == 5:
            raise KeyboardInterrupt
        return make_batch(sources, vocab, step, seed, **named)

    monkeypatch.setattr(training, "make_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        training.train(broken)
    monkeypatch.undo()
    assert [f.name for f in checkpoints.found(broken.run)] == ["step-000002", "step-000004"]
    resumed = training.train(broken)
    for name in ("weights.safetensors", "optimizer.safetensors"):
        one, two = (load_file(tmp_path / r / "run" / "step-000006" / name) for r in "ab")
        assert one.keys() == two.keys()
        for key in one:
            np.testing.assert_array_equal(one[key], two[key], err_msg=key)
    assert (straight / "model.safetensors").read_bytes() == (resumed / "model.safetensors").read_bytes()


def test_the_export_can_be_the_mean_of_the_last_checkpoints(start: Path, text_file: Path, tmp_path: Path) -> None:
    run = settings(start, text_file, tmp_path, average=2, keep=2)
    out = training.train(run)
    folders = checkpoints.found(run.run)
    assert [f.name for f in folders] == ["step-000004", "step-000006"]
    parts = [load_file(f / "weights.safetensors")["bert.embeddings.word_embeddings.weight"] for f in folders]
    mean = load_file(out / "model.safetensors")["bert.embeddings.word_embeddings.weight"]
    np.testing.assert_allclose(mean, (parts[0] + parts[1]) / 2, atol=1e-4)


def test_an_earlier_export_can_be_mixed_in(start: Path, text_file: Path, tmp_path: Path) -> None:
    name = "bert.embeddings.word_embeddings.weight"
    run = settings(start, text_file, tmp_path, blend=(start, 0.25))
    mixed = load_file(training.train(run) / "model.safetensors")[name].astype(np.float32)
    trained = load_file(checkpoints.found(run.run)[-1] / "weights.safetensors")[name]
    np.testing.assert_allclose(mixed, 0.75 * trained + 0.25 * load_file(start / "model.safetensors")[name], atol=1e-3)
    with pytest.raises(ValueError, match="no model in"):  # said before training
        training.train(settings(start, text_file, tmp_path / "none", blend=(tmp_path, 0.5)))
    assert not (tmp_path / "none").exists()
    with pytest.raises(ValueError, match="another shape"):
        checkpoints.mix({"a": np.ones(1, np.float32)}, start, 0.5)


def test_a_half_written_checkpoint_is_ignored_and_a_damaged_one_explained(tmp_path: Path) -> None:
    arrays = {"a": np.ones(3, np.float32)}
    checkpoints.write(tmp_path, 1, arrays, arrays, {}, keep=3)
    (tmp_path / "step-000002.partial").mkdir()
    found = checkpoints.found(tmp_path)
    assert [f.name for f in found] == ["step-000001"]
    (found[0] / "weights.safetensors").write_bytes(b"no")
    with pytest.raises(ValueError, match="damaged"):
        checkpoints.read(found[0])


def test_checkpoints_are_in_the_order_of_their_steps(tmp_path: Path) -> None:
    for name in ("step-1000000", "step-999999", "step-000250", "step-000500.partial", "step-old"):
        (tmp_path / name).mkdir()
    found = [p.name for p in checkpoints.found(tmp_path)]
    assert found == ["step-000250", "step-999999", "step-1000000"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mask_rate": 0.0}, "mask rate must lie"),
        ({"mask_rate": 1.0}, "mask rate must lie"),
        ({"copy_weight": -1.0}, "numbers of 0 or more"),
        ({"next_weight": -1.0}, "numbers of 0 or more"),
        ({"learning_rate": float("nan")}, "numbers of 0 or more"),
        ({"steps": 0}, "--steps is 0"),
        ({"save_every": 0}, "--save-every is 0"),
        ({"keep": 0}, "--keep is 0"),
        ({"average": 0}, "--average is 0"),
        ({"threads": 0}, "--threads is 0"),
        ({"texts": ()}, "no text to train on"),
        ({"texts": ((Path("a.txt"), 0.0),)}, "share of a.txt is 0"),
        ({"texts": ((Path("a.txt"), float("inf")),)}, "share of a.txt is inf"),
    ],
)
def test_settings_out_of_range_are_refused(start: Path, text_file: Path, tmp_path: Path, wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        training.train(replace(settings(start, text_file, tmp_path), **wrong))
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_with_more_steps_but_not_with_another_recipe(
    start: Path, text_file: Path, tmp_path: Path
) -> None:
    run = settings(start, text_file, tmp_path, steps=2)
    training.train(run)
    with pytest.raises(ValueError, match="begun with other values of: texts, seed, mask_rate"):
        training.train(replace(run, steps=4, texts=((text_file, 2.0),), seed=1, mask_rate=0.3))
    other = write_text(tmp_path / text_file.name, seed=1)
    with pytest.raises(ValueError, match="begun with other values of: texts"):
        training.train(replace(run, steps=4, texts=((other, 1.0),)))
    with pytest.raises(ValueError, match="has done 2 steps"):
        training.train(replace(run, steps=1))
    training.train(replace(run, steps=4, decay=1, save_every=4, average=2))
    assert [f.name for f in checkpoints.found(run.run)] == ["step-000002", "step-000004"]


def test_a_start_of_another_size_or_kind_is_refused(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import BertConfig, BertForPreTraining

    run = settings(start, text_file, tmp_path, steps=2)
    training.train(run)
    other, kind = tmp_path / "start", tmp_path / "kind"
    for folder in (other, kind):
        shutil.copytree(start, folder)
    config = json.loads((start / "config.json").read_text())
    BertForPreTraining(BertConfig(**(config | {"intermediate_size": 24}))).save_pretrained(other)
    state = run.run / "step-000002" / "state.json"
    state.write_text(state.read_text().replace(str(start), str(other)))
    with pytest.raises(ValueError, match="another model than --start"):
        training.train(replace(run, start=str(other), steps=4))
    weights = load_file(kind / "model.safetensors")
    save_file({f"distil{k}": v for k, v in weights.items()}, kind / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match=r"is no BERT: it lacks bert\.embeddings"):
        training.train(settings(kind, text_file, tmp_path / "b"))


def test_heads_that_the_start_lacks_begin_at_random_but_the_same_each_time(
    start: Path, text_file: Path, tmp_path: Path, capsys
) -> None:
    bare = tmp_path / "start"
    shutil.copytree(start, bare)
    weights = load_file(bare / "model.safetensors")
    save_file(
        {k: v for k, v in weights.items() if "seq_relationship" not in k},
        bare / "model.safetensors",
        metadata={"format": "pt"},
    )
    once, again = (training.train(settings(bare, text_file, tmp_path / name, steps=1)) for name in "ab")
    assert "lacks cls.seq_relationship" in capsys.readouterr().out
    assert (once / "model.safetensors").read_bytes() == (again / "model.safetensors").read_bytes()


def test_a_cut_or_padding_in_the_start_tokenizer_changes_nothing(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    cut = tmp_path / "start"
    shutil.copytree(start, cut)
    tokenizer = AutoTokenizer.from_pretrained(start)
    tokenizer.backend_tokenizer.enable_truncation(3)
    tokenizer.backend_tokenizer.enable_padding(length=8)
    tokenizer.backend_tokenizer.save(str(cut / "tokenizer.json"))
    plain, freed = (training.train(settings(s, text_file, tmp_path / n)) for s, n in ((start, "a"), (cut, "b")))
    assert (plain / "model.safetensors").read_bytes() == (freed / "model.safetensors").read_bytes()
    saved = json.loads((freed / "tokenizer.json").read_text())
    assert saved["truncation"] is saved["padding"] is None


def test_too_little_disk_is_said_before_training(start: Path, text_file: Path, tmp_path: Path, monkeypatch) -> None:
    usage = checkpoints.shutil._ntuple_diskusage(10, 10, 5)
    monkeypatch.setattr(checkpoints.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ValueError, match=r"needs 0\.0 GB and only"):
        training.train(settings(start, text_file, tmp_path))
    assert not (tmp_path / "run").exists()


def test_a_vocabulary_that_does_not_match_is_refused(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import BertTokenizer

    wrong = tmp_path / "wrong"
    shutil.copytree(start, wrong)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (wrong / name).unlink()
    tokens = [*SPECIAL, *WORDS, "extra"]
    BertTokenizer(vocab={t: i for i, t in enumerate(tokens)}, do_lower_case=True).save_pretrained(wrong)
    with pytest.raises(ValueError, match=f"{len(tokens)} pieces and the model {len(tokens) - 1} rows"):
        training.train(settings(wrong, text_file, tmp_path))


def test_the_command_line_reports_errors_in_one_sentence(start: Path, tmp_path: Path, capsys) -> None:
    usual = ["--run", str(tmp_path / "run"), "--out", str(tmp_path / "out"), "--steps", "1", "--threads", "1"]
    assert command.main(["--start", str(start), "--text", "nowhere.txt", *usual]) == 1
    assert "There is no text file nowhere.txt" in capsys.readouterr().err
    assert command.main(["--start", str(tmp_path / "gone"), "--text", "x.txt", *usual]) == 1
    assert "cannot be loaded" in capsys.readouterr().err
    assert pretrain_text.text_argument("a=b.txt=0.5") == (Path("a=b.txt"), 0.5)
    file = tmp_path / "file"
    file.write_text("")
    usual[1] = str(file)
    assert command.main(["--start", str(start), "--text", "x.txt", *usual]) == 1
    assert "File exists" in capsys.readouterr().err
    assert pretrain_text.text_argument("a.txt") == (Path("a.txt"), 1.0)
    assert command.blend_argument("a=0.25") == (Path("a"), 0.25)
    for wrong in ("folder", "a=1", "a=-1", "a=nan"):
        with pytest.raises(argparse.ArgumentTypeError, match="FOLDER=SHARE"):
            command.blend_argument(wrong)
