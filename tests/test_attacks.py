"""1,000 inputs of attackers through the app's own entry points: links, uploads, rooms, and files of lessons.

Markdown, HTML, scripts, control characters, formulas of spreadsheets, zip bombs, path-like names and huge numbers: each is
read, or refused with a sentence, and meanwhile nothing is fetched, written or executed (see `watched`). `EVERY_ATTACK=1`
makes ten times as many.
"""

import ast
import base64
import csv
import importlib
import io
import json
import os
import socket
import subprocess
import sys
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some
from starlette.applications import Starlette
from starlette.testclient import TestClient

from embtools.concepts import items
from embtools.evidence import pair_files
from embtools.lessons import markdown, worksheet
from embtools.lessons.lesson import LessonProblem
from embtools.mask_filling import pairs, typed_input
from embtools.messages import is_formula
from embtools.models.vectors_as_model import Vectors
from embtools.rooms import codes, opening, store
from embtools.rooms.question import Question, typed
from embtools.rooms.rates import Rate
from embtools.rooms.store import MemoryStore
from embtools.ui import figures, panels, presenter, uploads
from embtools.ui.arithmetic import many
from embtools.ui.clusters import words
from embtools.ui.concepts import probe
from embtools.ui.corpora import source
from embtools.ui.evidence import inputs, minimal_pairs
from embtools.ui.lessons import opened, screen, writing
from embtools.ui.menu import PAGES
from embtools.ui.pairs import next_sentence
from embtools.ui.rooms import routes
from embtools.ui.tracing import average
from embtools.vector_files import reading
from embtools.vector_files.reading import read_vectors
from embtools.words import groups, pasted
from tests.visit import Visit
from tests.watched import MARK, watching

CASES = {"links": 300, "pages": 10, "uploads": 300, "phones": 80, "questions": 110, "lessons": 200}
pytestmark = pytest.mark.slow


def cases(name: str) -> Any:
    """So many cases, whatever time each takes."""
    count = CASES[name] * (10 if os.environ.get("EVERY_ATTACK") else 1)
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), database=None)


# What attackers write

