"""Prepared answers: they are those of the weights, what is shown at once, and equal to what the library computes."""

import json
import logging
import math
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embtools import memory, values
from embtools.models.catalogue import BUNDLED
from embtools.ui import answers, prepare_answers
from embtools.ui.call import Call
from embtools.ui.evidence import battery
from embtools.ui.shown import Model
from tests.visit import Visit

PARTS = 6


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The prepared answers of the release, and an empty cache."""
    monkeypatch.setenv("EMBTOOLS_PREPARED", "1")
    answers.forget()
    memory.forget()
    yield
    monkeypatch.undo()
    answers.forget()
    memory.forget()


def words(first: str, second: str) -> str:
    """A query of a test."""
    return f"{first} and {second}"


def capitalised(word: str) -> str:
    """Another query of a test, without an answer in any file."""
    return word.upper()


QUERY = Call(words, first="a", second="b")


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file with the answer to a single query, which no computation gives."""
    monkeypatch.setenv("EMBTOOLS_PREPARED", "1")
    monkeypatch.setattr(answers, "FILE", tmp_path / "answers.zip")
    name = answers.name(QUERY, "")
    answers.write([(name, QUERY, "from the file")], "weights")
    memory.forget()
    yield answers.FILE
    monkeypatch.undo()
    answers.forget()
    memory.forget()


def test_a_prepared_answer_is_not_computed(one: Path) -> None:
    before = memory.counts().times.get(f"{__name__}.words", 0)
    assert Model(BUNDLED).has_computed(QUERY)
    assert Model(BUNDLED).compute(QUERY) == "from the file"
    assert Model(BUNDLED).compute(QUERY.but(second="c")) == "a and c"
    assert not Model(BUNDLED).has_computed(QUERY.but(second="d"))
    assert memory.counts().times.get(f"{__name__}.words", 0) == before + 1
    assert answers.checksum() == "weights"


