"""Checks of the word lists: one token, one mask, no repeated rows, a named source."""

import re
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from tokenizers import Tokenizer

from embtools import wordlists

ROOT = Path(wordlists.__file__).parents[1]
TOKENIZER = Tokenizer.from_file(str(ROOT / "bundled" / "tokenizer.json"))
SOURCES = (ROOT / "wordlists" / "SOURCES.md").read_text(encoding="utf-8")

# The columns of each list; every column named in ONE_PIECE holds single word pieces only.
COLUMNS = {
    "analogies": "relation a b c expected",
    "animals": "animal class",
    "bias_templates": "template kind slot",
    "capitals": "capital country continent",
    "cities": "city country",
    "claims": "id text claim published model note",
    "cloze": "id suite sentence answer source",
    "colour_uses": "first second similarity",
    "colours": "colour hex source",
    "continuations": "first second",
    "corpus": "topic sentence",
    "countries": "country continent",
    "days": "day number kind",
    "emotions": "emotion valence",
    "family": "member gender generation",
    "gender_pairs": "female male",
    "glossary": "term definition",
    "groups": "set group word",
    "it_pairs": "sentence referent other",
    "labelled_sentences": "label sentence",
    "locations": "template",
    "minimal_pairs": "phenomenon good bad",
    "months": "month number season",
    "neutral_sentences": "sentence answer",
    "numbers": "number value",
    "occupations": "occupation",
    "offensive": "word kind",
    "probing": "task sentence word occurrence label",
    "professions": "profession field",
    "published": "figure item part value",
    "puzzles": "words odd",
    "questions": "question answer topic",
    "referents": "sentence referent other",
    "relation_sentences": "relation use sentence",
    "relations": "relation a b",
    "repeated": "sentence word",
    "senses": "word sense sentence",
    "sports": "sport kind",
    "training_wordings": "relation wording",
    "verbs": "verb form lemma",
    "weat": "test role group word one_piece",
}
ONE_PIECE = {
    "analogies": "a b c expected",
    "animals": "animal",
    "capitals": "capital country",
    "cities": "city country",
    "colours": "colour",
    "countries": "country",
    "days": "day",
    "emotions": "emotion",
    "family": "member",
    "gender_pairs": "female male",
    "groups": "word",
    "it_pairs": "referent other",
    "months": "month",
    "numbers": "number",
    "occupations": "occupation",
    "offensive": "word",
    "professions": "profession",
    "referents": "referent other",
    "relations": "a b",
    "repeated": "word",
    "senses": "word",
    "sports": "sport",
    "verbs": "verb lemma",
}
# What may not appear twice in a list: a preset colours each of its words in one way only.
UNIQUE = {
    "analogies": "a b c",
    "bias_templates": "template",
    "cloze": "sentence",
    "colour_uses": "first second",
    "corpus": "sentence",
    "gender_pairs": "female male",
    "glossary": "term",
    "groups": "set word",
    "labelled_sentences": "sentence",
    "minimal_pairs": "good",
    "neutral_sentences": "sentence",
    "probing": "task sentence",
    "published": "figure item part",
    "questions": "question",
    "relation_sentences": "relation sentence",
    "relations": "relation a",
    "senses": "sentence",
    "training_wordings": "relation wording",
    "verbs": "verb",
    "weat": "test role word",
}


def pieces(text: str) -> list[str]:
    """The word pieces of a text, without [CLS] and [SEP]."""
    return TOKENIZER.encode(text, add_special_tokens=False).tokens


def test_every_file_is_described_and_only_those() -> None:
    assert wordlists.names() == sorted(COLUMNS)
    assert set(re.findall(r"^\| `(\w+)` \|", SOURCES, flags=re.MULTILINE)) == set(COLUMNS)


