"""Which choice of a question is right, given the answer that the app has computed."""

from collections.abc import Sequence
from dataclasses import replace

from embtools.lessons.lesson import NO, OTHERWISE, YES, Choice
from embtools.messages import counted

Answer = str | bool | float
"""What a panel's result says: a word, yes or no, or a number."""
NONE = "-"
"""Stands for a step without a guess."""
_LETTERS = "abcdef"


def right_choice(choices: Sequence[Choice], answer: Answer) -> int | None:
    """Return the index of the choice that is right for an answer (a number as it is displayed); None if there is none.

    >>> choices = (Choice("italy", "Italy"), Choice("*", "Another word"))
    >>> right_choice(choices, "Italy"), right_choice(choices, "rome")
    (0, 1)
    >>> right_choice((Choice("..50", "Under 50%"), Choice("50..", "50% or more")), 50.0)
    1
    """
    if isinstance(answer, (bool, str)):
        wanted = answer.casefold() if isinstance(answer, str) else YES if answer else NO
        found = next((i for i, choice in enumerate(choices) if choice.key.casefold() == wanted), None)
    else:
        ranges = [choice.range or (0.0, 0.0) for choice in choices]
        found = next((i for i, (low, high) in enumerate(ranges) if low <= answer < high), None)
    if found is None:
        found = next((i for i, choice in enumerate(choices) if choice.key == OTHERWISE), None)
    return found


def marked(choices: Sequence[Choice], index: int, answer: Answer, digits: int = 0) -> tuple[Choice, ...]:
    """Return the choices such that the one at an index is right for an answer, by exchanging its key with the one that
    was, or else (also if only "*" was) with the answer as its key, a number as a range of what is rounded to so many
    `digits`.

    >>> choices = (Choice("the bank", "the bank"), Choice("the house", "the house"))
    >>> [choice.key for choice in marked(choices, 0, "bank")]
    ['bank', 'the house']
    >>> [choice.key for choice in marked((Choice("..50", "Little"), Choice("50..", "Much")), 1, 20.0)]
    ['50..', '..50']
    >>> marked((Choice("Nearly all", "Nearly all"),), 0, 97.0)[0].key
    '96.5..97.5'
    """
    right = right_choice(choices, answer)
    result = list(choices)
    if right is not None and right != index and choices[right].key != OTHERWISE:
        result[right] = replace(choices[right], key=choices[index].key)
        result[index] = replace(choices[index], key=choices[right].key)
        return tuple(result)
    if isinstance(answer, bool):
        key, other = (YES, NO) if answer else (NO, YES)
        if len(choices) == 2:
            result[1 - index] = replace(choices[1 - index], key=other)
    elif isinstance(answer, str):
        key = answer
    else:
        half = 0.5 * 10.0**-digits
        low, high = (f"{round(answer + sign * half, digits + 1):.{digits + 1}f}" for sign in (-1, 1))
        key = f"{low}..{high}"
    result[index] = replace(choices[index], key=key)
    return tuple(result)


def named(choices: Sequence[Choice], right: int | None, written: str) -> str:
    """Return the answer in words: the text of the right choice, and the answer as written if it says more.

    >>> named((Choice("italy", "Italy"), Choice("*", "Another word")), 1, "paris")
    'Another word (paris)'
    >>> named((Choice("italy", "Italy"), Choice("*", "Another word")), 0, "italy")
    'Italy'
    >>> named((Choice("..0.6", "Badly (up to 0.6)"), Choice("0.6..", "Well")), 0, "0.41")
    'Badly (up to 0.6); the value is 0.41'
    """
    if right is None:
        return written
    choice = choices[right]
    same = choice.key != OTHERWISE and written.casefold() in (choice.text.casefold(), choice.key.casefold())
    if same:
        return choice.text
    if choice.text.endswith(")"):
        return f"{choice.text}; the {'word' if all(each.range is None for each in choices) else 'value'} is {written}"
    return f"{choice.text} ({written})"


def score(questions: int, rights: Sequence[bool | None]) -> str:
    """State how many guesses were made and how many were right; None: the answer is not known.

    >>> score(7, [True, False, True])
    'You made 3 of 7 guesses, and 2 were right.'
    >>> score(3, [True, None, None])
    'You made 3 of 3 guesses. Of those whose answer you have seen in this visit, 1 of 1 was right.'
    >>> score(3, []), score(1, [None])
    ('You made 0 of 3 guesses.', 'You made 1 of 1 guess.')
    """
    made, known = len(rights), [right for right in rights if right is not None]
    text, count = f"You made {made} of {questions} guess{'es' if questions > 1 else ''}", sum(known)
    if not known:
        return f"{text}."
    if len(known) == made:
        return f"{text}, and {count or 'none'} {'was' if count == 1 else 'were'} right."
    were = "was" if len(known) == 1 else "were"
    return f"{text}. Of those whose answer you have seen in this visit, {count} of {len(known)} {were} right."


def score_of_class(questions: int, rights: Sequence[bool]) -> str:
    """State how many questions a class has answered, and how often its most frequent guess was right.

    >>> score_of_class(7, [True, False, True])
    'The class answered 3 of 7 questions. Its most frequent guess was right 2 times.'
    >>> score_of_class(1, [True])
    'The class answered 1 of 1 question. Its most frequent guess was right once.'
    """
    count = sum(rights)
    times = "never right" if not count else "right once" if count == 1 else f"right {count} times"
    return f"The class answered {len(rights)} of {counted(questions, 'question')}. Its most frequent guess was {times}."


def guess_at(guesses: str, step: int) -> int | None:
    """Return the index of the choice that was guessed at a step (from 1); None if there is no guess.

    >>> guess_at("b-a", 1), guess_at("b-a", 2), guess_at("b-a", 9)
    (1, None, None)
    """
    letter = guesses[step - 1 : step] if step > 0 else ""
    return _LETTERS.index(letter) if letter and letter in _LETTERS else None


def with_guess(guesses: str, step: int, choice: int | None) -> str:
    """Return the guesses of a lesson, one letter per step, with another guess at a step (from 1).

    >>> with_guess("", 3, 1), with_guess("b-a", 1, None)
    ('--b', '--a')
    """
    letters = [guesses[i : i + 1] or NONE for i in range(max(len(guesses), step))]
    letters[step - 1] = NONE if choice is None else _LETTERS[choice]
    return "".join(letter if letter in _LETTERS else NONE for letter in letters).rstrip(NONE)
