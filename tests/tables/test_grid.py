"""Tables as people have them, for every reader: the same content in other shapes gives the same result."""

import pandas as pd
import pytest

from embtools.arithmetic import rows
from embtools.evidence import pair_files
from embtools.mask_filling import pairs
from embtools.occurrences.corpus import read_corpus
from embtools.pairs import batch
from embtools.probing import items
from embtools.tables import columns, decoding, grid
from embtools.words import groups
from tests.table_shapes import SHAPES

CITIES = pd.DataFrame({"word": ["paris", "lyon", "rome"], "group": ["france", "france", "italy"]})

REVIEWS = pd.DataFrame(
    {"sentence": [f'She said: "No {n}", and left.\nThen; we went.' for n in range(10)], "label": [0, 1] * 5}
)

MINIMAL = pd.DataFrame({"good": ["He is here, now.", "They sing."], "bad": ["He are here, now.", "They sings."]})

FOLLOWING = pd.DataFrame({"first": ["It rained, a lot.", "Hello."], "second": ["The street; wet.", "Bye."]})

EDITS = pd.DataFrame({"sentence": ["Rome is in ___.", "He, too."], "edits": ["rome = italy; in = on", ""]})

PAIRS = pd.DataFrame({"a": ["Rome", "Oslo"], "b": ["Italy", "Norway"]})


@pytest.mark.parametrize("shape", SHAPES)
def test_every_reader_reads_every_shape(shape: str) -> None:
    made = SHAPES[shape]
    assert groups.read_table(made(CITIES)).value == (("france", ("paris", "lyon")), ("italy", ("rome",)))
    found = items.read(made(REVIEWS)).value
    assert [(item.sentence, item.label) for item in found] == [
        (" ".join(s.split()), str(label)) for s, label in REVIEWS.itertuples(index=False)
    ]
    assert pair_files.read(made(MINIMAL)).value.rows == tuple(
        (*row, "all pairs") for row in MINIMAL.to_numpy().tolist()
    )
    assert batch.read(made(FOLLOWING)).value == tuple((*row, None) for row in FOLLOWING.to_numpy().tolist())
    if shape != "one long row":
        assert pairs.read(made(PAIRS)).value == tuple(map(tuple, PAIRS.to_numpy().tolist()))
    if shape != "bar":  # the field separates edits by a bar
        assert rows.read_table(made(EDITS)).value == (
            ("Rome is in ___.", ("rome = italy", "in = on")),
            ("He, too.", ()),
        )
    text = decoding.decode(made(REVIEWS))[0]
    assert len(read_corpus(text).sentences) == 10 and "Then; we went." in read_corpus(text).sentences[0]


@pytest.mark.parametrize(("read", "text", "count", "note"), [
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in (*range(10), 3)), 10, "it occurs before: line 12 ('s3')"),
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)) + "\ns3,a", 10, "with another label: line 12"),
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)) + "\nlost,", 10, "the label is missing: line 12 ('lost')"),
    (items.read, "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)) + "\nlost,c", 10, "'c' (1)"),
    (groups.read_table, "red,a\nblue,a\nred,b\npink,", 1, "occurs before: line 4 ('red')"),
    (groups.read_table, 'red,a\n"a, b",a\nblue,a', 1, "a comma, a colon or a line break: line 3"),
    (pair_files.read, "He is.,He are.\nx.,x.\nA.,B.", 2, "both sentences are the same: line 3 ('x.')"),
    (pair_files.read, "He is.,He are.\nx.,\nHe is.,He are.\nA.,B.", 2, "bad is missing or empty: line 3 ('x.')"),
    (batch.read, "A.,B.\nC.,\nD.,E.", 2, "a sentence is missing or there are too many bars: line 3 ('C.')"),
    (pairs.read, "Rome,Italy\nParis,\nOslo,Norway", 2, "there are not two words: line 3 ('Paris,')"),
    (rows.read_table, "Rome is ___.\na|b\nx ___.", 2, "it contains “|”: line 3"),
])  # fmt: skip
def test_one_flaw_is_named_and_the_rest_is_used(read, text: str, count: int, note: str) -> None:  # type: ignore[no-untyped-def]
    head = {
        items.read: "sentence,label", groups.read_table: "word,group", pair_files.read: "good,bad",
        batch.read: "first,second", pairs.read: "a,b", rows.read_table: "sentence",
    }[read]  # fmt: skip
    for source in (f"{head}\n{text}", f"{head}\n{text}\n".encode()):
        found = read(source)
        assert len(getattr(found.value, "rows", found.value)) == count
        assert note in " ".join(found.notes)


@pytest.mark.parametrize("more", ["", "\nnonsense", '\n{"sentence_good": "A", "sentence_bad": "A"}', '\n{"x": 1}'])
def test_minimal_pairs_in_the_shapes_of_published_files(more: str) -> None:
    line = '{"sentence_good": "He is.", "sentence_bad": "He are.", "UID": "verbs"}'
    found = pair_files.read(f"{line}{more}")
    assert found.value.rows == (("He is.", "He are.", "verbs"),) and bool(found.notes) == bool(more)
    assert pair_files.read(f"[\n {line}\n]").value == found.value
    stereotypes = '{"id": 0, "sent_more": "A man.", "sent_less": "A cat.", "bias_type": 4}\n' * 2
    assert pair_files.read(stereotypes).value == pair_files.PairList("stereotype", (("A man.", "A cat.", "4"),) * 2)


def test_json_that_is_broken_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="cannot be read: line 1"):
        grid.read('{"a": 1', most=10)
    assert columns.has_columns('[{"Word": "a", "GROUP": "b"}]', groups.COLUMNS)