def test_the_numbers_in_the_sources_are_those_of_the_lists() -> None:
    corpus, senses = wordlists.load("corpus"), wordlists.load("senses")
    texts = [set(re.findall(r"[a-z]+", text.lower())) for text in (*corpus["sentence"], *senses["sentence"])]
    stated = {
        rf"`corpus` .* {len(corpus)} on {corpus['topic'].nunique()} subjects",
        rf"`corpus` .* built-in corpus of {len(corpus) + len(senses):,} sentences",
        rf"`senses` .* {senses['word'].nunique()} one-token words with two senses each, and four sentences per sense",
        rf"`colours` .* {len(wordlists.load('colours'))} one-token colour words",
        rf"`continuations` .* {len(wordlists.load('continuations'))} pairs of sentences",
        rf"`occupations` .* {len(wordlists.load('occupations'))} one-token occupations",
        rf"`cities` .* cities of {wordlists.load('cities')['country'].nunique()} European countries",
    }
    for sentence in stated:
        assert re.search(rf"^\| {sentence}", SOURCES, flags=re.MULTILINE), sentence
    assert (senses.groupby(["word", "sense"]).size() == 4).all()
    assert (senses.groupby("word")["sense"].nunique() == 2).all()
    assert all(sum(word in text for text in texts) >= 30 for word in ("cold", "warm", "king", "queen", "city", "river"))


def test_each_list_is_complete_and_tidy() -> None:
    for name, columns in COLUMNS.items():
        frame = wordlists.load(name)
        assert list(frame.columns) == columns.split() and len(frame) > 0, name
        for column in frame.columns:
            text = frame[column].astype(str)
            assert (text == text.str.strip()).all() and (text != "").all(), (name, column)
        key = UNIQUE.get(name, columns.split()[0]).split()
        assert not frame.duplicated(key).any(), (name, frame[frame.duplicated(key, keep=False)])


def test_words_are_one_lower_case_token() -> None:
    for name, columns in ONE_PIECE.items():
        for word in wordlists.load(name)[columns.split()].to_numpy().ravel():
            assert pieces(word) == [word], name


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(ValueError, match="'colors'.*Did you mean colours"):
        wordlists.load("colors")
    with pytest.raises(ValueError, match=r"wordlists\.names\(\) returns all names"):
        wordlists.load("../secrets")


def test_words_that_look_like_missing_values_stay_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tricky.csv").write_text("word\nnull\nnan\nna\n", encoding="utf-8")
    monkeypatch.setattr(wordlists, "_FOLDER", tmp_path)
    assert list(wordlists.load("tricky").word) == ["null", "nan", "na"]


def test_places_agree_with_each_other() -> None:
    capitals, countries = wordlists.load("capitals"), wordlists.load("countries")
    assert len(capitals) >= 60 and capitals.country.is_unique
    merged = capitals.merge(countries, on="country", suffixes=("", "_listed"), how="left")
    assert (merged.continent == merged.continent_listed).all()
    cities = wordlists.load("cities")
    size = cities.groupby("country").size()
    assert len(size) == 15
    assert set(size[size < 5].index) == {"austria", "ukraine"} and size.min() == 4
    first = cities.drop_duplicates("country").set_index("country").city
    assert (first["france"], first["italy"], first["poland"]) == ("paris", "rome", "warsaw")


def test_colours_are_21_hex_values() -> None:
    colours = wordlists.load("colours")
    assert len(colours) == 21
    assert colours.hex.str.fullmatch(r"#[0-9a-f]{6}").all() and colours.hex.is_unique
    value = colours.set_index("colour").hex
    assert (value["white"], value["red"], value["gold"]) == ("#ffffff", "#ff0000", "#ffd700")


def test_each_sense_sentence_has_its_word_once() -> None:
    for row in wordlists.load("senses").itertuples():
        assert pieces(row.sentence).count(row.word) == 1, row.sentence
        assert len(re.findall(rf"\b{row.word}\b", row.sentence)) == 1, row.sentence
        assert row.sentence.lower().count(row.word) == 1, row.sentence
        assert row.sentence[0].isupper() and row.sentence[-1] in ".?!", row.sentence


