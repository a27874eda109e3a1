"""The style of the interface's sentences, found in the source: labels, captions, headlines, glossary, old phrases."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from embtools import wordlists
from embtools.ui import glossary, menu

ROOT = Path(__file__).parents[1]
INTERFACE = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "embtools/ui").rglob("*.py"))]
LIBRARY = [path for path in sorted((ROOT / "embtools").rglob("*.py")) if path not in INTERFACE]
COMMAND_LINE = [  # what these print
    *(path for path in LIBRARY if path.name == "__main__.py"),
    *sorted((ROOT / "training").rglob("*.py")),
]
NUMBERS = [path for path in LIBRARY if path not in COMMAND_LINE]
LESSONS = sorted((ROOT / "embtools/lessons/files").glob("*.md"))
DOCUMENTS = [ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md", "embtools/bundled/README.md")] + [
    ROOT / "docs" / f"{name}.md" for name in ("columns", "corpora", "hosting", "pocket-model")
]

# Which argument of a call is a label, or another text for visitors. Calls are recognised by their last name.
LABELS = {
    **dict.fromkeys(
        "badge button checkbox download_button expander file_uploader metric multiselect number_input pills popover radio"
        " segmented_control select_slider selectbox slider text_area text_input toggle".split(),
        0,
    ),
    "choose": 1,
    "requested": 1,
}
CAPTIONS = ("caption",)
NAMES = frozenset(
    "Euclidean France French Italy Ledoit Mantel Python Rome Wolf".split() + [page.title for page in menu.PAGES]
)
"""Words that begin with a capital inside a label."""

# Whole phrases that were replaced in all texts; their tables name what to write instead. Single words are not listed:
# most of them are right somewhere.
REPLACED = (
    "a line a",
    "a mark a",
    "a row a",
    "a winner looks better",
    "above the dealt one",
    "all here is about",
    "answers a sentence",
    "as a click on",
    "as dice do",
    "asked for all the same",
    "asked for, %",
    "axis across",
    "begin again",
    "best guess",
    "between commas",
    "both alike",
    "clusters join by",
    "clusters that nobody named",
    "dealt anew",
    "directions taken away",
    "do as well",
    "do so too",
    "does as well",
    "does it follow sight",
    "does not hang on",
    "does so too",
    "every pair that was asked",
    "fall apart",
    "falls apart",
    "few words →",
    "hold together",
    "is a sign of the model",
    "is an anecdote",
    "is number {}",
    "it is tried on",
    "it was stopped",
    "leaning words",
    "likeliest word",
    "lines of density",
    "look and use",
    "look-up and way back",
    "luck would",
    "map by",
    "merely adding",
    "nothing clear:",
    "of one's own",
    "of yours",
    "one's own",
    "one word piece",
    "only in the eye",
    "parted by",
    "piece is spared",
    "pieces a second",
    "put back at",
    "right way or turned round",
    "same topic are about",
    "sentence is an example",
    "so do zeros",
    "stand below",
    "stand beside",
    "stand in the place",
    "stand together",
    "stands beside",
    "stands in the link",
    "stands in the place",
    "stands together",
    "still the answer",
    "sums of a folder",
    "taken apart",
    "taken away",
    "tells apart",
    "the bluer",
    "the further right, the nearer",
    "the further right the nearer",
    "the longer the line, the more",
    "the more the stronger",
    "the redder",
    "the way back",
    "told apart",
    "told otherwise",
    "weighed anew",
    "what a word looks at",
    "what it takes for what",
    "what you see:",
    "where does it stand",
    "which head does it best",
    "who stands beside whom",
    "without groups beside",
    "words that leaned",
    "would find by luck",
)

_PATTERNS = {  # as whole words
    phrase: re.compile(
        (r"(?<!\w)" if phrase[0].isalpha() else "") + re.escape(phrase) + (r"(?!\w)" if phrase[-1].isalpha() else "")
    )
    for phrase in REPLACED
}

HEADLINE = re.compile(r"(\w+_)?(finding|headline|reading)|two_\w+")
"""Names of functions that return the headline of a view."""


@dataclass(frozen=True)
class Text:
    """A text in the source: "label", "caption" or "text", where it is, and its words; {} means a formatted value."""

    kind: str
    where: str
    words: str


def texts(source: str, name: str) -> Iterator[Text]:
    """All texts of a module except docstrings; those of labels and captions a second time, with their kind."""
    tree = ast.parse(source)
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if node in docstrings or node in inside:
            continue
        if isinstance(node, ast.expr) and (words := _words(node)) is not None:
            yield Text("text", f"{name}:{node.lineno}", words)
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield from _of_call(called, node, name)


def _of_call(called: str, node: ast.Call, name: str) -> Iterator[Text]:
    kind, at = ("caption", 0) if called in CAPTIONS else ("label", LABELS.get(called))
    if ast.unparse(node.func) in ("figures.expander", "state.expander"):
        at = 1  # after its key
    arguments = [node.args[at]] if at is not None and len(node.args) > at else []
    if called == "page_link":
        kind, arguments = "label", [each.value for each in node.keywords if each.arg == "label"]
    for argument in arguments:
        for part in _branches(argument):
            if (words := _words(part)) is not None:
                yield Text(kind, f"{name}:{node.lineno}", words)


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    """Both sides of a conditional expression, and the expression itself otherwise."""
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def _words(node: ast.AST) -> str | None:
    """A constant text, or an f-string with {} for each value; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def wrong_label(words: str) -> str:
    """What is wrong with a label, "" if nothing is.

    A label has no full stop and begins with a capital, a symbol or a value. Inside, only names begin with a capital.
    """
    if words.endswith(".") and not words.endswith("…"):
        return "ends in a full stop"
    if re.match(r"[a-z]\w", words):  # k-means and t-SNE may begin a label
        return "begins with a small letter"
    inside = re.findall(r"(?<![.?!“:·] )(?<!^)\b([A-Z][a-z]+)\b", re.sub(r"“.*?”|\[.*?\]|\{\}", "", words))
    first = re.match(r"\W*(\w+)", words)
    others = [word for word in inside if word not in NAMES and (first is None or word != first[1])]
    return f"has capitals inside: {others}" if others else ""


