import pytest

from embtools import wordlists
from embtools.probing.items import MAX_ITEMS, TASKS, Item, built_in, check, from_csv, read_items

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
    assert read_items(from_csv(text.encode())) == items
    assert read_items("sentence,label\n" + "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)))[1] == Item("s1", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There are no items"),
        ("a b c", "Line 1 is not an item: 'a b c'. Write label | word | sentence"),
        (LINES + "\n | x | y", "Line 11 is not an item"),
        ("sentence,label\n", "no rows below its first line"),
        ("sentence,label\nA,x\nB,", "Row 3 has no label"),
        ("sentence,label,occurrence\nA,x,0", "occurrence is '0'"),
        ("sentence,label,occurrence\nA,x,two", "occurrence is 'two'"),
        (LINES + "\nb | a sentence", "Label either words or sentences, not both"),
        (LINES + "\na | wa0 | Here wa0 stands.", "twice: wa0"),
        (LINES.replace("b | ", "a | "), "only one label, 'a'"),
        (LINES + "\nc | x | x y", "label 'c' has 1 different word, but 5 are needed.*Add 4."),
        ("\n".join(f"l{n} | s{n} {m}" for n in range(13) for m in range(5)), "13 labels, but at most 12 are allowed"),
        ("a | b\n" * (MAX_ITEMS + 1), "1,001 items, but at most 1,000 are allowed"),
        ("x" * 200_001, "200,001 characters"),
    ],
)
def test_errors_say_what_to_do(text, message):
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        read_items(text)


def test_a_file_in_another_encoding_is_refused():
    with pytest.raises(ValueError, match="UTF-8"):
        from_csv("sentence,label\nStraße,x".encode("latin-1"))