BOMB = base64.urlsafe_b64encode(zlib.compress(b"0" * 20_000_000, 9)).decode()
HERE = f"/tmp/{MARK}"
NASTY = some.sampled_from(
    [
        f"<script src=//{MARK}.example></script>", f"<img src=x onerror=fetch('//{MARK}.example')>", f"</style><{MARK}>",
        f"![x](http://{MARK}.example/a.png)", f"[here](javascript:{MARK}())", "**bold** `code` $x^2$ :red[x] :material/home:",
        f"&lt;{MARK}&gt;", f"{{{{ {MARK} }}}}", f"${{{MARK}}}", f"{{{MARK}.__class__}}", "%s%n%x", "{0.__class__.__mro__}",
        f'=HYPERLINK("http://{MARK}.example","x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", "\r=1+1", f"=cmd|'/c {MARK}'!A0",
        f"../../../{MARK}", f"{HERE}/../etc/passwd", "/etc/passwd", f"file://{HERE}", f"C:\\{MARK}", "~root/.ssh", "NUL", "con",
        f"http://{MARK}.example/model", f"s3://{MARK}/bucket", f"hf://{MARK}/model", f"__import__('os').system('{MARK}')",
        f"; touch {HERE};", f"$(touch {HERE})", f"`touch {HERE}`", f"| touch {HERE}", f"'; DROP TABLE {MARK}; --",
        "\x00", "\x1b[2J", "\u202e\u2066", "\ufeff", "\ud7ff", "a\u0300" * 50, "\x85\u2028", "\x07" * 9, "😀" * 20, "ﷺ" * 30,
        "1e400", "9" * 400, "-1", "NaN", "inf", "0x7fffffffffffffff", "1_000", "٣", "1" + "0" * 4_000, "-0.0", "1e-400",
        "x" * 7_000, "[MASK] " * 300, "(" * 500, "a = " + "b + " * 400 + "c", "|" * 300, "\n" * 300, "," * 2_000, '"' * 99,
        "true", "null", "[]", "{}", "---", "***", "# ", "## 1", "```", ":::", "::", "- [ ] ", "* ", BOMB[:3_000],
    ]
)  # fmt: skip
TEXT = some.lists(some.one_of(NASTY, some.text(max_size=20)), min_size=1, max_size=4).map("".join)


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that attackers name by its path; modules that are imported late are not compiled to disk meanwhile."""
    path = tmp_path_factory.mktemp(MARK) / "secret.txt"
    path.write_text("secret")
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    yield path
    sys.dont_write_bytecode = before


@pytest.mark.parametrize(
    "act",
    [
        lambda path: path.read_text(), lambda path: path.write_text("x"), lambda path: path.unlink(),
        lambda path: (path.parent / "new").mkdir(), lambda path: subprocess.run(["true"]), lambda path: eval(f"'{MARK}'"),
        lambda path: socket.socket().connect_ex(("127.0.0.1", 9)), lambda path: zipfile.ZipFile(path, "w").close(),
    ],
)  # fmt: skip
def test_what_is_read_written_fetched_or_executed_is_detected(act: Any, tmp_path: Path) -> None:
    path = tmp_path / "bait.txt"
    path.write_text("x")
    with pytest.raises(AssertionError), watching(path):
        act(path)
    with watching(path):
        json.loads("[1]")


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))


def harmless(text: str) -> None:
    """No tag of this HTML comes from an attacker, and none runs or loads anything from elsewhere."""
    for tag, attributes in Tags(text).found:
        assert MARK not in tag and tag not in ("script", "iframe", "object", "embed", "base"), tag
        assert not [name for name in attributes if name.startswith("on") or MARK in name], attributes
        assert not [name for name in ("src", "href", "action") if MARK in (attributes.get(name) or "")], attributes


# Links

FIELDS = [
    field for page in PAGES for panel in panels.of(page.name).values() for field in panel.FIELDS
] + [*opened.FIELDS, presenter.PRESENT, figures.TABLES, figures.PICTURE]  # fmt: skip


@cases("links")
@given(data=some.data())
def test_a_link_sets_fields_only_to_values_that_they_allow(bait: Path, data: some.DataObject) -> None:
    field = data.draw(some.sampled_from(FIELDS))
    parts = data.draw(some.lists(some.one_of(TEXT, some.just(str(bait))), min_size=1, max_size=3))
    with watching(bait):
        value = field.read(parts)
        again = field.read(field.write(value))
    assert again == value and type(again) is type(value), (field.key, parts)


@pytest.mark.usefixtures("visit", "as_shipped")
@cases("pages")
@given(data=some.data())
def test_a_page_opened_by_such_a_link_shows_a_result_or_says_why_not(bait: Path, data: some.DataObject) -> None:
    page = data.draw(some.sampled_from(PAGES)).name
    panel = data.draw(some.sampled_from([*panels.of(page).items()] or [("", None)]))
    names = [field.key for field in panel[1].FIELDS] if panel[1] else [field.key for field in opened.FIELDS]
    query = data.draw(
        some.dictionaries(some.sampled_from([*names, "model", "guess_first", "present", "steps"]), TEXT, max_size=3)
    )
    short = {key: value[:600] for key, value in query.items()}  # long texts only take longer
    with watching(bait):
        shown = Visit(page, **{f"{page}_tab": panel[0], **short})
    for element in shown.test.get("html"):
        harmless(element.proto.body)


# Uploads


def saved(array: Any) -> bytes:
    """An array as numpy saves it, objects as a pickle."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


ARRAY = saved(np.arange(6.0).reshape(3, 2))


UPLOADS: dict[str, int | None] = {"uploads.field": 3, "uploads.table": 2, "st.file_uploader": None}
"""The position of the reader among the arguments of each function that draws a field."""


def vectors(kind: str) -> Any:
    """Read a file of word vectors of this kind under a path-like name."""
    return lambda data: _looked_up(
        read_vectors(data, f"../../{MARK}{kind}", names=b"red\nblue\ngreen", names_name=f"../{MARK}.txt")
    )


def names(data: bytes) -> dict[str, Any]:
    """Read a file of names for an array of three rows."""
    return _looked_up(read_vectors(ARRAY, "a.npy", names=data, names_name=f"../../{MARK}.csv"))