def test_it_and_its_two_nouns_occur_once_in_sixty_sentences_in_either_order() -> None:
    referents = wordlists.load("referents")
    assert len(referents) == 60
    first = []
    for row in referents.itertuples():
        split = pieces(row.sentence)
        assert [split.count(word) for word in ("it", row.referent, row.other)] == [1, 1, 1], row.sentence
        assert max(split.index(row.referent), split.index(row.other)) < split.index("it"), row.sentence
        first.append(split.index(row.referent) < split.index(row.other))
    assert sum(first[::2]) == sum(first[1::2]) == 15  # in either half, so that no position reveals the referent


def test_the_last_word_of_a_pair_decides_which_noun_it_refers_to() -> None:
    rows = wordlists.load("it_pairs")
    assert len(rows) == 72
    for first, second in zip(rows[::2].itertuples(), rows[1::2].itertuples(), strict=True):
        one, two = (row.sentence.rstrip(".").split() for row in (first, second))
        assert one[:-1] == two[:-1] and one[-1] != two[-1]
        assert (first.referent, first.other) == (second.other, second.referent)
        split = pieces(first.sentence)
        assert [split.count(word) for word in ("it", first.referent, first.other)] == [1, 1, 1], first.sentence
        assert split.index(first.referent) < split.index(first.other) < split.index("it"), first.sentence


def test_repeated_words_occur_twice_in_sixty_sentences() -> None:
    repeated = wordlists.load("repeated")
    assert len(repeated) == 60
    for row in repeated.itertuples():
        assert pieces(row.sentence).count(row.word) == 2, row.sentence


@pytest.mark.parametrize("name", ["referents", "repeated"])
def test_no_two_sentences_come_from_one_template(name: str) -> None:
    """Fewer than half of their words in common."""
    sets = [set(pieces(sentence)) for sentence in wordlists.load(name)["sentence"]]
    for number, one in enumerate(sets):
        for other in sets[number + 1 :]:
            assert len(one & other) < len(one | other) / 2


def test_position_and_content_do_not_give_the_sense_away() -> None:
    """The word moves about, and no long word recurs in all sentences of a sense."""
    for (word, sense), rows in wordlists.load("senses").groupby(["word", "sense"]):
        split = [pieces(sentence) for sentence in rows.sentence]
        assert len({tokens.index(word) for tokens in split}) >= 2, (word, sense)
        shared = set.intersection(*(set(tokens) for tokens in split)) - {word}
        assert not {piece for piece in shared if len(piece) > 4}, (word, sense, shared)


@pytest.mark.parametrize("name", ["cloze", "neutral_sentences"])
def test_sentences_have_one_mask_and_one_token_answers(name: str) -> None:
    for row in wordlists.load(name).itertuples():
        assert row.sentence.count("[MASK]") == 1 and pieces(row.sentence).count("[MASK]") == 1
        answers = row.answer.split("|")
        assert len(set(answers)) == len(answers), row.answer
        for answer in answers:
            assert pieces(answer) == [answer], row
            assert answer not in pieces(row.sentence), row  # copying must never be right


def test_cloze_covers_its_suites() -> None:
    cloze = wordlists.load("cloze")
    assert len(cloze) >= 300 and cloze.id.is_unique
    assert set(cloze.suite) == {
        "capitals_of", "capitals_is", "continents", "languages", "colours", "opposites",
        "young_animals", "occupations", "facts",
    }  # fmt: skip
    one, other = (cloze[cloze.suite == suite] for suite in ("capitals_of", "capitals_is"))
    assert list(one.answer) == list(other.answer) and len(one) >= 60
    country = wordlists.load("capitals").set_index("capital").country
    for row in one.itertuples():
        assert country[row.sentence.split()[0].lower()] in row.answer.split("|")


