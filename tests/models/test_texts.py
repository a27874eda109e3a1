"""What a model reads: words and their tokens, unknown words, other languages, capitals, sentence pairs."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest
import torch
from hypothesis import given, strategies
from transformers import AutoTokenizer, BertForPreTraining

from embtools import next_sentence
from embtools.mask_filling.answers import fill_mask
from embtools.models import spelling
from embtools.models.catalogue import CATALOGUE
from embtools.models.loading import load_model
from embtools.models.reading_notes import reading_notes
from embtools.models.sentence_order import next_sentences
from embtools.models.text_reader import MAX_CHARACTERS, TextReader, is_foreign
from embtools.models.unknown_words import UnknownWord, one_slip, similar
from tests.conftest import make_tiny

# Texts are read as the tokenizer of transformers reads them, within limits, also from many threads


@pytest.fixture(scope="module")
def reader(tokenizer):
    return TextReader(tokenizer, 64)


def test_empty_and_long_texts_are_refused(reader):
    for texts in (("",), ("  \n",), ("The king.", "")):
        for read in (reader.encoding, reader.unlimited):
            with pytest.raises(ValueError, match=r"The text is empty\. Write a sentence\."):
                read(*texts)
    assert len(reader.unlimited("x" * MAX_CHARACTERS).ids) == 3
    with pytest.raises(ValueError, match=r"has 5,001 characters; at most 5,000 are read\. Shorten it"):
        reader.unlimited("x" * (MAX_CHARACTERS + 1))
    assert len(reader.encoding("a " * 62).ids) == 64
    with pytest.raises(ValueError, match=r"65 tokens with \[CLS\] and \[SEP\], but this model reads 64 at most"):
        reader.encoding("a " * 63)
    assert len(reader.unlimited("a " * 63).ids) == 65


def test_limits_of_the_given_tokenizer_are_lifted(tiny_folder):
    limited = AutoTokenizer.from_pretrained(tiny_folder)
    limited.backend_tokenizer.enable_truncation(5)
    limited.backend_tokenizer.enable_padding(length=9)
    text = "a a a a a"
    assert TextReader(limited, 64).encoding(text).ids == AutoTokenizer.from_pretrained(tiny_folder)(text)["input_ids"]


def test_the_checksum_is_that_of_all_settings(reader, tokenizer, tiny_folder, tiny_cased):
    assert reader.checksum == TextReader(AutoTokenizer.from_pretrained(tiny_folder), 5).checksum
    assert reader.checksum != tiny_cased.tokenizer_checksum


def test_a_word_of_the_vocabulary_is_read_as_the_tokenizer_reads_it(bundled, tiny_cased):
    for model in (bundled, tiny_cased):
        for word in model.vocabulary[::5]:
            if not word.startswith("##") and word not in model.special:
                for written in (word, word.title(), word.upper()):
                    expected = tuple(model.vocabulary[i] for i in model.words(written)[0][1:-1])
                    assert model.pieces(written) == expected, written


def test_words_have_their_positions_in_the_text(bundled):
    text = "Don't embed Café-goers, at the BANK 😀!"
    ids, places = bundled.words(text)
    frame = bundled.tokenize(text)
    assert ids == frame["id"].tolist()
    for (first, tokens, start, end), (_, rows) in zip(places, frame[frame["word"] >= 0].groupby("word"), strict=True):
        assert rows["position"].tolist() == list(range(first, first + tokens))
        spelling = "".join(rows["token"]).replace("##", "")
        assert spelling == "[UNK]" or spelling == text[start:end].lower().replace("é", "e")
    assert len(bundled.words("word " * 900)[1]) == 900  # more than the model reads at once
    for wrong in (" ", "x" * 5_001):
        with pytest.raises(ValueError):
            bundled.words(wrong)


def test_the_tokenizer_serves_many_threads(tiny):
    texts = ["The " * n + "king" for n in range(1, 41)]
    alone = [list(tiny.tokenize(text)["id"]) for text in texts]
    order = [i for i in range(len(texts)) for _ in range(10)]
    random.Random(0).shuffle(order)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(16) as pool:
            found = list(pool.map(lambda i: list(tiny.tokenize(texts[i])["id"]), order))
    finally:
        sys.setswitchinterval(interval)
    assert all(ids == alone[i] for i, ids in zip(order, found, strict=True))


# Suggestions for unknown words: one typing error, checked with an independent count of errors

WORD = strategies.text("abc", max_size=5)


def distance(a: str, b: str) -> int:
    """The number of typing errors between two words (Damerau 1964, each letter moved at most once), by a table."""
    table = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = a[i - 1] != b[j - 1]
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(WORD, WORD)
def test_one_typing_error_is_a_distance_of_one(a: str, b: str) -> None:
    assert one_slip(a, b) == (distance(a, b) == 1)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("lodnon", ["london"]),
        ("qeen", ["queen", "seen"]),
        ("london", ["London"]),
        ("frankreich", []),
        ("it", []),
        ("x" * 31, []),
    ],
)
def test_words_one_typing_error_away(word: str, found: list[str]) -> None:
    vocabulary = ["the", "seen", "london", "London", "italy", "queen", "nikola", "frankish", "is", "x" * 30]
    assert similar(word, [other for other in vocabulary if word != "lodnon" or other != "London"]) == found


def test_no_more_than_asked_for_and_in_their_order() -> None:
    assert similar("bat", ["cat", "bad", "bar", "rat", "but"], k=4) == ["bad", "bar", "but", "cat"]


@pytest.mark.parametrize(
    ("tokens", "near", "reads", "message"),
    [
        (("[UNK]",), (), "", "'kking' is not in the vocabulary. Use a word that is a single token."),
        ((), ("king",), "German", "'kking' is not in the vocabulary. Did you mean king?"),
        (("k", "##king"), (), "German", "'kking' is not a single token (k ##king). This model reads German. Use a word that is a single token."),
        (["k"] * 9, ("king",), "", f"'kking' is not a single token ({'k ' * 8}…). Did you mean king?"),
    ],
)  # fmt: skip
def test_the_error_names_the_tokens_and_what_can_be_done(tokens, near, reads, message) -> None:
    error = UnknownWord.of("kking", tokens, near, reads)
    assert (str(error), error.word, error.near) == (message, "kking", near)


# What a model cannot read: signs with a plain form, unknown signs, and sentences in other languages

STYLED = "The ﬁre in the oﬃce was very [MASK]."


def test_ligatures_and_styled_letters_are_read_as_plain_ones(bundled) -> None:  # type: ignore[no-untyped-def]
    plain = fill_mask("The fire in the office was very [MASK].", bundled)
    assert fill_mask(STYLED, bundled).equals(plain) and plain["token"][0] == "intense"
    assert "ﬃ as ffi" in reading_notes(STYLED, bundled)[0]
    assert [STYLED[start:end] for *_, start, end in bundled.words(STYLED)[1]][4] == "oﬃce"
    assert bundled.pieces("𝐛𝐨𝐥𝐝") == bundled.pieces("bold") and bundled.pieces("ｒｏｍｅ") == ("rome",)


def test_signs_that_are_tokens_stay_and_unknown_ones_are_named(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    assert bundled.pieces("½") == ("½",) and bundled.pieces("…") == ("…",)
    assert reading_notes("It is ½ of it …", bundled) == ()
    assert "🍕" in reading_notes("I love 🍕.", bundled)[0]
    assert any("This model reads English" in note for note in reading_notes("北京是[MASK]的首都。", bundled))
    monkeypatch.setitem(CATALOGUE, "bundled", replace(CATALOGUE["bundled"], reads="German"))
    assert reading_notes("Das Haus ist in der Stadt, und der Hund ist nicht da.", bundled) == ()


# Which sentences a model that reads English takes for another language: 30 of each kind, half of them new to the rule

# fmt: off
ENGLISH = (
    "Giuseppe Verdi met Francesca in Bologna.", "Nguyen and Oluwaseun went to Reykjavik.",
    "The Zugspitze is in Bavaria.", "Björk sings in Reykjavík.", "Kierkegaard lived in Copenhagen.",
    "My friend Aleksandra moved to Wroclaw.", "Schwarzenegger governed California.",
    "Thiruvananthapuram is a city in Kerala.", "Erdogan met Zelenskyy in Istanbul.",
    "Photosynthesis needs chlorophyll.", "I like sushi.", "The acetylcholinesterase inhibitors worked.",
    "Ms. Okonkwo teaches biology.", "Saoirse Ronan is an actress.", "Popocatepetl erupted yesterday.", "Hello!",
    "Kowalczyk emailed Papadopoulos.", "Federer beat Djokovic in Wimbledon.", "Mozart died in Vienna.",
    "Uncle Giovanni cooks ravioli.", "Ahmed drove to Casablanca.", "Macchu Picchu attracts tourists.",
    "Zlatan Ibrahimovic left Milan.", "Tchaikovsky composed Swan Lake.", "Mississippi floods often.", "Dogs bark.",
    "Ludwig van Beethoven was born in Bonn.", "El Greco lived in Toledo.", "Kazuo Ishiguro won the Nobel Prize.",
    "Uzbekistan borders Turkmenistan.", "Il Duce ruled Italy.", "Paella contains saffron.",
)
OTHERS = (
    "Москва — столица [MASK].", "北京是[MASK]的首都。", "Η Αθήνα είναι πόλη.", "القاهرة عاصمة مصر.", "ירושלים היא עיר.",
    "Berlin ist die Hauptstadt von [MASK].", "Der Hund schläft im Garten.", "Ich habe gestern ein Buch gelesen.",
    "Le chat dort sur la chaise.", "Je ne sais pas ce qu'il veut dire.", "Les enfants jouent dans le jardin.",
    "Los niños juegan en la calle.", "Roma è la capitale d'[MASK].", "Il gatto dorme sulla sedia.",
    "Köpek bahçede uyuyor.", "Das Wetter ist heute schön.", "Wo ist der Bahnhof?", "Meine Mutter kocht Suppe.",
    "Elle mange une pomme.", "Nous habitons à Lyon.", "La tour Eiffel est à Paris.", "Me gusta mucho la música.",
    "Buongiorno, come stai?", "La mia casa è molto grande.", "Mangiamo la pizza stasera.", "Eu gosto de música.",
    "Hun bor i Oslo med sin mor.", "Mam na imię Anna.", "Praha je hlavní město.", "Budapest Magyarország fővárosa.",
)
# fmt: on


def test_no_english_sentence_with_names_and_most_others_are_foreign(bundled) -> None:  # type: ignore[no-untyped-def]
    foreign = partial(is_foreign, words_of=bundled.words)
    assert [sentence for sentence in ENGLISH if foreign(sentence)] == []
    assert len(OTHERS) == 30 and sum(map(foreign, OTHERS)) == 24


# Capitals for texts of the app: only what a cased model needs, and nothing for an uncased one


def test_an_uncased_model_leaves_a_text_as_it_is(tiny):
    assert not tiny.cased and spelling.capitalised("rome = rome - italy", tiny) == "rome = rome - italy"


CAPITALISED = {
    "a formula": ("rome = rome - italy + france", "", "Rome = Rome - Italy + France"),
    "words that need none": ("king - man + woman", "", "king - man + woman"),
    "a list of names takes all that can": ("italy, paris, france, the", "", "Italy, Paris, France, the"),
    "small words around one name": ("the king of rome in paris", "", "the king of Rome in paris"),
    "the sentence's spelling goes first": ("paris = paris - king", "Paris is the capital.", "Paris = Paris - king"),
    "groups by name": ("italy: rome\nfrance: paris", "", "Italy: Rome\nFrance: Paris"),
    "edits behind a bar": (
        "the king of rome | rome = rome - italy\nrome", "", "the king of rome | Rome = Rome - Italy\nrome",
    ),
    "unknown words and signs": ("bonn, [MASK], {word}, rome2, ##rome", "", "bonn, [MASK], {word}, rome2, ##rome"),
}  # fmt: skip


@pytest.mark.parametrize("text, context, expected", CAPITALISED.values(), ids=CAPITALISED)
def test_a_cased_model_gets_its_capitals(tiny_cased, text, context, expected):
    assert tiny_cased.cased and spelling.capitalised(text, tiny_cased, context=context) == expected


def test_a_word_may_have_capitals_inside(tmp_path):
    model = load_model(str(make_tiny(tmp_path, words=["YouTube", "Google", "is", "."], cased=True)))
    assert spelling.capitalised("youtube - google", model) == "YouTube - Google"
    assert spelling.capitalised_words(("youtube", "is"), model) == ("YouTube", "is")
    assert spelling.capitalised_words((), model) == ()


# Does the second sentence follow the first: against the Hugging Face network

PAIRS = [("The king.", "The river bank."), ("Rome is red.", "She works as a king."), ("unable", "The " * 30)]


def test_one_pair_or_many_have_the_probabilities_of_the_network(tiny, tiny_folder):
    network, tokenizer = (
        BertForPreTraining.from_pretrained(tiny_folder).eval(),
        AutoTokenizer.from_pretrained(tiny_folder),
    )
    with torch.no_grad():
        outputs = [network(**tokenizer(*pair, return_tensors="pt")).seq_relationship_logits for pair in PAIRS]
    expected = [float(logits.softmax(-1)[0, 0]) for logits in outputs]
    reported: list[float] = []
    assert [next_sentence(*pair, tiny) for pair in PAIRS] == pytest.approx(expected, abs=1e-6)
    assert next_sentences(PAIRS * 3, tiny, progress=reported.append).tolist() == pytest.approx(expected * 3, abs=1e-6)
    assert reported[-1] == 1 and next_sentences([], tiny).shape == (0,)