def test_a_host_can_turn_them_off(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBTOOLS_PREPARED", "0")
    assert not Model(BUNDLED).has_computed(QUERY)
    assert Model(BUNDLED).compute(QUERY) == "a and b"


def test_only_queries_of_functions_with_answers_are_looked_up(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> str:
        raise AssertionError("its arguments may be a large file")

    monkeypatch.setattr(answers, "name", refuse)
    assert not answers.has(Call(capitalised, word="a"), "") and answers.find(Call(capitalised, word="a"), "") is None
    with pytest.raises(AssertionError, match="large file"):
        answers.has(QUERY, "")


def test_equal_answers_give_equal_files(one: Path) -> None:
    first = one.read_bytes()
    answers.write([(answers.name(QUERY, ""), QUERY, "from the file")], "weights")
    assert one.read_bytes() == first


def test_the_name_of_a_query_is_the_same_however_it_is_written() -> None:
    assert answers.name(Call(words, second="b", first="a"), "") == answers.name(QUERY, "")
    assert answers.name(QUERY.but(second="c"), "") != answers.name(QUERY, "")
    assert answers.name(QUERY, "of a model") != answers.name(QUERY, "")
    assert answers.name(QUERY.but(second=object()), "") == ""


@pytest.mark.slow
def test_the_name_of_a_query_is_the_same_in_every_process() -> None:
    code = (
        "from embtools.corpus.sentences import similar_sentences; from embtools.occurrences.corpus import built_in_corpus;"
        "from embtools.ui import answers; from embtools.ui.call import Call;"
        "print(answers.name(Call(similar_sentences, corpus=built_in_corpus(), sentence='x', combination='last'), ''))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1 and len(found.pop().strip()) == 32


def test_answers_of_other_pages_can_stay(one: Path) -> None:
    other = Call(capitalised, word="a")
    answers.write([(answers.name(other, ""), other, "A")], "weights", lambda function: function.endswith(".words"))
    assert {query.split("(")[0]: answer for _, query, answer in answers.every()} == {
        "words": "from the file",
        "capitalised": "A",
    }
    assert Model(BUNDLED).has_computed(QUERY) and Model(BUNDLED).has_computed(other)
    answers.write([], "weights", lambda function: function.endswith(".capitalised"))
    assert not Model(BUNDLED).has_computed(QUERY) and Model(BUNDLED).has_computed(other)


def test_pages_that_do_not_exist_are_not_prepared() -> None:
    with pytest.raises(SystemExit, match="There is no page colours. Pages: lessons, "):
        prepare_answers.main(["bias", "colours"])


def test_answers_of_other_weights_do_not_stay(one: Path) -> None:
    with pytest.raises(SystemExit, match="all pages"):
        prepare_answers.main(["bias"])


@pytest.mark.parametrize("damage", ["no file", "no archive", "no answer", "of another version"])
def test_what_cannot_be_read_is_computed(one: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    with zipfile.ZipFile(one) as file:
        (name,) = set(file.namelist()) - {"about.json"}
        about = file.read("about.json")
    if damage == "no file":
        one.unlink()
    elif damage == "no archive":
        one.write_bytes(b"PK")
    else:
        entry = "{" if damage == "no answer" else json.dumps({"answer": {"kind": "of the future"}})
        with zipfile.ZipFile(one, "w") as file:
            file.writestr("about.json", about)
            file.writestr(name, entry)
    answers.forget()
    with caplog.at_level(logging.WARNING):
        assert Model(BUNDLED).compute(QUERY) == "a and b"
    assert len(caplog.records) == 1 and "computed" in caplog.text


@pytest.mark.slow
def test_a_tab_with_a_prepared_answer_shows_it_without_computing(prepared: None) -> None:
    name = "embtools.evidence.batteries.battery"
    before = memory.counts().times.get(name, 0)
    first = Visit("evidence")
    assert memory.counts().times.get(name, 0) == before
    found = Model(BUNDLED).compute(battery.FIRST)
    assert found.headline in first.texts
    first.put(battery.COUNT.key, 2)  # another query is computed
    assert memory.counts().times.get(name, 0) == before + 1


@pytest.mark.slow
def test_every_answer_can_be_read(prepared: None) -> None:
    """As an object of the class whose fields were stored: stored again, it is the same."""
    count = 0
    for imports, query, answer in answers.every():
        assert values.to_json(values.from_json(answer)) == answer, query
        assert imports.startswith("from embtools.") and "(" in query
        count += 1
    assert count > 20
    assert answers.FILE.stat().st_size < 6_000_000


# The same again


def differences(stored: Any, computed: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield each part of two stored values in which they differ by more than processors do."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        if stored.get("kind") == computed.get("kind") == "array" and "bytes" in stored:
            yield from _arrays(stored, computed, path)
            return
        if stored.keys() != computed.keys():
            yield path, stored.keys(), computed.keys()
            return
        for key in stored:
            yield from differences(stored[key], computed[key], f"{path}.{key}")
    elif isinstance(stored, list) and isinstance(computed, list):
        if len(stored) != len(computed):
            yield path, len(stored), len(computed)
            return
        for number, (one, other) in enumerate(zip(stored, computed, strict=True)):
            yield from differences(one, other, f"{path}[{number}]")
    elif isinstance(stored, float) and isinstance(computed, float):
        if not math.isclose(stored, computed, rel_tol=1e-3, abs_tol=1e-4):
            yield path, stored, computed
    elif stored != computed:
        yield path, stored, computed


def _arrays(stored: Any, computed: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    one, other = values.from_json(stored), values.from_json(computed)
    if one.dtype != other.dtype or one.shape != other.shape:
        yield path, (one.dtype, one.shape), (other.dtype, other.shape)
    elif one.dtype.kind == "f":
        far = ~np.isclose(one, other, rtol=1e-3, atol=1e-4, equal_nan=True)
        yield from ((path, a, b) for a, b in zip(one[far].tolist(), other[far].tolist(), strict=True))
    elif (one != other).any():
        yield from ((path, a, b) for a, b in zip(one[one != other], other[one != other], strict=True))


def size(stored: Any) -> int:
    """The number of numbers and texts in a stored value."""
    if isinstance(stored, dict):
        if "bytes" in stored:
            return math.prod(stored["size"])
        return sum(map(size, stored.values()))
    return sum(map(size, stored)) if isinstance(stored, list) else 1


def test_differences_are_found() -> None:
    array = values.to_json({"a": np.array([1.0, 2.0, np.nan]), "b": ("x", 1.0)})
    close = values.to_json({"a": np.array([1.0001, 2.0, np.nan]), "b": ("x", 1.0001)})
    other = values.to_json({"a": np.array([1.1, 2.0, 0.0]), "b": ("y", 1.1)})
    assert not list(differences(array, close))
    assert len(list(differences(array, other))) == 4
    assert list(differences(array, values.to_json({"a": np.array([1.0]), "b": ("x", 1.0)})))
    assert size(array) > 5


def checked(all_answers: list[tuple[str, str, Any]]) -> list[tuple[str, str, Any]]:
    """The shortest answer of each function, which shows a change of its code."""
    if os.environ.get("EVERY_ANSWER"):
        return all_answers
    by_function: dict[str, list[tuple[str, str, Any]]] = {}
    for answer in all_answers:
        by_function.setdefault(answer[1].partition("(")[0], []).append(answer)
    return [min(some, key=lambda answer: (size(answer[2]), answer[1])) for some in by_function.values()]


def part_of(all_answers: list[tuple[str, str, Any]], part: int) -> list[tuple[str, str, Any]]:
    """A share of the answers: those with the same imports stay together, because they share steps that are cached."""
    ordered = sorted(all_answers, key=lambda answer: answer[:2])
    return ordered[part * len(ordered) // PARTS : (part + 1) * len(ordered) // PARTS]


def test_the_parts_are_all_answers() -> None:
    some = [("from a import b", f"b({n})", n) for n in range(10)]
    assert [answer for part in range(PARTS) for answer in part_of(some[::-1], part)] == some


def test_each_function_is_checked_and_all_answers_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [("from a import b, c", query, answer) for query, answer in (("b(1)", [1, 2]), ("b(2)", [1]), ("c()", 1))]
    monkeypatch.delenv("EVERY_ANSWER", raising=False)
    assert checked(some) == some[1:]
    monkeypatch.setenv("EVERY_ANSWER", "1")
    assert checked(some) == some


@pytest.mark.thorough("0", "2", "3", "5")
@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_what_the_library_computes(prepared: None, bundled: Any, part: int) -> None:
    """Its query, as Python, gives the same again. Few values may differ: processors round differently, and then ranks
    and samples change. `EVERY_ANSWER=1` checks all answers instead of one for each function."""
    for imports, query, answer in part_of(checked(list(answers.every())), part):
        names: dict[str, Any] = {"model": bundled}
        exec(f"{imports}\nanswer = {query}", names)
        computed = values.to_json(names["answer"])
        found = list(differences(answer, computed))
        assert len(found) <= 0.01 * size(answer) + 2, (query, len(found), size(answer), found[:10])
