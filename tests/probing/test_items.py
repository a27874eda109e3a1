import pytest

from embtools import wordlists
from embtools.probing.items import MAX_ITEMS, TASKS, Item, built_in, check, read, read_items

LINES = "\n".join(f"{label} | w{label}{n} | Here w{label}{n} stands." for label in "ab" for n in range(5))


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_two_hundred_different_items(task):
    items = check(built_in(task))
    assert len(items) >= 200 and len(set(items)) == len(items)
    assert len({item.sentence for item in items}) == len(items)  # no sentence in two folds
    counts = [sum(item.label == label for item in items) for label in {item.label for item in items}]
    assert len(set(counts)) == 1
    assert all(bool(item.word) == (task != "topic") for item in items)


def test_topics_are_those_of_the_corpus():
    topic = dict(wordlists.load("corpus")[["sentence", "topic"]].to_numpy())
    assert all(topic[item.sentence] == item.label for item in built_in("topic"))


def test_the_error_for_an_unknown_task_names_the_known_ones():
    with pytest.raises(ValueError, match="no task 'x'.*tense, part of speech, number, topic"):
        built_in("x")


def test_lines_of_words_and_of_sentences():
    items = read_items(LINES + "\n\n")
    assert len(items) == 10 and items[0] == Item("Here wa0 stands.", "a", "wa0")
    sentences = read_items("\n".join(f"{label} | s{label}{n}" for label in "ab" for n in range(5)))
    assert sentences[9] == Item("sb4", "b") and sentences[9].type == "sb4"


def test_a_table_is_read_in_any_order_of_columns_with_quotes_and_a_mark():
    rows = [f'{n % 2 or 2},"A, {n}",w{n},{"xy"[n % 2]}' for n in range(10)]
    text = "\ufeffOccurrence,Sentence,WORD,label\n" + "\n".join(rows)
    items = read_items(text)
    assert items[0] == Item("A, 0", "x", "w0", 2) and items[1] == Item("A, 1", "y", "w1", 1)
    assert read(text.encode()).value == items
    assert read_items("sentence,label\n" + "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)))[1] == Item("s1", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There are no items"),
        ("a b c", "There is no item. Write label | word | sentence.*line 1"),
        ("sentence,label\n", "no rows below its first line"),
        ("sentence,label\nA,", "the label is missing: line 2 .'A'"),
        ("sentence,label,occurrence\nA,x,0", "occurrence is '0'"),
        ("sentence,label,occurrence\nA,x,two", "occurrence is 'two'"),
        (LINES.replace("b | ", "a | "), "only one label, 'a'"),
        (LINES.replace("b |", "c |", 4), "label 'b' has 1 different word, but 5 are needed.*Add 4."),
        ("\n".join(f"l{n} | s{n} {m}" for n in range(13) for m in range(5)), "13 labels, but at most 12 are allowed"),
        ("x" * 200_001, "200,001 characters"),
    ],
)
def test_errors_say_what_to_do(text, message):
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        read_items(text)


@pytest.mark.parametrize(
    ("more", "note"),
    [
        (" | x | y", "Left out, because the label is missing: line 11 ('x')."),
        ("b | a sentence", "Left out, because it has no word, as the others have: line 11 ('a sentence')."),
        ("a | wa0 | Here wa0 stands.", "Left out, because it occurs before: line 11 ('wa0')."),
        ("c | x | x y", "Left out, because a label needs at least 5 different items: 'c' (1)."),
    ],
)
def test_what_is_left_out_is_named(more, note):
    found = read(f"{LINES}\n{more}")
    assert found.value == read_items(LINES) and found.notes == (note,)


def test_the_first_items_of_a_long_list_are_used():
    found = read("\n".join(f"{'ab'[n % 2]} | s{n}" for n in range(MAX_ITEMS + 1)))
    assert len(found.value) == MAX_ITEMS and found.notes == ("Only the first 1,000 of 1,001 items are used.",)
    with pytest.raises(ValueError, match="1,001 items, but at most 1,000 are allowed"):
        check([Item(f"s{n}", "a") for n in range(MAX_ITEMS + 1)])
    with pytest.raises(ValueError, match="Label either words or sentences, not both"):
        check([*found.value, Item("a b", "a", "b")][1:])
    with pytest.raises(ValueError, match="twice: s1"):
        check([*found.value[1:], found.value[1]])
