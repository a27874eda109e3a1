"""Files that are computed from the bundled weights carry their checksum: a stale one fails here."""

import importlib.util
import json
import re
import struct
import zlib
from pathlib import Path
from types import ModuleType

import pytest

from embtools.features.learned import CHANCE, DIRECTIONS, LEARNED, OCCURRENCES, RANDOM_MODEL, about_file
from embtools.models.tuned_lens import FILE, read
from embtools.ui import answers, lenses

ROOT = Path(__file__).parents[1]
BUNDLED = ROOT / "embtools" / "bundled"
REBUILD = "python docs/tools/rebuild.py --text … --start …"
STALE = f"The weights have changed since this file was made: {REBUILD}"


def program(name: str) -> ModuleType:
    """A program of the folder docs/tools as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "tools" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "file", ["embtools/bundled/scores.json", "embtools/bundled/home.json", "embtools/paper/bundled.json"]
)
def test_stored_results_are_those_of_the_weights(bundled, file: str) -> None:  # type: ignore[no-untyped-def]
    assert json.loads((ROOT / file).read_text(encoding="utf-8"))["checksum"] == bundled.checksum, STALE


def test_a_dictionary_is_that_of_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    found = sorted(BUNDLED.glob("dictionary-*.safetensors"))
    assert found and sum(path.stat().st_size for path in found) < 8_000_000
    for path in found:
        about = about_file(path)
        assert about["weights"] == bundled.checksum, STALE
        assert path.name == f"dictionary-{about['layer']}.safetensors" and about["layer"] < bundled.layers


def test_the_tables_of_the_model_card_are_those_of_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    card = (BUNDLED / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(
        r"^The tables below belong to the weights whose checksum begins with ([0-9a-f]{12})", card, re.M
    )
    assert line == bundled.checksum[:12], STALE
    assert card.index(line) < card.index("| measure | value |")


def test_the_readme_and_the_model_card_name_the_command_that_rebuilds_everything() -> None:
    """The options are those that the command requires."""
    for path in (BUNDLED / "README.md", ROOT / "README.md"):
        text = path.read_text(encoding="utf-8")
        assert f"`{REBUILD}`" in text, path
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## The bundled model$(.*?)^## ", readme, re.M | re.S)
    assert section and REBUILD in section[1]
    source = (ROOT / "docs" / "tools" / "rebuild.py").read_text(encoding="utf-8")
    assert re.findall(r'add_argument\("(--\w+)".*required=True', source) == re.findall(r"--\w+", REBUILD)


def test_the_model_card_and_explain_give_the_quality_of_the_dictionaries() -> None:
    card = (BUNDLED / "README.md").read_text(encoding="utf-8")
    text = " ".join((ROOT / "pages" / "features.py").read_text(encoding="utf-8").split())
    for path in sorted(BUNDLED.glob("dictionary-*.safetensors")):
        about = about_file(path)
        rows = {row["dictionary"]: row for row in about["quality"]}
        assert f"{about['occurrences']:,} words" in card and f"{about['held_out']:,} other" in card
        for name in (LEARNED, DIRECTIONS, OCCURRENCES, RANDOM_MODEL):
            row = rows[name]
            shares = f"{row['explained']:.0%} | {row['dead']:.0%} | {row['kl_bits']:.2f} | {row['same_answer']:.0%}"
            assert f"| {about['layer']} | {name} | {shares} | {row['similarity']:.2f} |" in card, name
        if about["layer"] == 3:
            own, other = rows[LEARNED], rows[RANDOM_MODEL]
            assert (
                f"in layer 3 it is {own['explained']:.0%}, but {other['explained']:.0%} in a model with random" in text
            )
            similar = (
                f"{own['similarity']:.2f} for the trained model and {other['similarity']:.2f} for the one with random"
            )
            assert f"{similar} weights (random sets of words: {rows[CHANCE]['similarity']:.2f})" in text


def test_the_lens_is_that_of_the_weights_and_the_model_card_gives_its_quality(bundled) -> None:  # type: ignore[no-untyped-def]
    path = BUNDLED / FILE
    assert path.stat().st_size < 2_500_000
    lens = read(path)
    assert lens.about["weights"] == bundled.checksum, STALE
    assert lens.weights.shape == (bundled.layers, bundled.dimensions, bundled.dimensions)
    assert (lens.quality["tuned_lens"] < lens.quality["logit_lens"]).all()
    card = (BUNDLED / "README.md").read_text(encoding="utf-8")
    for name in ("logit_lens", "tuned_lens"):
        assert " | ".join(f"{value:.2f}" for value in lens.quality[name]) in card, name
    text = " ".join(lenses.EXPLAINED.split())
    own, other = (lens.quality[name] for name in ("tuned_lens", "logit_lens"))
    assert (
        f"There, the logit lens after layer 3 is {other[3]:.2f} bits (KL divergence) from the final answers, and the"
        f" tuned lens {own[3]:.2f};" in text
    )
    assert (
        f"after layer 5 the figures are {other[5]:.2f} and {own[5]:.2f}. For comparison, the mean of all answers is"
        f" {lens.kl_mean:.2f}" in text
    )
    assert (other[:2] > lens.kl_mean).all() and own[0] > lens.kl_mean > max(own[1], other[2])
    assert f"{lens.kl_mean:.2f} bits" in card and f"{lens.about['held_out']:,} masks" in card


def test_prepared_answers_are_those_of_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    assert answers.checksum() == bundled.checksum, STALE


def test_the_pictures_show_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    pictures = [*(ROOT / "docs" / "pictures").iterdir()]
    assert len(pictures) == len(program("take_pictures").PAGES) + 1
    for picture in pictures:
        assert bundled.checksum.encode() in picture.read_bytes(), f"{picture.name}: {STALE}"


def test_a_marked_picture_is_still_a_whole_png() -> None:
    """Every chunk has its length, its name, its content and the CRC-32 of both, and the last one is IEND."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    picture = program("take_pictures")
    plain = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"IEND", b"")
    marked, names, at = picture.marked(plain, "5" * 64), [], 8
    while at < len(marked):
        (length,) = struct.unpack(">I", marked[at : at + 4])
        name, content = marked[at + 4 : at + 8], marked[at + 8 : at + 8 + length]
        assert marked[at : at + 12 + length] == chunk(name, content)
        names.append(name)
        at += 12 + length
    assert names == [b"IHDR", b"tEXt", b"IEND"]
    assert b"weights\0" + b"5" * 64 in marked


