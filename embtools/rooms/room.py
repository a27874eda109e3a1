"""A room and its rules: questions one after another, votes until the reveal, and the results as a table."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from embtools.rooms.question import Question

SECONDS = 3 * 60 * 60
"""How long a room is open."""

MOST_PEOPLE, MOST_QUESTIONS = 500, 50
MOST_ADDRESS = 7_000
"""Maximum number of characters of the page that a room hands out."""

_PROBABILITY = "bert_probability"  # a column of the table
_PAGE = re.compile(r"[a-z]*(?:\?[\x21-\x7e]*)?")


@dataclass(frozen=True)
class Room:
    """The state of a room, without the votes.

    code       what phones type
    key        digest of the teacher's key
    page       the page that is handed out, such as "pairs?pairs_number=many"; "" if none is
    questions  all questions so far; the last one is shown
    results    for each revealed question, how often each choice was chosen
    version    grows with each change
    locked     whether no more phones may join
    """

    code: str
    key: str
    page: str = ""
    questions: tuple[Question, ...] = ()
    results: tuple[tuple[int, ...], ...] = field(default=())
    version: int = 0
    locked: bool = False

    @property
    def number(self) -> int:
        """The number of the question that is shown, from 1; 0 if none was asked yet."""
        return len(self.questions)

    @property
    def is_open(self) -> bool:
        """Whether phones can answer now."""
        return len(self.questions) > len(self.results)

    @property
    def question(self) -> Question | None:
        """The question that is shown."""
        return self.questions[-1] if self.questions else None

    def ask(self, question: Question) -> "Room":
        """Return the room with a further question. An open one is replaced, and its votes are dropped."""
        if len(self.questions) >= MOST_QUESTIONS:
            raise ValueError(f"A room has at most {MOST_QUESTIONS} questions. Open another room.")
        if self.is_open:
            # The number must change, because phones that still show the old question may vote for it.
            empty = tuple(0 for _ in self.questions[-1].choices)
            return replace(self._changed(), questions=(*self.questions, question), results=(*self.results, empty))
        return replace(self._changed(), questions=(*self.questions, question))

    def reveal(self, counts: Sequence[int]) -> "Room":
        """Return the room with the results of its open question."""
        return replace(self._changed(), results=(*self.results, tuple(counts)))

    def hand_out(self, page: str) -> "Room":
        """Return the room with another page to open; raises ValueError for anything but a page of this app."""
        if len(page) > MOST_ADDRESS or not _PAGE.fullmatch(page):
            raise ValueError("This page cannot be handed out. Send its link instead.")
        return replace(self._changed(), page=page)

    def lock(self, locked: bool) -> "Room":
        """Return the room that takes no more phones, or takes them again; those that have joined stay."""
        return replace(self._changed(), locked=locked)

    def move(self, code: str) -> "Room":
        """Return the room under another code, open to all phones that know it."""
        return replace(self._changed(), code=code, locked=False)

    def _changed(self) -> "Room":
        return replace(self, version=self.version + 1)

    @cached_property
    def face(self) -> dict[str, Any]:
        """What phones get, never the key, and no page while a question is open, because it may show the answer."""
        seen: dict[str, Any] = {"page": "" if self.is_open else self.page, "number": self.number, "open": self.is_open}
        if self.question:
            seen |= {
                "context": self.question.context, "text": self.question.text, "choices": self.question.choices,
            }  # fmt: skip
            if not self.is_open:
                asked = self.question
                seen |= {
                    "counts": self.results[-1], "shares": asked.shares, "answer": asked.answer, "whose": asked.whose,
                    "picked": asked.picked,
                }  # fmt: skip
        return seen

    @cached_property
    def text(self) -> str:
        """The room as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> "Room":
        """Return the room of such a text."""
        given = json.loads(text)
        given["questions"] = tuple(
            Question(**q | {"choices": tuple(q["choices"]), "shares": tuple(q["shares"])}) for q in given["questions"]
        )
        given["results"] = tuple(tuple(counts) for counts in given["results"])
        return cls(**given)

    def table(self) -> pd.DataFrame:
        """Return the results: one row for each choice of each question that was answered and revealed."""
        rows = [
            (
                number,
                q.context.replace("\n", " "),
                q.text,
                choice,
                count,
                count / sum(counts),
                q.answer,
                at == q.picked,
                share,
            )
            for number, (q, counts) in enumerate(zip(self.questions, self.results, strict=False), 1)
            if sum(counts)
            for at, (choice, count, share) in enumerate(
                zip(q.choices, counts, q.shares or [None] * len(q.choices), strict=True)
            )
        ]
        names = ["number", "text_before", "question", "choice", "votes", "share", "answer", "is_answer", _PROBABILITY]
        table = pd.DataFrame(rows, columns=names)
        return table if table[_PROBABILITY].notna().any() else table.drop(columns=_PROBABILITY)