def _looked_up(found: Vectors) -> dict[str, Any]:
    return {f"{word}{i}": float(found.matrix[i].sum()) for i, word in enumerate(found.names[:50])}


READ = {
    "arithmetic": many._read, "pairs": next_sentence._read, "clusters": words._read, "concepts": probe._read, "corpus": source._file,
    "evidence": inputs.read_file, "minimal pairs": minimal_pairs.read_file, "lessons": screen._read,
    "tracing": average._read, "writing": writing._read, "presentation": presenter._opened, "names": names,
    **{f"vectors {kind}": vectors(kind) for kind in reading.KINDS},
}  # fmt: skip


def test_every_upload_of_the_app_is_attacked() -> None:
    """Whoever adds an upload adds its reader here; Vectors of has fields of its own, for two files."""
    ui = Path(uploads.__file__).parent
    readers, own = set(), set()
    for path in ui.rglob("*.py"):
        name = "embtools.ui." + ".".join(path.relative_to(ui).with_suffix("").parts)
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or (function := ast.unparse(call.func)) not in UPLOADS:
                continue
            if (at := UPLOADS[function]) is None:
                own.add(name)
            else:
                readers.add(vars(importlib.import_module(name))[ast.unparse(call.args[at])])
    assert readers == {read for read in READ.values() if read.__module__ != __name__}
    assert own == {"embtools.ui.uploads", "embtools.ui.vectors_of"}


COLUMNS = (
    "sentence,edits",
    "first,second",
    "first,second,label",
    "word,group",
    "sentence,word,label",
    "a,b",
    "good,bad,phenomenon",
    "",
)