def opens_wrongly(words: str) -> bool:
    """Whether a caption begins with "You see" or "What you see"."""
    return re.match(r"\W*(what )?you see\b", words, re.IGNORECASE) is not None


def replaced(words: str) -> list[str]:
    """The phrases of `REPLACED` that a text contains, as whole words, outside of quotes."""
    unquoted = re.sub(r"“[^”]*”|\s+", " ", words).lower()
    return [phrase for phrase, pattern in _PATTERNS.items() if pattern.search(unquoted)]


def without_value(source: str) -> list[str]:
    """The headlines of a module that are constant: a headline that reports a measurement contains a value."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef) or not HEADLINE.fullmatch(function.name):
            continue
        if ast.unparse(function.returns or ast.Constant(None)) != "str":
            continue
        values = [node for node in ast.walk(function) if isinstance(node, ast.FormattedValue)]
        returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
        # A sentence of another function or method contains the values there.
        passed_on = all(any(isinstance(part, ast.Call) for part in ast.walk(node)) for node in returned)
        if returned and not values and not passed_on:
            found.append(function.name)
    return found


@cache
def of_file(path: Path) -> tuple[Text, ...]:
    return tuple(texts(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))))


def everywhere(files: list[Path]) -> Iterator[Text]:
    for path in files:
        yield from of_file(path)


@pytest.mark.slow
def test_labels_are_in_sentence_case_without_a_full_stop() -> None:
    assert not [
        f"{text.where} {text.words!r} {wrong}"
        for text in everywhere(INTERFACE)
        if text.kind == "label" and text.words and (wrong := wrong_label(text.words))
    ]


def test_tabs_are_in_sentence_case_and_examples_have_no_full_stop() -> None:
    """An example may be named by the words that it is about, so it may begin with a small letter."""
    wrong = []
    for path in INTERFACE:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if value is not None and getattr(target, "id", "") == "TAB" and (words := _words(value)) is not None:
                wrong += [f"{path.name} {words!r}"] * bool(wrong_label(words))
            if getattr(target, "id", "") == "PRESETS" and isinstance(value, ast.Dict):
                names = [words for key in value.keys if key is not None and (words := _words(key))]
                wrong += [f"{path.name} {name!r}" for name in names if name.endswith(".")]
    assert not wrong


def test_no_caption_begins_with_you_see() -> None:
    assert not [
        f"{t.where} {t.words!r}" for t in everywhere(INTERFACE) if t.kind == "caption" and opens_wrongly(t.words)
    ]


@pytest.mark.slow("numbers and charts")
@pytest.mark.parametrize(
    "files", [INTERFACE, NUMBERS, COMMAND_LINE], ids=["interface", "numbers and charts", "command line"]
)
def test_no_replaced_phrase_is_in_a_text(files: list[Path]) -> None:
    found = {(text.where, phrase) for text in everywhere(files) for phrase in replaced(text.words)}
    assert not sorted(found)


def test_no_replaced_phrase_is_in_a_list_a_document_or_a_lesson_that_visitors_read() -> None:
    read = [cell for name in ("glossary", "claims") for cell in wordlists.load(name).astype(str).to_numpy().ravel()]
    read += [re.sub(r"`[^`]*`", "", path.read_text(encoding="utf-8")) for path in (*DOCUMENTS, *LESSONS)]
    assert not [(text[:40], found) for text in read if (found := replaced(text))]


LESSON_LABEL = re.compile(r"^(?:title: |## |- \[[^]]*\] )(.+)$", re.MULTILINE)
"""The title of a lesson, the titles of its steps, and the answers to choose from."""


def test_titles_and_answers_of_lessons_are_in_sentence_case_without_a_full_stop() -> None:
    labels = {path.stem: LESSON_LABEL.findall(path.read_text(encoding="utf-8")) for path in LESSONS}
    assert min(map(len, labels.values())) > 10
    assert not [(name, each, wrong) for name, all_ in labels.items() for each in all_ if (wrong := wrong_label(each))]


def defined(source: str, numbers: str = "") -> set[str]:
    """The terms that a module of the interface shows: those marked in its texts and those of `glossary.definition`.

    If the module chooses a term while it runs, it can be any text of the module, or of the number module of its name.
    """
    words = {text.words for text in texts(source, "module")}
    found = {term for each in words for term in glossary.terms(each)}
    chosen = any("[[{" in each for each in words)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "glossary.definition":
            if isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
            else:
                chosen = True
    return found | words | {text.words for text in texts(numbers, "numbers")} if chosen else found


@pytest.mark.slow
def test_every_term_of_the_glossary_is_shown() -> None:
    """Not only named: an equal text elsewhere, such as the key of a tab, has no definition."""
    shown: set[str] = set()
    for path in INTERFACE:
        numbers = ROOT / "embtools" / path.relative_to(ROOT).as_posix().removeprefix("embtools/ui/")
        known = numbers in NUMBERS
        shown |= defined(path.read_text(encoding="utf-8"), numbers.read_text(encoding="utf-8") if known else "")
    assert not set(glossary.definitions()) - shown


@pytest.mark.slow
def test_every_headline_contains_a_value() -> None:
    assert not [
        f"{path.relative_to(ROOT)} {name}"
        for path in NUMBERS
        for name in without_value(path.read_text(encoding="utf-8"))
    ]


SENTENCE = re.compile(r"[A-Z][^.!?]{30,}[.!?]")
EXAMPLES = (
    "After stealing money from the bank vault",
    "He poured the milk into a glass.",
    "The animal didn't cross the street",
    "The dog chased the cat because it was hungry.",
)
"""How sentences begin that the app only asks about: tests of several pages use them as well."""


def sentences(source: str) -> set[str]:
    """The whole sentences that a module of the product writes: those of its strings, without docstrings and examples."""
    tree = ast.parse(source)
    documented = (node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef))
    docstrings = {id(node.body[0].value) for node in documented if node.body and isinstance(node.body[0], ast.Expr)}
    written = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    found = {each for node in written if id(node) not in docstrings for each in SENTENCE.findall(node.value)}
    return {each for each in found if "[MASK]" not in each and not each.startswith(EXAMPLES)}


def in_several(known: set[str], tests: dict[str, str]) -> dict[str, list[str]]:
    """Sentences that stand in several files: whoever changes one should have to change one test."""
    joined = {name: re.sub(r'"\s*\n\s*f?"', "", text) for name, text in tests.items()}
    found = {each: [name for name, text in joined.items() if each in text] for each in known}
    return {each: names for each, names in found.items() if len(names) > 1}


@pytest.mark.slow
def test_no_sentence_of_the_product_stands_in_two_test_files() -> None:
    known = set().union(*(sentences(path.read_text(encoding="utf-8")) for path in (*INTERFACE, *NUMBERS)))
    tests = {str(path): path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    assert len(known) > 1_000 and not in_several(known, tests)


def test_a_sentence_in_two_tests_is_found() -> None:
    known = sentences(
        '"""The docstring is no sentence of the product."""\nst.text("This sentence is long enough to count.")'
    )
    assert in_several(known, {"a": '"This sentence is long"\n    " enough to count."', "b": "", "c": "x"}) == {}
    (found,) = in_several(
        known, {"a": '"This sentence is long"\n    " enough to count."', "b": known.copy().pop()}
    ).values()
    assert found == ["a", "b"]


# Planted violations: each check finds what it is for, and leaves a right text alone.

PLANTED = '''
"""The docstring stands beside the code."""
st.slider("Strength of the Edit.", help="Nothing")
st.button("run all")
st.toggle("Show The Table")
st.button("Compute" if short else "Compute Everything Now")
options.choose(st.selectbox, "compare with", KEY)
page.caption("What you see: a row a word.")
page.caption(f"You see {n} marks.")
st.text("Still the answer to the last question.")
st.caption(f"It is number {rank} of all.")
'''
RIGHT = """
st.slider("Strength of the edit", help="Nothing is changed at 0.")
st.button("Run all")
st.button("Reset" if short else "Draw other sentences")
st.text_input("Sentence with [MASK] or ___")
st.badge(f"Space: {space}")
st.selectbox("k-means clusters: Euclidean distance")
page.caption("Each row is a word. Here you see the words again.")
st.text("The visitor typed “still the answer”.")
st.text("The data line about words is apart from the rest.")
"""


def test_planted_labels_are_found() -> None:
    wrong = [t.words for t in texts(PLANTED, "planted") if t.kind == "label" and wrong_label(t.words)]
    assert wrong == [
        "Strength of the Edit.", "run all", "Show The Table", "Compute Everything Now", "compare with",
    ]  # fmt: skip
    assert not [t.words for t in texts(RIGHT, "right") if t.kind == "label" and wrong_label(t.words)]


def test_planted_labels_of_a_lesson_are_found() -> None:
    lesson = (
        "title: Change Rome\nminutes: 3\n\n## change It\n\nBERT reads.\n\n- [a] Less than half.\n- [*] Another word\n"
    )
    labels = LESSON_LABEL.findall(lesson)
    assert labels == ["Change Rome", "change It", "Less than half.", "Another word"]
    assert [label for label in labels if wrong_label(label)] == ["change It", "Less than half."]


def test_planted_captions_are_found() -> None:
    captions = [t.words for t in texts(PLANTED, "planted") if t.kind == "caption" and opens_wrongly(t.words)]
    assert captions == ["What you see: a row a word.", "You see {} marks."]
    assert not any(opens_wrongly(t.words) for t in texts(RIGHT, "right") if t.kind == "caption")


def test_planted_phrases_are_found_and_docstrings_and_quotes_are_not_read() -> None:
    found = {phrase for t in texts(PLANTED, "planted") for phrase in replaced(t.words)}
    assert found == {"a row a", "what you see:", "still the answer", "is number {}"}
    assert not [replaced(t.words) for t in texts(RIGHT, "right") if replaced(t.words)]


def test_each_phrase_is_found_in_a_sentence() -> None:
    assert [phrase for phrase in REPLACED if phrase in replaced(f"Here {phrase} again")] == [*REPLACED]


def test_planted_terms_are_found_and_equal_texts_are_not() -> None:
    marked = 'page.caption("A [[cosine]] near 1.")\nst.selectbox("LASSO", help=glossary.definition("layer"))\n'
    chosen = 'for term in ("mask", "seed"):\n    st.text(help=glossary.definition(term))\n'
    assert defined(marked, 'X = "seed"') == {"cosine", "layer"}
    assert defined(chosen, 'X = "PCA"') == {"mask", "seed", "PCA"}
    assert defined("glossary.html(f'[[{measure}]]')", 'X = "stability"') >= {"stability"}


def test_planted_headlines_are_found() -> None:
    constant = 'def finding(found: str) -> str:\n    return "The words are similar."\n'
    with_value = 'def finding(found: str) -> str:\n    return f"{found} is similar."\n'
    passed_on = "def headline(found: str) -> str:\n    return _finding(found)\n"
    assert not without_value(passed_on)
    other = 'def title(found: str) -> str:\n    return "Similar words"\n'
    assert without_value(constant) == ["finding"]
    assert not without_value(with_value) and not without_value(other)