def test_each_location_template_has_a_capital_and_a_blank() -> None:
    templates = wordlists.load("locations").template
    assert len(templates) == 12
    for template in templates:
        assert (template.count("{capital}"), template.count("[MASK]")) == (1, 1)
        assert template[-1] == "."


def test_labelled_sentences_are_short_and_no_variants_of_each_other() -> None:
    frame = wordlists.load("labelled_sentences")
    assert frame["label"].value_counts().to_dict() == {"present": 24, "past": 24}
    words = [set(re.findall(r"[a-z]+", text.lower())) for text in frame["sentence"]]
    assert all(len(text.split()) <= 12 for text in frame["sentence"])
    assert not any(each & {"yesterday", "today", "now", "ago", "last", "always", "every"} for each in words)
    for number, one in enumerate(words):
        for other in words[:number]:
            assert len((one & other) - {"the", "a", "in", "of", "to"}) <= 2, (one, other)


def test_neutral_sentences_name_no_gender() -> None:
    neutral = wordlists.load("neutral_sentences")
    assert len(neutral) == 60
    groups = wordlists.load("groups")
    gendered = set(groups[groups.group.isin(["male", "female"])].word) - {"mark"}
    for row in neutral.itertuples():
        assert not gendered & set(pieces(row.sentence) + row.answer.split("|")), row.sentence


def test_weat_has_the_published_sizes() -> None:
    weat = wordlists.load("weat")
    assert weat.one_piece.dtype == bool
    assert list(weat.one_piece) == [len(pieces(word)) == 1 for word in weat.word]
    size = weat.groupby(["test", "role"]).size().unstack()
    assert list(size.target_x) == list(size.target_y) == [25, 25, 32, 16, 16, 8, 8, 8, 6, 8]
    assert list(size.attribute_a) == list(size.attribute_b) == [25] * 4 + [8] * 4 + [7, 8]
    assert (weat.groupby(["test", "role"]).group.nunique() == 1).all()
    # The two sides of a test share no word.
    for _, test in weat.groupby("test"):
        for pair in (["target_x", "target_y"], ["attribute_a", "attribute_b"]):
            assert test[test.role.isin(pair)].word.is_unique


def test_gender_pairs_are_the_ten_published() -> None:
    pairs = wordlists.load("gender_pairs")
    assert [f"{row.female}-{row.male}" for row in pairs.itertuples()] == [
        "she-he", "her-his", "woman-man", "mary-john", "herself-himself", "daughter-son",
        "mother-father", "gal-guy", "girl-boy", "female-male",
    ]  # fmt: skip


def test_templates_have_their_placeholders() -> None:
    for row in wordlists.load("bias_templates").itertuples():
        assert row.template.count("{group}") == 1
        assert row.template.count("[MASK]") == int(row.kind.startswith("fill_"))
        assert row.template.count("{occupation}") == int(row.kind.startswith("score_"))
        assert row.slot in ("noun", "adjective")
        filled = row.template.format(group="she", occupation="nurse")
        assert "{" not in filled and filled.count("[MASK]") <= 1


def test_groups_are_large_enough_to_compare() -> None:
    groups = wordlists.load("groups")
    assert {"pronouns", "first names", "nationalities", "religions", "family"} <= set(groups.set)
    assert (groups.groupby("set").group.nunique() >= 2).all()
    names = groups[groups.set == "first names"].groupby("group").size()
    assert names["male"] == names["female"] == 20


def test_calendar_and_numbers_are_in_order() -> None:
    assert list(wordlists.load("months").number) == list(range(1, 13))
    assert list(wordlists.load("days").number) == list(range(1, 8))
    values = wordlists.load("numbers").value
    assert pd.api.types.is_integer_dtype(values) and values.is_monotonic_increasing


def test_verbs_come_in_three_forms() -> None:
    verbs = wordlists.load("verbs")
    assert (verbs.groupby("lemma").form.agg(set) == {"base", "past", "gerund"}).all()
    base = verbs[verbs.form == "base"]
    assert (base.verb == base.lemma).all()
    assert verbs[verbs.form == "gerund"].verb.str.endswith("ing").all()


