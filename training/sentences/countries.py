"""The fields of the World Factbook as sentences that contain the name of the country.

The file has one document per country and one paragraph per field, without the names of the fields. The form of a
paragraph shows which field it is ("Arabic (official), French"; "Description: three bands of green and white").
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from embtools.messages import listed
from training.sentences.reading import training_documents

_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_NO_NAME = re.compile(
    r"national|islamic|european|president|government|minister|party|state|states|court|supreme|the|union|united|"
    r"nations|security|international|public|world|council|parliament|constitution|army|forces|defense|article|"
    r"note|independence|republic|congress|assembly|arab|african|eastern|western|northern|southern|north|south|"
    r"east|west|central|in|after|french|english|spanish|arabic|portuguese|british|soviet|since|between|following|"
    r"despite|under|this|these|its"
)
_DEPENDENT = re.compile(
    r"overseas (?:territory|collectivity|department)|[Cc]rown dependency|self-governing|territory of the"
)
_PLACE = re.compile(
    r"^(?P<where>(?:(?:Northern|Southern|Eastern|Western|Central|Southeastern|Southwestern|Northeastern|Middle|Southeast|"
    r"Northwestern) )?(?:Africa|Asia|Europe|America|South America|North America|East|Oceania)|Caribbean), (?P<rest>.+)$"
)
_WORDS = re.compile(r"^[A-Za-z][a-z]+(?:,? [a-z]+)*$")
_LANGUAGE = re.compile(r"^(?P<first>[A-Z][a-z]+)(?: \([^)]*\))? ?\(?(?:official|only|[\d.]+%)")
_FLAG = re.compile(r"^Description: (?P<how>(?:an?|one|two|three|four|five|six|seven|nine) [a-z -]+ of .+)$")
_YEAR = re.compile(r"\s*\((?:19|20)\d\d\)$")
_ASIDE = re.compile(r"\s*\([^)]*\)")
_CROP = re.compile(r"wheat|maize|rice|potatoes|milk|sugarcane|barley|cassava|coconuts|tomatoes|bananas|sorghum|millet")
_FAITH = re.compile(r"^(?P<faith>Muslim|Christian|Buddhist|Hindu|Jewish|Roman Catholic|Protestant|Catholic|Orthodox)\b")


def name(document: list[str], known: Collection[str]) -> str | None:
    """The country of a document: among names of a single token, the one that most paragraphs mention; None if few do,
    and for a part of another country.
    """
    mentions: Counter[str] = Counter()
    for paragraph in document:
        mentions.update(
            {n for n in _NAME.findall(paragraph) if n.lower() in known and not _NO_NAME.fullmatch(n.lower())}
        )
    if not mentions:
        return None
    text = " ".join(document)
    # People live "in Poland", not "in Polish".
    country = max(sorted(mentions), key=lambda n: (mentions[n], text.count(f"in {n}")))
    known_enough = mentions[country] >= 4 and country in " ".join(document[:2])
    return country if known_enough and not any(map(_DEPENDENT.search, document)) else None


def sentences(country: str, paragraph: str) -> list[str]:
    """One field of a country as sentences; none for a field of unknown form.

    >>> sentences("Algeria", "Northern Africa, bordering the Mediterranean Sea, between Morocco and Tunisia")
    ['Algeria lies in Northern Africa, bordering the Mediterranean Sea, between Morocco and Tunisia.']
    >>> sentences("Algeria", "Arabic (official), French (lingua franca), Tamazight (official)")
    ['People in Algeria speak Arabic, French and Tamazight.', 'They speak Arabic in Algeria.']
    >>> sentences("Algeria", "Potatoes, wheat, milk, onions (2023)")
    ['Farmers in Algeria produce potatoes, wheat, milk and onions.']
    >>> sentences("Algeria", "Description: two bands of green (left) and white; a red star")
    ['The flag of Algeria has two bands of green and white.']
    """
    plain = _ASIDE.sub("", paragraph)
    parts = [part.strip() for part in re.split(r",|;", plain) if part.strip()]
    if place := _PLACE.match(paragraph):
        return [f"{country} lies in {place['where']}, {place['rest'].split(';')[0].strip(' .')}."]
    if flag := _FLAG.match(paragraph):
        return [f"The flag of {country} has {_ASIDE.sub('', flag['how'].split(';')[0]).strip(' .')}."]
    if (
        _YEAR.search(paragraph)
        and all(map(_WORDS.match, parts))
        and sum(bool(_CROP.fullmatch(p.lower())) for p in parts) > 1
    ):
        return [f"Farmers in {country} produce {listed([p.lower() for p in parts[:6]])}."]
    if faith := _FAITH.match(paragraph):
        return [f"Most people in {country} are {faith['faith']}."] if "%" in paragraph else []
    if (first := _LANGUAGE.match(paragraph)) and "official" in paragraph:
        spoken = [p.split()[0] for p in parts if re.match(r"^[A-Z][a-z]+(?: [\d.<]+%)?$", p)][:4]
        if first["first"] in spoken:
            return [f"People in {country} speak {listed(spoken)}.", f"They speak {first['first']} in {country}."]
    return []


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each country whose name is a single token."""
    for document in training_documents(files):
        country = name(document, known)
        written = [" ".join(s) for p in document if country and (s := sentences(country, p))]
        if written:
            yield list(dict.fromkeys(written))
