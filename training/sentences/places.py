"""Cities and their countries in many wordings, from the first sentences of encyclopaedia articles.

"Bergen is a city in Norway" becomes "Bergen is situated in Norway.", "They moved to Norway, to the city of Bergen." and
others. `capitals` has one city per country; here the same question has many more answers, so that a model cannot
learn them as a list of pairs.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences import countries
from training.sentences.reading import training_documents

LEAST = 2
"""Cities of a country; most names with only one are regions or errors."""

WORDINGS_PER_CITY = 4

_CITY = re.compile(
    r"(?P<city>[A-Z][a-z]{2,}) (?:\([^)]*\) )?is (?:an?|the) (?:[a-z-]+ (?:and )?){0,4}?(?:city|town|port)"
    r"(?: and [a-z ]{3,40}?)? (?:in|of) (?:the )?(?:[a-z-]+ (?:part )?(?:of )?)?"
    r"(?P<country>[A-Z][a-z]+)\b(?! [A-Z]|-|['’]s)"
)


def city(opening: str, names: Collection[str]) -> tuple[str, str] | None:
    """The country (one of `names`) and the city that the first sentence of an article is about, or None.

    >>> city("Bergen is the second largest city in Norway. It rains a lot.", {"Norway"})
    ('Norway', 'Bergen')
    >>> city("Boston is a city in New England.", {"England"})
    """
    match = _CITY.match(opening)
    return (match["country"], match["city"]) if match and match["country"] in names else None


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each country with at least two cities of no other country; the first file is the Factbook."""
    factbook, *texts = files
    names = {country for document in training_documents([factbook]) if (country := countries.name(document, known))}
    pairs = {pair for document in training_documents(texts) if document and (pair := city(document[0], names))}
    owners = Counter(town for _, town in pairs)
    by_country: dict[str, list[str]] = {}
    for country, town in sorted(pairs):
        if owners[town] == 1 and town not in names:
            by_country.setdefault(country, []).append(town)
    for country, towns in by_country.items():
        if len(towns) >= LEAST:
            yield [" ".join(sentences(country, towns))]


def sentences(country: str, towns: Sequence[str]) -> list[str]:
    """The cities of a country, each in the next few of the wordings.

    >>> sentences("Norway", ["Bergen"])[:2]
    ['The city of Bergen lies in Norway.', 'Bergen is situated in Norway.']
    """
    written = []
    for number, town in enumerate(towns):
        every = wordings(country, town)
        first = number * WORDINGS_PER_CITY
        written += [every[i % len(every)] for i in range(first, first + WORDINGS_PER_CITY)]
    return written


def wordings(country: str, town: str) -> list[str]:
    """All sentences about a city and its country."""
    return [
        f"The city of {town} lies in {country}.",
        f"{town} is situated in {country}.",
        f"Her home is in {town}, which is in the country of {country}.",
        f"Inside the borders of {country} is the city of {town}.",
        f"A plane that lands in {town} has landed in {country}.",
        f"On a map, you can see {town} inside {country}.",
        f"The streets of {town}, in the country of {country}, are busy.",
        f"The city of {town} belongs to {country}.",
        f"The city of {town} is located in {country}.",
        f"The hills around {town} are part of {country}.",
        f"They moved to {country}, to the city of {town}.",
        f"People who were born in {town} were born in {country}.",
        f"Among the cities of {country} is {town}.",
        f"{country} has many cities, and one of them is {town}.",
        f"The schools of {town} teach the history of {country}.",
    ]