def test_one_command_rebuilds_every_such_file() -> None:
    """Each step is a module or a program that exists, and the texts and the first checkpoint reach the scoring."""
    rebuild = program("rebuild")
    assert rebuild.absolute("/texts/a.txt=.5") == "/texts/a.txt=.5"
    scoring, paper, *others, prepared, home, picture = rebuild.steps(["/texts/a.txt=.5"], "START", "/folder")
    assert [*scoring] == [
        *("-m", "training.scoring", "bundled", "--text", "/texts/a.txt=.5", "--start", "START"),
        *("--out", "embtools/bundled/scores.json"),
    ]
    assert paper == ["-m", "embtools.paper", "--write"]
    dictionary, lens = others[:-3], others[-3:]
    assert dictionary[0] == ["-m", "embtools.dictionary", "excerpt", "/texts/a.txt", "--out", "/folder/excerpt.txt"]
    written = [step[step.index("--out") + 1] for step in dictionary if "--control" in step]
    assert written == [str(path.relative_to(ROOT)) for path in sorted(BUNDLED.glob("dictionary-*"))]
    held, encoded, fitted = lens  # the lens has a text of its own, that the model was not trained on
    text, folder = (step[step.index("--out") + 1] for step in (held, encoded))
    assert held[:4] == ["-m", "embtools.dictionary", "excerpt", "/texts/a.txt"] and "--held-out" in held
    assert encoded[:3] == ["-m", "embtools.corpus", text] and all(text not in step for step in dictionary)
    masks, out = (fitted[fitted.index(name) + 1] for name in ("--masks", "--out"))
    assert fitted[:3] == ["-m", "embtools.lens", folder] and out == str((BUNDLED / FILE).relative_to(ROOT))
    about = read(BUNDLED / FILE).about
    assert int(masks) == about["masks"] + about["held_out"]
    assert prepared == ["-m", "embtools.ui.prepare_answers"]
    assert (ROOT / home[0]).is_file() and (ROOT / picture[0]).is_file()