def zipped(text: str) -> bytes:
    """A zip file with a path-like name and much content."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"../../{MARK}", text * 100)
    return file.getvalue()


CELLS = some.lists(some.lists(TEXT, min_size=1, max_size=3), max_size=4)


def array_file(head: str, body: bytes, version: int = 1) -> bytes:
    """A .npy file with any text as its head."""
    text = head.encode("utf-8", "replace")[: 65_000 if version == 1 else None]
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2 if version == 1 else 4, "little") + text + body


class Runs:
    """Whoever unpickles this executes a command."""

    def __reduce__(self) -> Any:
        return os.system, (f"touch {HERE}",)


KIND = some.one_of(some.sampled_from(["<f4", "<f8", "|O", "<U9", "|S3", "<i8", "V8", "<c16", "<M8[D]"]), NASTY)
SIZE = some.one_of(some.integers(0, 4), some.sampled_from([-1, 2**31, 2**63, 10**30, 20_000]), NASTY)
HEAD = some.tuples(KIND, some.lists(SIZE, max_size=3), some.sampled_from([False, True, "x"])).map(
    lambda made: repr({"descr": made[0], "fortran_order": made[2], "shape": tuple(made[1])}) + "\n"
)
ARRAYS = some.one_of(
    some.builds(array_file, some.one_of(HEAD, TEXT), some.binary(max_size=100), some.sampled_from([1, 2, 3])),
    some.lists(some.lists(some.floats(width=32), min_size=2, max_size=2), min_size=3, max_size=3).map(
        lambda rows: saved(np.array(rows, np.float32))
    ),
    some.just(saved(np.array([[Runs(), Runs()]] * 3, dtype=object))),
)
NUMBERS = some.one_of(some.integers(-(10**40), 10**40).map(str), some.floats().map(repr), NASTY)
VECTORS = some.tuples(
    some.lists(some.tuples(TEXT, NUMBERS, NUMBERS), max_size=5), some.sampled_from([",", " ", "\t"])
).map(lambda made: "\n".join(made[1].join(row) for row in made[0]).encode("utf-8", "replace"))
FILES = some.one_of(
    ARRAYS,
    VECTORS,
    some.deferred(lambda: some.one_of(LESSON, spoilt())).map(lambda text: text.encode("utf-8", "replace")),
    some.tuples(some.sampled_from(COLUMNS), CELLS, some.sampled_from([",", ";", "\t"])).map(
        lambda made: "\n".join([made[0], *(made[2].join(row) for row in made[1])]).encode("utf-8", "replace")
    ),
    some.binary(max_size=200),
    TEXT.map(zipped),
    TEXT.map(lambda text: b"\x1f\x8b" + zlib.compress(text.encode("utf-8", "replace"))),
    TEXT.map(lambda text: text.encode("utf-16", "replace")),
)


@cases("uploads")
@given(page=some.sampled_from([*READ]), data=FILES)
def test_an_uploaded_file_is_read_as_a_table_or_refused(bait: Path, page: str, data: bytes) -> None:
    with watching(bait):
        try:
            values = READ[page](data)
        except ValueError as error:
            assert 10 < len(str(error)) < 1_000 and "Traceback" not in str(error), error
            return
    plain = (str, int, float, bool, type(None))
    cells = [cell for value in values.values() for cell in (value if isinstance(value, tuple | list) else (value,))]
    assert all(isinstance(cell, plain) for cell in cells), values


LARGEST = {
    "numbers in lines": ("vectors .txt", lambda: b"a 1 2\n" * 1_600_000), "rows": ("vectors .csv", lambda: b"a,1\n" * 2_500_000),
    "cells": ("vectors .csv", lambda: b"," * 10_000_000), "quotation marks": ("vectors .tsv", lambda: b'"' * 10_000_000),
    "one line": ("vectors .vec", lambda: b"a " * 5_000_000), "lines": ("vectors .txt", lambda: b"a\n" * 5_000_000),
    "array": ("vectors .npy", lambda: saved(np.zeros((1_200_000, 1)))), "names": ("names", lambda: b"red\n" * 2_500_000),
    "brackets": ("vectors .npy", lambda: array_file("(" * 9_000_000, b"", 2)),
    "digits": ("vectors .npy", lambda: array_file("9" * 9_000_000, b"", 3)),
    "promise": (
        "vectors .npy",
        lambda: array_file("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 10000000000)}\n", b"0" * 9_000_000),
    ),
    "JSON lists": ("minimal pairs", lambda: b"[" * 8_000_000), "JSON objects": ("minimal pairs", lambda: b'{"a":' * 1_600_000),
    "bad pairs": ("minimal pairs", lambda: b"good,bad\n" + b",x\n" * 2_660_000),
    "same pairs": ("minimal pairs", lambda: b"good,bad\n" + b"a,b\n" * 1_990_000),
    "many pairs": ("minimal pairs", lambda: b"good,bad\n" + b"".join(b"%d,b\n" % n for n in range(900_000))),
    "empty rows": ("minimal pairs", lambda: b"good,bad\n" + b"\n" * 7_990_000),
    "columns": ("minimal pairs", lambda: b"ab," * 2_660_000), "one row": ("minimal pairs", lambda: b"good,bad\n" + b"ab," * 2_660_000),
    "BLiMP lines": ("minimal pairs", lambda: b'{"sentence_good":"a","sentence_bad":"b"}\n' * 195_000),
    "bad BLiMP lines": ("minimal pairs", lambda: b'{"a":0}\n' * 990_000), "empty BLiMP lines": ("minimal pairs", lambda: b'{"sentence_good":"a","sentence_bad":"b"}' + b"\n" * 7_950_000),
    "StereoSet": ("minimal pairs", lambda: b'{"data":{"intrasentence":[' + b'{"sentences":[]},' * 470_000 + b"{}]}}"),
    "pairs": ("tracing", lambda: b"a,b\n" * 500_000),
    "digits of a cell": ("vectors .csv", lambda: b"word,x,y\na,1,2\nb,1,2\nc,1," + b"1" * 9_000_000 + b"x\n"),
    "gaps in words": ("vectors .txt", lambda: (b"a" + b" " * 98 + b"1" * 99 + b"x 0.1 0.2\n") * 20_000),
    "a line of words": ("vectors .txt", lambda: (b"a" + b" 1" * 2_000 + b"\n") * 300 + b"a" + b" x" * 2_000_000 + b"\t1" * 2_000),
}  # fmt: skip


@contextmanager
def _refused_or_read() -> Iterator[None]:
    """What is too much is left out with a note; a file of which nothing can be used is refused in a few words."""
    try:
        yield
    except ValueError as error:
        assert 10 <= len(str(error)) <= 1_000 and "\n" not in str(error)


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_files_are_read_or_refused_within_seconds(bait: Path, name: str) -> None:
    page, made = LARGEST[name]
    data, began = made(), time.process_time()
    with watching(bait), _refused_or_read():
        READ[page](data)
    assert time.process_time() - began < 10


TYPED: dict[str, tuple[Callable[[str], object], str]] = {
    "spaces in brackets": (typed_input.unknown_gap, "Rome (" + " " * 4_900 + "x"),
    "spaces after a gap": (typed_input.normalise_masks, "a ..." + " " * 4_900 + "x"),
    "spaces after quotation marks": (pairs.read, '""' + " " * 39_000 + "x"),
    "spaces after brackets": (pairs.read, "()" + " " * 39_000 + "x"),
    "spaces before a word": (pasted.words, " " * 60_000 + "a"),
    "a bullet": (pasted.words, "-" + " " * 60_000 + "!"),
    "lines before a list": (pasted.words, "\n" * 60_000 + "[a]"),
    "quotation marks": (pasted.words, "[" + '"x"' * 20_000),
    "open quotation marks": (pasted.words, '"a,' * 20_000),
    "apostrophes": (pasted.words, "'a," * 20_000),
    "brackets": (pasted.words, "[" * 30_000 + "]" * 30_000),
    "a long word": (groups.read_groups, "a" * 60_000),
    "spaces in a group": (groups.read_groups, "a" + " " * 59_000 + "b"),
    "empty lines": (items.read, "a" + "\n" * 190_000 + "b"),
}


@pytest.mark.parametrize(("read", "text"), TYPED.values(), ids=TYPED)
def test_what_is_typed_takes_no_more_time_than_its_length(read: Callable[[str], object], text: str) -> None:
    began = time.process_time()
    with _refused_or_read():
        read(text)
    assert time.process_time() - began < 4


@pytest.mark.thorough("empty rows")
@pytest.mark.parametrize("name", [name for name, (page, _) in LARGEST.items() if page == "minimal pairs"])
def test_the_largest_lists_of_minimal_pairs_take_little_memory(name: str) -> None:
    data = LARGEST[name][1]()
    assert 7_900_000 < len(data) <= pair_files.MAX_BYTES
    data = data[: len(data) // 8]  # counting what is in memory takes twenty times as long as reading
    tracemalloc.start()
    try:
        with _refused_or_read():
            minimal_pairs.read_file(data)
        assert tracemalloc.get_traced_memory()[1] < 300_000_000 / 8
    finally:
        tracemalloc.stop()


# Rooms


@pytest.fixture(scope="module")
def room() -> Iterator[tuple[MemoryStore, str, str, TestClient, str]]:
    """A room with a question and a phone: the store, the code, the teacher's key, the addresses, and the phone's token."""
    own = MemoryStore(most=10**6)
    with pytest.MonkeyPatch.context() as patch:
        before = list(opening._opened)
        opening.forget(own)
        for name in [name for name, value in vars(routes).items() if isinstance(value, Rate)]:
            patch.setattr(routes, name, Rate(10**9, 10**9))
        made, key = store.opened(own, page="pairs")
        store.ask(own, made.code, key, Question("Which?", ("a", "b")))
        with TestClient(Starlette(routes=routes.routes())) as web:
            token = web.post("/room/api/join", json={"code": made.code}).json()["token"]
            yield own, made.code, key, web, token
        opening.forget(*before)


JSON = some.recursive(
    some.one_of(TEXT, some.integers(), some.floats(), some.none(), some.booleans(), some.integers(10**30, 10**40)),
    lambda inner: some.one_of(some.lists(inner, max_size=3), some.dictionaries(some.sampled_from(["number", "choice", "code"]), inner)),
    max_leaves=5,
)  # fmt: skip


@cases("phones")
@given(path=TEXT, body=some.one_of(JSON.map(lambda given: json.dumps(given).encode()), some.binary(max_size=400)))
def test_a_request_of_a_phone_is_answered_or_refused(bait: Path, room: Any, path: str, body: bytes) -> None:
    rooms, code, _, web, token = room
    name = "".join(f"%{byte:02x}" for byte in path.encode("utf-8", "replace")[:300])
    with watching(bait):
        answers = [
            web.get(f"/room/{name}"), web.get(f"/room/files/{name}"), web.post("/room/api/join", content=body),
            web.get(f"/room/api/{name}/state", headers={"x-room-token": token}),
            web.post(f"/room/api/{code}/vote", content=body, headers={"x-room-token": token}),
        ]  # fmt: skip
    assert {answer.status_code for answer in answers} <= {200, 404, 405, 409}
    assert all(MARK not in answer.text for answer in answers)
    counts = rooms.counts(code, 1)
    assert set(counts) <= {0, 1} and sum(counts.values()) <= rooms.people(code)
    assert (room_now := rooms.load(code)) is not None and room_now.number == 1


@cases("questions")
@given(text=TEXT, choices=some.lists(TEXT, max_size=5), page=TEXT)
@example(text="Which?", choices=["a", "b"], page="?")
@example(text="Which?", choices=["a", "b"], page="?words=red")
def test_a_teachers_question_is_shown_as_text_and_its_csv_has_no_formula(
    bait: Path, room: Any, text: str, choices: list[str], page: str
) -> None:
    rooms = room[0]
    with watching(bait):
        made, key = store.opened(rooms)
        try:
            asked = store.ask(rooms, made.code, key, Question(text, typed(choices)))
            rooms.join(made.code, codes.digest("phone"))
            rooms.vote(made.code, codes.digest("phone"), 1, 0)
            table = figures.csv(store.reveal(rooms, made.code, key, 1).table())
        except ValueError as error:
            assert 10 < len(str(error)) < 1_000
            table, asked = "", None
        try:
            handed = store.hand_out(rooms, made.code, key, page).page
        except ValueError:
            handed = ""
        store.close(rooms, made.code, key)

    assert not [cell for row in csv.reader(io.StringIO(table)) for cell in row if is_formula(cell)]
    # A page of this app, whose name is empty for Home: no other host, no other scheme, no path upwards.
    name = handed.partition("?")[0]
    assert not name or name.isalpha()
    if asked and asked.question:
        assert json.loads(json.dumps(asked.face))["text"] == asked.question.text


# Lessons

PART = some.one_of(
    TEXT, some.sampled_from(["title", "minutes: 12", "shows: pairs", "question: x", "- [x] yes", "- [ ] no", "## Step"])
)
LESSON = some.lists(PART, max_size=14).map("\n".join)
BUNDLED = (Path(opened.bundled.__file__).parent / "files").glob("*.md")
TEMPLATES = [path.read_text(encoding="utf-8") for path in sorted(BUNDLED)]


@some.composite
def spoilt(draw: some.DrawFn) -> str:
    """The file of a lesson with some lines replaced by what attackers write."""
    lines = draw(some.sampled_from(TEMPLATES)).splitlines()
    for _ in range(draw(some.integers(1, 4))):
        at = draw(some.integers(0, len(lines) - 1))
        key = lines[at].partition(":")[0]
        lines[at] = draw(some.sampled_from([f"{key}: ", "", f"{lines[at]} ", "- [x] ", "## "])) + draw(TEXT)
    return "\n".join(lines)


@cases("lessons")
@given(
    text=some.one_of(LESSON, spoilt(), spoilt()),
    code=some.one_of(TEXT, some.just(BOMB), some.text("ABCxyz-_019", max_size=80)),
)
def test_a_file_or_a_link_of_a_lesson_runs_and_loads_nothing(bait: Path, text: str, code: str) -> None:
    with watching(bait):
        for read in (lambda: markdown.read_file(text.encode("utf-8", "replace")), lambda: markdown.decode(code)):
            try:
                lesson = read()
                values = opened.values_of(lesson)
                page = worksheet.html(lesson, address=code)
            except LessonProblem as problem:
                assert 10 < len(str(problem)) < 1_000
                continue
            harmless(page)
            assert set(values) and markdown.parse(markdown.write(lesson)) == lesson
