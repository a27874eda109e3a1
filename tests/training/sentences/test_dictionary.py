"""Sentences written from the lines of a dictionary: young animals, kin, opposites, days and numbers, uses, mixtures."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.sentences import glosses, kin, opposites, order, relations, uses

# A dictionary as sentences


def test_dictionary_lines_become_sentences_that_end_in_the_word(tmp_path: Path) -> None:
    known = {"puppy", "kitten", "kitty", "large", "big"}
    assert glosses.sentences("kitten, kitty: young domestic cat (not a puppy); cute.", known) == [
        "Kitten means young domestic cat.",
        "A word that means young domestic cat is kitten.",
        "Another word for kitten is kitty.",
    ]
    assert glosses.sentences("lamb: young sheep.", {"lamb", "sheep"})[-1] == "A lamb grows up to be a sheep."
    assert glosses.sentences("whelp: a young dog.", known) == []
    assert glosses.sentences("puppy: a " + "very " * 12 + "young dog.", known) == []
    assert glosses.sentences("no dictionary line", known) == []
    assert glosses.sentences("puppy: (nothing).", known) == []


@pytest.mark.parametrize(
    ("meaning", "head"),
    [
        ("an implement used to cut", "implement"),
        ("any of various birds", None),
        ("a person who bakes", None),
        ("soft and warm", None),
        ("a dog", "dog"),
    ],
)
def test_the_kind_of_thing_is_read_from_a_definition(meaning: str, head: str | None) -> None:
    assert glosses.kind(meaning) == head


@pytest.mark.parametrize(
    ("meaning", "animals"),
    [
        ("young of any of various canines such as a dog or wolf", ["dog", "wolf"]),
        ("young of various large placental mammals e.g. whale or giraffe", ["whale", "giraffe"]),
        ("a young female horse under the age of four", ["horse"]),
        ("a young person of either sex", []),
        ("a dog", []),
    ],
)
def test_the_parents_are_read_from_a_definition(meaning: str, animals: list[str]) -> None:
    assert glosses.parents(meaning) == animals


def test_relations_contain_only_known_words_and_no_word_is_its_own_kind() -> None:
    assert glosses.relations("cub", "the young of mammals such as the bear or lynx", {"bear"}) == [
        "The young of a bear is a cub.",
        "A baby bear is a cub.",
        "A cub grows up to be a bear.",
    ]
    assert glosses.relations("dog", "a small dog", {"dog"}) == []
    assert glosses.relations("owl", "a night bird", {"bird"}) == ["An owl is a kind of bird."]
    assert glosses.relations("owl", "a night bird", set()) == []


# Only what a dictionary says about young animals and work

RELATIONS_KNOWN = frozenset("puppy pup dog wolf baker sparrow bird".split())


def test_lines_about_young_animals_and_work_are_kept_if_every_word_is_a_single_token(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text(
        "puppy, whelp, pup: a young dog. They bought a puppy.\n"
        "sparrow: any small bird.\n"
        "baker, sparrow-seller: someone who bakes bread; not cakes.\n"
        "tiddler: a young fish.\n\n"
        "no line of a dictionary\n"
    )
    assert list(relations.rewrite([glosses], RELATIONS_KNOWN)) == [
        [
            "The young of a dog is a puppy. A baby dog is a puppy. A puppy grows up to be a dog. "
            "The young of a dog is a pup. A baby dog is a pup. A pup grows up to be a dog."
        ],
        ["A baker bakes bread."],
    ]


def test_an_animal_of_several_tokens_is_not_used_as_a_parent() -> None:
    assert relations.sentences("pup: young of the wolf.", RELATIONS_KNOWN)
    assert relations.sentences("pup: young of the dormouse.", RELATIONS_KNOWN) == []


# Relatives, such as aunts, from a dictionary

KIN_KNOWN = frozenset("aunt father mother queen king son prince sparrow bird niece brother".split())


def test_lines_about_relatives_are_also_written_from_the_other_side_if_each_word_is_a_single_token(
    tmp_path: Path,
) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text(
        "aunt, auntie: the sister of your father or mother; the wife of your uncle.\n"
        "queen: the wife or widow of a king.\n\n"
        "niece: a daughter of your brother or sister.\n"  # "sister" is not a known word in this test
        "sparrow: any small bird.\n"
        "prince: a male member of a royal family other than the sovereign.\n"
    )
    assert list(kin.rewrite([glosses], KIN_KNOWN)) == [
        [
            "My father's sister is my aunt. Your father's sister is called your aunt. "
            "My aunt is the sister of my father. My mother's sister is my aunt. "
            "Your mother's sister is called your aunt. My aunt is the sister of my mother."
        ],
        ["A king's wife is a queen. A king's wife is called a queen. A queen is the wife of a king."],
        [
            "My brother's daughter is my niece. Your brother's daughter is called your niece. "
            "My niece is the daughter of my brother."
        ],
    ]


def test_a_longer_definition_has_another_meaning() -> None:
    assert kin.sentences("queen: the wife of a king who reigns.", KIN_KNOWN) == []
    assert kin.sentences("queen: the picture of a king.", KIN_KNOWN) == []


# What things are used for


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ("a cleaning implement for sweeping; bundle of straws", ("for", "sweeping")),
        ("a piece of cutlery with a handle; used to stir or serve food", ("to", "stir or serve food")),
        ("tools, blades for cutting", None),  # unclear which thing is meant
        ("feeling or caused to feel used to pain", None),  # no thing
        ("a device used to do one two three four five six seven", ("to", "do one two three four five six seven")),
        ("a device used to do one two three four five six seven eight", None),  # too long
        ("any small bird", None),
        ("", None),
    ],
)
def test_the_use_of_a_thing_is_read_from_a_definition(definition: str, said: tuple[str, str] | None) -> None:
    assert uses.use(definition) == said


def test_only_known_words_of_a_line_are_written() -> None:
    line = "boiler, tea urn, urn: an (old) vessel; used for boiling. He used to boil."
    assert uses.sentences(line, {"boiler", "tea urn"}) == [
        "A boiler is used for boiling.",
        "You use a boiler for boiling.",
        "For boiling you need a boiler.",
    ]
    assert uses.sentences(line, {"kettle"}) == []


def test_each_line_becomes_a_document(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text("oven: an appliance used for baking.\nsparrow: any small bird.\nurn: a vessel for boiling tea.")
    assert [d[0].split(".")[0] for d in uses.rewrite([glosses], {"oven", "sparrow", "urn"})] == [
        "An oven is used for baking",
        "An urn is used for boiling tea",
    ]


# Days, months, numbers and sums from a dictionary

NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
DAYS = "sunday monday tuesday wednesday thursday friday saturday".split()
MONTHS = "january february march april".split()
LINES = [
    "monday, mon: the second day of the week; the first working day.",
    "tuesday: the third day of the week.",
    "sunday: first day of the week; a day of rest.",
    "saturday: the seventh and last day of the week.",
    "wednesday: the fourth day of the week.",
    "friday: the sixth day of the week.",
    "thursday: the fifth day of the week.",
    "market: a day of the week.",
    "march, mar: the month following february and preceding april.",
    "february: the month following january and preceding march.",
    *(f"{b}, {i}: being one more than {a}." for i, (a, b) in enumerate(pairwise(NUMBERS), 2)),
]
ORDER_KNOWN = frozenset([*DAYS, *MONTHS, *NUMBERS, "mon", "market", *map(str, range(13))])


def test_week_year_and_numbers_are_read_from_a_dictionary_in_any_order() -> None:
    assert order.read(LINES[::-1], ORDER_KNOWN) == (DAYS, MONTHS, NUMBERS)
    assert order.read(["dog: a pet."], ORDER_KNOWN) == ([], [], [])


@given(st.lists(st.text("abc", min_size=1), unique=True, min_size=2, max_size=8).flatmap(st.permutations))
def test_a_chain_is_joined_from_its_links(row: list[str]) -> None:
    links = {two: one for one, two in pairwise(row)}
    assert order.chain(dict(sorted(links.items()))) == row


def test_a_closed_circle_has_no_first_word() -> None:
    assert order.chain({"a": "b", "b": "a"}) == []


def test_every_sum_is_correct() -> None:
    value = {word: i for i, word in enumerate(NUMBERS, 1)}
    seen = set()
    for make, equals, together, leaves, minus in order.sums(NUMBERS):
        one, _, two, _, total = make.lower().rstrip(".").split()
        assert value[one] + value[two] == value[total]
        seen.add((value[one], value[two]))
        for less in (leaves, minus):
            first, _, second, _, third = less.lower().rstrip(".").split()
            assert value[first] - value[second] == value[third]
        assert equals.lower() == f"{one} plus {two} equals {total}."
        assert together.lower() == f"{one} and {two} together are {total}."
    assert seen == {(i, j) for i in range(1, 13) for j in range(1, 13) if i + j <= 12}


def test_no_sum_is_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "LARGEST", 4)
    assert len(list(order.sums(NUMBERS))) == 1 + 2 + 1 + 2  # 1+1, 1+2 both ways, 2+2, 1+3 both ways


def test_the_week_is_a_circle_and_the_numbers_are_not(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text("\n".join(LINES))
    written = [d[0] for d in order.rewrite([glosses], ORDER_KNOWN)]
    assert any(w.startswith("After Saturday comes Sunday.") for w in written)
    assert "Sunday is the first day of the week. The first day of the week is called Sunday." in written
    assert "Saturday is the last day of the week. The last day of the week is called Saturday." in written
    assert any(w.startswith("After eleven comes twelve.") for w in written)
    assert not any("After twelve" in w for w in written)
    assert (
        "One and two make three. One plus two equals three. One and two together are three. Three less two leaves one. "
        "Three minus two equals one." in written
    )


# Opposites found in texts and a dictionary

OPPOSITES_KNOWN = frozenset("hot cold warm king queen big small large".split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is neither hot nor cold.", [("neither", ("cold", "hot"))]),
        ("Either the king or the queen.", [("either", ("king", "queen"))]),
        ("From hot to cold, between big and small.", [("from", ("cold", "hot")), ("between", ("big", "small"))]),
        ("From hot and cold", [("and", ("cold", "hot"))]),  # not “from … to …”
        ("Hot to cold, neither hot or warm.", [("or", ("hot", "warm"))]),
    ],
)
def test_opposites_are_read_from_texts(text: str, found: list) -> None:
    assert list(opposites.contrasts(text, OPPOSITES_KNOWN)) == found


def test_numbers_have_no_opposite_but_words_that_look_like_numbers_can_have_one() -> None:
    ways = Counter({"or": 9, "and": 9, "from": 9})
    for word in "forty thirties thirteenth eighty eleven twelfth iii ninth third".split():
        assert opposites.chosen({(word, "word"): ways}) == [], word
    for word in "north death dirty empty safety youth first between".split():
        assert opposites.chosen({(word, "word"): ways}) == [((word, "word"), 20)]


def test_a_pair_needs_good_ranks_and_many_wordings_or_a_smaller_distance_in_the_dictionary() -> None:
    counts = {
        ("cold", "hot"): Counter({"neither": 4, "or": 9, "and": 9}),
        ("hot", "warm"): Counter({"either": 1, "or": 1, "and": 1}),  # second choice of hot, but only in three wordings
        ("big", "small"): Counter({"or": 400, "and": 900}),  # in two wordings
        ("king", "queen"): Counter({"both": 1, "and": 1, "or": 1}),
        ("new", "old"): Counter({"or": 9, "and": 9, "from": 1, "both": 1}),
        ("old", "young"): Counter({"or": 4, "and": 4, "from": 1, "both": 1}),  # second choice of old, in four wordings
        ("forty", "thirty"): Counter({"or": 9, "and": 9, "from": 9}),  # numbers
        ("far", "near"): Counter({"or": 9}),  # in one wording
    }
    assert set(opposites.chosen(counts)) == {
        (("cold", "hot"), 20),
        (("king", "queen"), 20),
        (("big", "small"), 2),
        (("new", "old"), 20),
        (("old", "young"), 2),
    }
    assert opposites.chosen(counts)[0] == (("big", "small"), 2)  # the strongest comes first


def test_opposites_are_close_in_the_dictionary(tmp_path: Path) -> None:
    glosses, text = tmp_path / "glosses.txt", tmp_path / "text.txt"
    between = "\n".join(f"word{i}: a thing." for i in range(20))
    few = "\n".join(f"other{i}: a thing." for i in range(2))
    glosses.write_text(
        f"hot: of heat.\nwarm: less so.\ncold, chilly: not so.\nking: a man.\n{between}\nqueen: a woman.\n"
        f"big: of size.\n{few}\nsmall: not so."
    )
    contrast = "Neither {0} nor {1}. Either {0} or {1}. From {0} to {1}."
    written = [contrast.format(*pair) for pair in (("hot", "cold"), ("king", "queen"))]
    text.write_text("\n".join([*written, "From big to small. Big or small."]))  # two wordings: three lines are too many
    (document,) = opposites.rewrite([glosses, text], OPPOSITES_KNOWN)
    assert document == [" ".join(opposites.sentences("cold", "hot"))]
    glosses.write_text(glosses.read_text().replace("other1: a thing.\n", ""))
    assert len(list(opposites.rewrite([glosses, text], OPPOSITES_KNOWN))) == 2
