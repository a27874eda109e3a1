"""Formulas: read from text with every sentence of refusal, nodes made by hand, and their value over a model's rows."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embtools import evaluate
from embtools.formula import parser
from embtools.formula.expression import Call, Number, Word, as_analogy, coefficients, from_coefficients, value, words
from embtools.formula.parser import parse, parse_equation

PLANE = {
    "a": np.array([1.0, 0.0]),
    "b": np.array([0.0, 1.0]),
    "B": np.array([0.0, 1.0]),
    "5:b": np.array([0.0, 1.0]),
    "c": np.array([2.0, 2.0]),
    "d": np.array([3.0, 4.0]),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a - b + c", [3, 1]),
        ("a - (b + c)", [-1, -3]),
        ("(a + b) / 2", [0.5, 0.5]),
        ("0.7*a + 0.3*b", [0.7, 0.3]),
        ("a * 2 * 3", [6, 0]),
        ("d / 2 / 5", [0.3, 0.4]),
        (".5 * d", [1.5, 2]),
        ("2. * a", [2, 0]),
        ("(1 + 2) * a", [3, 0]),
        ("-a", [-1, 0]),
        ("--a", [1, 0]),
        ("2 * (a - (b - 3 * (c + d)))", [32, 34]),
        ("project(d, a)", [3, 0]),
        ("project(d, 5 * b - b)", [0, 4]),
        ("reject(d, a)", [0, 4]),
        ("reject(d, a + b)", [-0.5, 0.5]),
        ("unit(d)", [0.6, 0.8]),
        ("unit(a - a)", [0, 0]),
        ("mean(a, b, c)", [1, 1]),
        ("unit (d) * 10", [6, 8]),
        ("B IS TO a AS d IS TO", [4, 3]),
        ('"b" is to "a" as d is to ___', [4, 3]),
        ("a − b × 2 ÷ 4", [1, -0.5]),
        ("“a” – b", [1, -1]),
        ("a\n-\tb", [1, -1]),
        ("‘a’ － b ⋅ 2 + 'b'", [1, -1]),
        ("\ufeffa\u200b - b.", [1, -1]),
        ("a - b = ?", [1, -1]),
        ("Mean（a，b，c）", [1, 1]),
        ("b : a :: d : ?", [4, 3]),
        ("b is to a as d is to what?", [4, 3]),
        ("5:b is to 'a' as 'd' is to '?'.", [4, 3]),
    ],
)
def test_value_by_hand(text, expected):
    np.testing.assert_allclose(value(parse(text), PLANE.__getitem__), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("rome", "rome"),
        ("##ing", "##ing"),
        ("[MASK]", "[MASK]"),
        ("Москва", "Москва"),
        ('"new york"', "new york"),
        ('"1990"', "1990"),
        ('"—"', "—"),
        ('"c++"', "c++"),
        ("mean", "mean"),
        ('" spaced "', "spaced"),
        ("don’t", "don't"),
        ("cafe\u0301", "café"),
        ("«new york»", "new york"),
        ("\"'king'\"", "'king'"),
    ],
)
def test_words(text, word):
    assert parse(text) == Word(word)
    assert parse(str(Word(word))) == Word(word)


def test_an_edit():
    edit = parse_equation(' rome= rome - italy + "france" ')
    assert (edit.target, str(edit.expression)) == ("rome", "rome - italy + france")
    assert str(edit) == "rome = rome - italy + france"
    assert parse_equation('"=" = "=" + "+"').target == "="
    assert parse_equation("rome = italy is to rome as france is to ?") == parse_equation("rome = rome - italy + france")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" \n\t", "The formula is empty. Try king - man + woman."),
        ("king +", "Something is missing after '+'. Add a word"),
        ("* king", "At the start, there are two operators in a row, or a word is missing"),
        ("king * / man", "At character 8 (after '*'), there are two operators in a row"),
        ("king − × man", "At character 8 (after '-'), there are two operators in a row"),
        ("king man", "At character 6 (after 'king'), an operator is missing before 'man'. Write + or -"),
        ("2 king", "an operator is missing before 'king'. Write + or - between two words, and * after a number"),
        ("king * man", "'king * man' multiplies two words. A word can only be multiplied by a number"),
        ("king / man", "divides by a word. Only a number can follow '/'"),
        ("king / 0", "'king / 0' divides by zero. Use another number."),
        ("king * (1 / (2 - 2))", "divides by zero"),
        ("king + 2", "mixes a number and a word. Write 2 * king"),
        ("2", "'2' is a number, not a vector. Name at least one word."),
        ("(king", "A parenthesis is not closed. Add ) at the end."),
        ("king)", "At character 5 (after 'king'), there is a ')' without a '('. Remove it."),
        ("()", "something is missing before ')'"),
        ("king, man", "there is a comma. Use commas only between the arguments"),
        ("0,5 * king", "At character 2 (after '0'), there is a comma. Write a point in numbers, such as 0.5."),
        ("norm(king)", "norm is not a function. Use project, reject, unit, mean"),
        ("project(king)", "project takes two expressions, but here it has 1. Write it like project(nurse, she - he)"),
        ("unit(king, man)", "unit takes one expression, but here it has 2"),
        ("mean(2, king)", "mean works on words, not on plain numbers"),
        ("king ^ 2", "the character '^' has no meaning in a formula. Powers are not possible"),
        ("king?", "Write an analogy as man is to king as woman is to ?"),
        ("king[0]", "the character '[' has no meaning in a formula. Special tokens are written like [MASK]"),
        (
            "R&D",
            "the character '&' has no meaning in a formula. If it belongs to a word, put the word into quotes: \"R&D\"",
        ),
        ('"king', "a quotation mark is not closed. Add a second one."),
        ('""', "nothing between the quotation marks"),
        ("king = man", "but only an expression is expected here. Remove the '=' and the word before it."),
        ("king - man + woman = queen", "Remove the '=' and what follows it."),
        ("man is to king as woman is to queen", "already ends with 'queen'. Write ? instead of this word."),
        ("__import__('os')", "has no meaning in a formula"),
        ("9" * 400 + " * king", "too large"),
        ("king " * 100 + "x", "The formula has 501 characters; at most 500 are read. Shorten it."),
        ("+".join(["a"] * 51), "The formula has 51 terms; at most 50 are read"),
        ("-" * 300 + "a", "The formula has 300 operators and parentheses; at most 200"),
        ("mean(" + ", ".join(["a"] * 51) + ")", "The formula has 51 terms"),
    ],
)
def test_refusals(text, sentence):
    with pytest.raises(ValueError) as error:
        parse(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rome - italy", "An edit needs a word, '=' and an expression, such as rome = rome - italy + france."),
        ("= rome", "The left side of '=' is empty. Write the word there"),
        ("rome =", "The right side of '=' is empty. Write what rome should become"),
        ("rome = a = b", "At character 10 (after 'a'), there is a second '='. Write one edit per line."),
        ("rome + 1 = a", "The left side of '=' must be one word, not 'rome + 1'. Put the expression on the right"),
        ("rome = a *", "Something is missing after '*'"),
    ],
)
def test_refused_edits(text, sentence):
    with pytest.raises(ValueError) as error:
        parse_equation(text)
    assert sentence in str(error.value)


FORMULA_SIGNS = st.text("ab1. +-*/()\"=,?#[]'−×“”^", max_size=60)
FRAGMENTS = st.lists(
    st.sampled_from(
        ["king", "man", " ", "+", "-", "*", "/", "(", ")", "=", "2", "0", ".5", ",", "project", "unit(", "mean(", '"']
        + ["is to", " as ", "?", "[MASK]", "##s", "don't", "−", "9" * 400]
    ),
    max_size=30,
).map("".join)


@given(st.one_of(st.text(max_size=600), FORMULA_SIGNS, FRAGMENTS))
@example("-" * 200 + "a")
@example("(" * 200 + "a" + ")" * 200)
@example("a/(1-1/(2-1))")
@example("-(" * 99 + "a" + ")" * 99)
@example("unit(" * 83 + "a")
def test_any_text_is_read_or_refused(text):
    for read in (parse, parse_equation):
        try:
            found = read(text)
        except ValueError as error:
            assert str(error).endswith((".", "?", ")", '"')), str(error)
            continue
        # What was read can be read again, and evaluated or refused.
        assert read(str(found)) == found
        expression = found if read is parse else found.expression
        try:
            result = value(expression, lambda word: np.array([1.0, len(word)], np.float32))
        except ValueError:
            continue
        assert np.isfinite(result).all()


NUMBERS = st.floats(0, 1e6, allow_subnormal=False).map(Number)
PLAIN = st.sampled_from("abcd").map(Word)
TYPED = st.one_of(
    PLAIN,
    st.sampled_from(["new york", "c++", "1", "=", "-", "##s", "[MASK]", "mean", "project", "o'clock", "a=b", "—"]).map(
        Word
    ),
)


def trees(words, functions=True):
    """Well-formed vector trees: what the parser can give."""

    def grow(inner):
        factor = st.floats(0.1, 10).map(Number)
        branches = [
            st.builds(lambda n, x, y: Call(n, (x, y)), st.sampled_from(["add", "subtract"]), inner, inner),
            st.builds(lambda x: Call("negate", (x,)), inner),
            st.builds(lambda x, f: Call("multiply", (x, f)), inner, factor),
            st.builds(lambda x, f: Call("multiply", (f, x)), inner, factor),
            st.builds(lambda x, f: Call("divide", (x, f)), inner, factor),
            st.builds(lambda x, f, g: Call("divide", (x, Call("divide", (f, g)))), inner, factor, factor),
            st.lists(inner, min_size=1, max_size=3).map(lambda a: Call("mean", tuple(a))),
        ]
        if functions:
            branches += [
                st.builds(lambda n, x, y: Call(n, (x, y)), st.sampled_from(["project", "reject"]), inner, inner),
                st.builds(lambda x: Call("unit", (x,)), inner),
            ]
        return st.one_of(branches)

    return st.recursive(words, grow, max_leaves=6)


@example(Call("subtract", (Word("a"), Call("subtract", (Word("b"), Word("c"))))))
@given(trees(TYPED))
def test_a_tree_is_printed_so_that_it_is_read_again(tree):
    text = str(tree)
    if len(text) <= parser.MAX_CHARACTERS:
        assert parse(text) == tree
        assert parse_equation(f"rome = {text}").expression == tree


@given(NUMBERS, PLAIN)
def test_a_number_is_printed_in_full(number, word):
    tree = Call("multiply", (number, word))
    assert parse(str(tree)) == tree


@given(trees(PLAIN, functions=False))
def test_weights_say_what_the_value_says(tree):
    weights = coefficients(tree)
    summed = sum(w * PLANE[word] for word, w in weights.items())
    np.testing.assert_allclose(value(tree, PLANE.__getitem__), summed, atol=1e-9, rtol=1e-9)
    assert set(weights) == set(words(tree))
    if any(weights.values()):
        again = from_coefficients(weights)
        np.testing.assert_allclose(value(again, PLANE.__getitem__), summed, atol=1e-9, rtol=1e-9)


@given(trees(PLAIN, functions=False), st.permutations(["a", "b", "c", "d"]))
def test_the_two_spellings_of_an_analogy(tree, names):
    spelling = as_analogy(tree)
    if spelling is not None:
        assert coefficients(parse(spelling)) == coefficients(tree)
    a, b, c, _ = names
    for text in (f"{b} - {a} + {c}", f"{b} + {c} - {a}", f"-{a} + {b} + {c}"):
        assert as_analogy(parse(text)) == f"{a} is to {b} as {c} is to ?"
    assert parse(f"{a} is to {b} as {c} is to ?") == parse(f"{b} - {a} + {c}")


X, Y = Word("a"), Word("b")


def test_value_leaves_the_vectors_alone():
    before = {word: vector.copy() for word, vector in PLANE.items()}
    value(Call("add", (X, Call("mean", (X, Y)))), PLANE.__getitem__)
    for word, vector in before.items():
        np.testing.assert_array_equal(PLANE[word], vector)


def test_values_without_a_length_and_too_large_ones_are_refused():
    with pytest.raises(ValueError, match="no length"):
        value(Call("project", (X, Call("subtract", (Y, Y)))), PLANE.__getitem__)
    with pytest.raises(ValueError, match="too large"):
        value(Call("multiply", (Number(1e308), Call("add", (X, X)))), PLANE.__getitem__)
    assert math.isfinite(value(parse("1000000 * a"), PLANE.__getitem__)[0])
    with pytest.raises(ValueError, match="too large"):
        value(parse("9" * 300 + " * 9999999999 * a"), PLANE.__getitem__)


def test_weights_of_functions_are_none_and_words_are_each_once_in_order():
    for name in ("unit", "project", "reject"):
        assert coefficients(Call("add", (X, Call(name, (X, Y))))) is None
    assert coefficients(Call("mean", (X, Y))) == {"a": 0.5, "b": 0.5}
    assert coefficients(Call("subtract", (X, X))) == {"a": 0.0}
    assert words(Call("mean", (Y, Call("add", (X, Y)), Number(2)))) == ("b", "a")
    assert not any(as_analogy(each) for each in (Call("add", (X, Y)), Call("unit", (X,)), X))


def test_a_sum_from_weights():
    assert str(from_coefficients({"x": -1, "y": 2, "z": 0})) == "-x + 2 * y"
    assert str(from_coefficients({"x": -0.5, "new york": -1})) == '-(0.5 * x) - "new york"'
    with pytest.raises(ValueError, match="All terms cancel out"):
        from_coefficients({"x": 0})


def test_the_unit_of_words_that_cancel_out_is_nothing() -> None:
    king = np.array([0.3, 0.7, -0.2])
    rounded = 0.1 * king + 0.2 * king - 0.3 * king
    assert rounded.any()
    assert not value(Call("unit", (Word("king"),)), lambda _: rounded).any()
    assert np.linalg.norm(value(Call("unit", (Word("king"),)), lambda _: king)) == pytest.approx(1)


def test_a_formula_is_evaluated_in_the_models_rows_and_its_value_is_a_copy(tiny):
    r = {word: tiny.matrix[i].astype(np.float64) for word, i in tiny.ids.items()}
    axis = r["she"] - r["he"]
    expected = r["king"] - r["king"] @ axis / (axis @ axis) * axis + 0.5 * r["##ing"]
    result = evaluate("reject(king, she - he) + 0.5 * ##ing", tiny)
    assert result.dtype == np.float32 and result.shape == (16,)
    np.testing.assert_allclose(result, expected, atol=1e-6)
    result = evaluate("rome - rome + king", tiny)
    result[:] = 0
    np.testing.assert_array_equal(evaluate("king", tiny), tiny.vector("king"))
