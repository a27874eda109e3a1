"""The file format of lessons: Markdown with a small front matter; and a lesson in an address: this file, compressed and
written with letters, digits, "-" and "_".

    ---
    title: Change Rome
    minutes: 12
    summary: One sentence for the list of lessons.
    notes:
      Several lines for the teacher, indented by two spaces.
    ---

    ## The title of a step

    Text before the question.

    shows: arithmetic?arithmetic_tab=edit
    question: What does BERT answer?
    answer: top
    - [italy] Italy
    - France
    - [*] Another word
    point: One sentence to remember.

    Text after the answer.

The answer to a question is not part of the file: `answer` names a reading of the panel that the step shows. Each choice
begins with the answer for which it is right; without brackets, its text is that answer. If the panel gives away the
answer of a later step, “hidden: until step 3” below the line `shows` hides it until that step is answered, and “hidden:
until step 3, except answers” hides all of it but its chart `answers`. A line of a text that would be read as one of
these lines begins with a backslash. Next to these lines, capital letters ("Point:"), a space before the colon and other
dashes in front of a choice ("–[*] Another word") make no difference.
"""

import base64
import re
import unicodedata
import zlib

from embtools.lessons.lesson import MAX_CHARACTERS, Choice, Lesson, LessonProblem, Step, check

_HEAD = ("title", "minutes", "summary", "notes")
_FIELDS = ("shows", "hidden", "question", "answer", "point")
_KEY = re.compile(rf"({'|'.join(_FIELDS)}):(.*)")
_LOOSE = re.compile(rf"({'|'.join(_FIELDS)})\s*:(.*)", re.IGNORECASE)
_STEP = re.compile(r"##\s")
_DASH = re.compile(r"- |[-–—*•]\s*(?=\[)")
_CHOICE = re.compile(rf"(?:{_DASH.pattern})?\s*(?:\[([^\]]*)\] ?)?(.*)", re.DOTALL)
_MARKED = re.compile(rf"\\|{_STEP.pattern}|{_DASH.pattern}|---|{_LOOSE.pattern}", re.IGNORECASE)  # need a backslash
_FENCE = "---"
MAX_BYTES = 4 * MAX_CHARACTERS  # of a file in UTF-8
MAX_CODE = 100_000  # characters; nothing longer is read
_DAMAGED = "This link is incomplete or damaged. Ask for the whole link, or open the lesson as a file."


def parse(text: str) -> Lesson:
    """Return the lesson of a file; raises LessonProblem, with the line, for anything that is not a valid lesson."""
    if len(text) > MAX_CHARACTERS:
        raise LessonProblem(f"The lesson has {len(text):,} characters; at most {MAX_CHARACTERS:,} are possible.")
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    lines = [line.rstrip() for line in plain.split("\n")]
    head, rest = _head(lines)
    steps = _steps(lines, rest)
    try:
        minutes = int(head.get("minutes", "") if len(head.get("minutes", "")) < 5 else "")
    except ValueError:
        raise LessonProblem("The front matter needs a line such as “minutes: 12”.", 1) from None
    lesson = Lesson(head.get("title", ""), minutes, head.get("summary", ""), head.get("notes", ""), tuple(steps))
    try:
        check(lesson)
    except LessonProblem as error:
        raise LessonProblem(error.problem, error.line or 1) from None
    return lesson


def read_choice(text: str) -> Choice:
    """Return a choice from its line, with or without the dash.

    >>> read_choice("- [italy] The country"), read_choice("Italy")
    (Choice(key='italy', text='The country'), Choice(key='Italy', text='Italy'))
    """
    match = _CHOICE.fullmatch(text.strip())
    assert match  # every text is one
    key, shown = match.groups()
    return Choice(unicodedata.normalize("NFC", shown if key is None else key).strip(), shown.strip())


def write(lesson: Lesson) -> str:
    """Return a lesson as a file that `parse` reads; raises LessonProblem for one that is not valid."""
    check(lesson)
    parts = [
        _FENCE,
        f"title: {lesson.title.strip()}",
        f"minutes: {lesson.minutes}",
        f"summary: {lesson.summary.strip()}",
    ]
    if notes := _trimmed(lesson.notes):
        parts += ["notes:", *(f"  {line}".rstrip() for line in notes.split("\n"))]
    parts.append(_FENCE)
    for step in lesson.steps:
        parts += ["", f"## {step.title.strip()}"]
        parts += ["", *_marked(step.before)] if step.before.strip() else []
        named = [f"{name}: {getattr(step, name).strip()}" for name in _FIELDS if getattr(step, name).strip()]
        choices = [f"- [{choice.key}] {choice.text.strip()}" for choice in step.choices]
        at = len(named) - bool(step.point.strip())
        fields = [*named[:at], *choices, *named[at:]]
        parts += ["", *fields] if fields else []
        parts += ["", *_marked(step.after)] if step.after.strip() else []
    return "\n".join([*parts, ""])