def test_analogies_agree_with_the_capitals() -> None:
    analogies = wordlists.load("analogies")
    assert len(analogies) >= 80 and analogies.relation.nunique() >= 8
    country = wordlists.load("capitals").set_index("capital").country
    for row in analogies[analogies.relation == "capital-country"].itertuples():
        assert (country[row.a], country[row.c]) == (row.b, row.expected)
    for row in analogies.itertuples():
        assert len({row.a, row.b, row.c, row.expected}) == 4, row


def test_a_list_is_read_once_and_handed_out_as_a_copy(monkeypatch):
    first = wordlists.load("capitals")
    first.loc[0, "capital"] = "nowhere"
    first["more"] = 1
    monkeypatch.setattr(wordlists.pd, "read_csv", None)  # nothing is left to be read
    again = wordlists.load("capitals")
    assert "nowhere" not in set(again["capital"]) and "more" not in again


def test_puzzles_have_one_odd_word_among_others() -> None:
    for row in wordlists.load("puzzles").itertuples():
        words = row.words.split("|")
        assert 4 <= len(words) == len(set(words)) and row.odd in words
        assert all(pieces(word) == [word] for word in words)


def test_the_corpus_holds_each_of_fifty_words_thirty_times_and_no_sentence_twice():
    sentences = [*wordlists.load("corpus")["sentence"], *wordlists.load("senses")["sentence"]]
    words = [re.findall(r"[a-z']+", sentence.lower()) for sentence in sentences]
    counts = Counter(word for sentence in words for word in sentence if len(word) > 2)
    assert len(sentences) >= 1_000
    assert sum(count >= 30 for count in counts.values()) >= 50 + len(
        {"the", "and", "was", "her", "his", "that", "for", "with"}
    )
    assert {"king", "queen", "man", "woman", "cold", "warm", "winter", "city"} <= {
        w for w, n in counts.items() if n >= 30
    }
    # No two from one template: fewer than two thirds of their words in common.
    sets = [set(sentence) for sentence in words]
    for number, one in enumerate(sets):
        for other in sets[number + 1 :]:
            assert len(one & other) < len(one | other) * 2 / 3


def test_probing_has_two_hundred_labelled_words_per_task_and_no_sentence_reveals_its_label() -> None:
    rows = wordlists.load("probing")
    sentences = {*wordlists.load("corpus")["sentence"], *wordlists.load("senses")["sentence"]}
    labels = {
        "tense": {"past", "present"},
        "part of speech": {"noun", "verb", "adjective", "adverb"},
        "number": {"singular", "plural"},
    }
    assert {task: set(part.label) for task, part in rows.groupby("task")} == labels
    for task, part in rows.groupby("task"):
        assert len(part) >= 200 and part.label.value_counts().nunique() == 1, task
        assert part.word.nunique() < len(part), task  # some words come twice: the control task asks for memory
        assert part.groupby("word").size().max() <= 3, task
    for row in rows.itertuples():
        assert row.sentence in sentences and row.word == row.word.lower()
        assert len(re.findall(rf"(?<!\w){row.word}(?!\w)", row.sentence, re.IGNORECASE)) >= row.occurrence >= 1, row


def test_minimal_pairs_differ_in_one_word_and_all_words_are_one_token() -> None:
    frame = wordlists.load("minimal_pairs")
    assert frame.groupby("phenomenon").size().ge(15).all() and frame["phenomenon"].nunique() == 4
    sentences = [*frame["good"], *frame["bad"]]
    assert len(set(sentences)) == len(sentences)
    for row in frame.itertuples():
        good, bad = pieces(row.good), pieces(row.bad)
        assert len(good) == len(bad) and sum(a != b for a, b in zip(good, bad, strict=True)) == 1, row.good
        assert not any(piece.startswith("##") or piece == "[UNK]" for piece in (*good, *bad)), row.good