def _head(lines: list[str]) -> tuple[dict[str, str], int]:
    """Return the front matter by key, and the index of the line after it."""
    start = next((i for i, line in enumerate(lines) if line), len(lines))
    if start == len(lines) or lines[start] != _FENCE:
        raise LessonProblem(f"A lesson begins with a line “{_FENCE}” and its front matter: title, minutes, summary.", 1)
    head: dict[str, list[str]] = {}
    key = ""
    for i in range(start + 1, len(lines)):
        line = lines[i]
        if line == _FENCE:
            return {name: _trimmed("\n".join(parts)) for name, parts in head.items()}, i + 1
        name, colon, value = line.partition(":")
        if line.startswith("  ") or not line:
            if key != "notes" and line:
                raise LessonProblem("Only the notes may have several lines.", i + 1)
            if key:
                head[key].append(line[2:])
        elif colon and name in _HEAD:
            if name in head:
                raise LessonProblem(f"There are two lines “{name}: …”.", i + 1)
            key = name
            head[key] = [value.strip()]
        else:
            raise LessonProblem(
                f"Between the two lines “{_FENCE}”, only {', '.join(_HEAD[:-1])} and {_HEAD[-1]} are possible.", i + 1
            )
    raise LessonProblem(f"The front matter does not end. Close it with a line “{_FENCE}”.", start + 1)


def _steps(lines: list[str], start: int) -> list[Step]:
    """Return the steps that begin at an index of the lines."""
    begins = [i for i in range(start, len(lines)) if _STEP.match(lines[i])]
    first = begins[0] if begins else len(lines)
    if stray := next((i for i in range(start, first) if lines[i]), None):
        raise LessonProblem(
            "Text must belong to a step. Begin a step with a line such as “## A first question”.", stray + 1
        )
    return [_step(lines, i, end) for i, end in zip(begins, [*begins, len(lines)][1:], strict=True)]


def _step(lines: list[str], begin: int, end: int) -> Step:
    texts: tuple[list[str], list[str]] = ([], [])
    named: dict[str, str] = {}
    choices: list[Choice] = []
    after = False
    for i in range(begin + 1, end):
        line = lines[i]
        if match := (_LOOSE if named and not after and lines[i - 1] else _KEY).fullmatch(line):
            name, value = match[1].lower(), match[2].strip()
            if after:
                raise LessonProblem(
                    f"The line “{name}: …” must be next to the other such lines, before the text.", i + 1
                )
            if name in named:
                raise LessonProblem(f"This step has two lines “{name}: …”.", i + 1)
            named[name] = value
        elif named and not after and _DASH.match(line):
            choices.append(read_choice(line))
        else:
            after = after or bool(named and line)
            texts[after].append(line.removeprefix("\\"))
    before, behind = (_trimmed("\n".join(part)) for part in texts)
    return Step(lines[begin][3:].strip(), before, **named, choices=tuple(choices), after=behind, line=begin + 1)


def _marked(text: str) -> list[str]:
    return [f"\\{line}" if _MARKED.match(line) else line for line in _trimmed(text).split("\n")]


def _trimmed(text: str) -> str:
    """Return a text without spaces at the ends of its lines, and without empty lines around it."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def encode(lesson: Lesson) -> str:
    """Return a lesson as letters, digits, "-" and "_"; raises LessonProblem for one that is not valid."""
    packed = zlib.compress(write(lesson).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(code: str) -> Lesson:
    """Return the lesson of a code from `encode`; raises LessonProblem for any other text."""
    if len(code) > MAX_CODE:
        raise LessonProblem(_DAMAGED)
    unpacking = zlib.decompressobj()
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        text = unpacking.decompress(packed, MAX_BYTES).decode()  # no more, whatever the code contains
    except (zlib.error, ValueError):
        raise LessonProblem(_DAMAGED) from None
    if not unpacking.eof:
        raise LessonProblem(_DAMAGED)
    return parse(text)


def read_file(data: bytes) -> Lesson:
    """Return the lesson of an uploaded file; raises LessonProblem for one that is too long, not text or not valid."""
    if len(data) > MAX_BYTES:
        raise LessonProblem(f"The file has {len(data):,} bytes; a lesson has at most {MAX_BYTES:,}.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise LessonProblem("This is not UTF-8 text. Save the lesson as UTF-8.", line) from None
    return parse(text)
