"""The Corpus page without a browser."""

import json
import shutil
from functools import partial
from urllib.parse import parse_qs

import pandas as pd
import pytest

from embtools.corpus import occurrence_analogies as numbers
from embtools.corpus.choices import all_choices
from embtools.corpus.frequent_words import common_words, frequent
from embtools.corpus.parts_of_speech import neighbour_parts
from embtools.corpus.search import Query, nearest
from embtools.corpus.sentences import similar_sentences
from embtools.occurrences import encoding
from embtools.occurrences.corpus import LEAST_MAPPED, built_in_corpus, read_corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.files import Files
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import silent
from embtools.spaces.space import AS_IS, BY_CLUSTER, CENTRED, WHITENED, Space
from embtools.ui import texts, warm
from embtools.ui.corpora import source, text_vectors, whole_corpus
from embtools.ui.corpus import search as panel_of_search
from embtools.ui.corpus import sentences
from embtools.ui.corpus.panels import PANELS
from embtools.ui.pairs import panels as pair_panels

pytestmark = pytest.mark.usefixtures("as_shipped")

SUM = "sum of last four"
TEXT = (
    "The old king rode his horse to the city. The queen stayed at home. A man spoke to the king. The woman answered the"
    " man. Nobody saw the queen. The king slept."
)
TABLE = "sentence,word,sense\nThe bank fell into the river.,bank,river\nThe bank lent money.,bank,money\nA muddy bank.,bank,river\nMy bank closed.,bank,money\n"
OWN = {"corpus_source": source.OWN, "open": ["own-text"]}


@pytest.fixture
def analogy(visit):
    """The page for an analogy in sentences."""
    return partial(visit, "arithmetic", arithmetic_tab="analogies", arithmetic_analogies="sentences")


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(
        one.reset_index(drop=True), other.reset_index(drop=True), check_dtype=False, atol=1e-5
    )


# Nearest occurrences


@pytest.mark.thorough
@pytest.mark.usefixtures("computing")
def test_the_first_view_is_warmed_and_the_rest_is_read_with_progress(page, cold, bundled, monkeypatch):
    for query in (query for panel in PANELS.values() for query in warm.first_queries(panel)):
        warm.ask(query, "bundled", silent)
    assert not encoding.encoded(built_in_corpus(), bundled, combination=SUM)
    sizes = []
    read = encoding._read_rows
    monkeypatch.setattr(
        encoding, "_read_rows", lambda corpus, *more: sizes.append(len(corpus.sentences)) or read(corpus, *more)
    )
    at = page()
    assert sizes == [1_004]  # the word's own sentences were known
    assert not at.problems and encoding.encoded(built_in_corpus(), bundled, combination=SUM)


@pytest.mark.slow
def test_a_stop_leaves_the_words_own_sentences(page, stop, bundled):
    stop("Reading the whole text")
    at = page()
    assert "was stopped." in at.problems[0]
    found = nearest(built_in_corpus(), bundled, query=Query("bank", 5), combination=SUM, whole=False)
    assert (
        at.says(found.others["text"].iloc[0], "So far, only the sentences with this word have been compared")
        and "all have the sense river" in at.finding
    )
    at.press("Run again")
    assert not at.problems and at.says("11,753 occurrences were compared")


@pytest.mark.slow
def test_a_word_and_one_of_its_sentences(page, bundled):
    at = page().put("corpus_word", "cold")
    assert at.session_state["corpus_occurrence"] == 1 and not at.problems
    at.put("corpus_occurrence", 3)
    found = nearest(built_in_corpus(), bundled, query=Query("cold", 3), combination=SUM)
    same(at.table("number"), found.others)
    at.put("corpus_others", True)
    assert "cold" not in set(next(t for t in at.tables if list(t.columns) == list(found.near.columns))["word"])
    # An occurrence that the word does not have, from an old link.
    assert page(corpus_word="bank", corpus_occurrence=700).session_state["corpus_occurrence"] == 1


def test_a_typed_sentence_without_the_word(page):
    at = page(open="mine").put("corpus_sentence", "Nothing here.")
    assert "'bank' does not occur in your sentence" in at.problems[0]
    at.press("Use a sentence of the text")
    assert not at.problems and at.session_state["corpus_sentence"] == ""


@pytest.mark.slow
def test_parts_of_speech_of_the_nearest_words(page, bundled):
    at = page(corpus_word="cold", corpus_others="true", corpus_k=12, open=["parts-of-speech"])
    arguments = {"query": Query("cold", 5), "combination": SUM, "k": 12, "same_word": False}
    found = neighbour_parts(built_in_corpus(), bundled, **arguments)
    assert not at.problems and at.says(found.headline, found.quality) and len(at.charts) == 2
    at.prints_what_it_shows(bundled)


@pytest.mark.slow
def test_guessing_parts_of_speech_waits_for_its_button_if_it_takes_long(page, bundled, cold, monkeypatch):
    monkeypatch.setattr("embtools.corpus.parts_of_speech._FIT", 0.1)
    at = page(corpus_word="cold", open=["parts-of-speech"])
    found = neighbour_parts(built_in_corpus(), bundled, query=Query("cold", 5), combination=SUM)
    assert at.says("minutes") and not at.says(found.quality) and not at.problems
    assert at.press("Guess the parts of speech").says(found.headline, found.quality)


@pytest.mark.thorough
def test_parts_of_speech_in_a_processed_space_are_read_from_raw_vectors(page, bundled):
    at = page(corpus_word="cold", corpus_space="centred", open=["parts-of-speech"])
    arguments = {"query": Query("cold", 5), "combination": SUM}
    found = neighbour_parts(built_in_corpus(), bundled, **arguments, space=Space(CENTRED))
    assert not at.problems and at.says(found.headline, "but the probe reads raw vectors.")
    same(at.table("share_all"), found.shares)


@pytest.mark.slow
def test_parts_of_speech_of_two_models(page, bundled, tiny, lend_second):
    """The second model knows none of the labelled words."""
    at = page(compare="distilbert/distilbert-base-uncased", open=["parts-of-speech", "parts-of-speech-second"])
    found = neighbour_parts(built_in_corpus(), bundled, query=Query("bank", 5), combination=SUM)
    assert at.says(found.headline)
    assert ["too few of the words labelled" in problem for problem in at.problems] == [True]


def test_a_folder_has_no_parts_of_speech(page, folders):
    at = page(**folders(open=["parts-of-speech"]))
    assert not at.problems and "corpus-parts-of-speech" not in at.named_tables
    assert at.says("are not guessed, because the probe would have to read all vectors of the folder")


# Arithmetic


@pytest.mark.slow
def test_the_sentences_found_are_carried_to_a_map_of_sentences(page, visit, bundled):
    at = page(corpus_tab="sentences", corpus_matches=10)
    found = similar_sentences(built_in_corpus(), bundled, sentence=sentences.QUERY.default, combination=SUM, k=10)
    (link,) = (link for link in at.get("page_link") if link.proto.label == "Group these sentences on the Clusters page")
    query = parse_qs(link.proto.query_string)
    assert query["clusters_sentences"] == ["\n".join(found.by_meaning["sentence"])]
    other = visit("clusters", **{key: value for key, (value,) in query.items()})
    assert other.session_state[text_vectors.TEXT.key] == query["clusters_sentences"][0] and not other.problems


def test_sentences_by_meaning(page, bundled):
    at = page(corpus_tab="sentences", corpus_space=CENTRED)
    at.prints_what_it_shows(bundled)
    assert at.says("You can test this on Pairs, under", pair_panels.PANELS["questions"].TAB)


# Your text


def test_own_text(page, analogy, bundled):
    at = page(corpus_source=source.OWN)
    assert at.says("Until then, the page uses the built-in corpus.") and "bank" in at.finding
    at = page(**OWN).put("corpus_text", TEXT)
    word, last = common_words(read_corpus(TEXT), bundled, least=LEAST_MAPPED)
    assert last == "the"
    assert at.session_state["corpus_word"] == word and not at.problems and at.says("6 sentences")
    at = analogy(corpus_text=TEXT, **OWN)
    assert at.says("the three words", "Of all 6 choices of sentences") and not at.problems


def test_an_own_table_brings_senses(page):
    at = page(corpus_text=TABLE, corpus_word="bank", corpus_occurrence=1, **OWN)
    assert not at.problems and at.finding.startswith("The nearest other occurrence of bank means river.")


def test_a_text_that_cannot_be_read(page):
    at = page(corpus_text="nr;satz\n1;A bank.\n2;A river.\n", **OWN)
    assert "no column named sentence. Its columns are 'nr' and 'satz'" in at.problems[0]
    assert "Until then, the page uses the built-in corpus." in at.problems[0] and len(at.charts) == 1
    lines = [json.dumps({f"{n} {m}": "a" for m in range(9)}) for n in range(600)]
    assert "more than 5,000 different names of columns" in at.put("corpus_text", "\n".join(lines)).problems[0]


def is_open(at) -> bool:
    return bool([field for field in at.text_area if field.key == "corpus_text"])


def test_the_form_closes_when_a_text_was_read_and_stays_open_otherwise(page):
    at = page().put("corpus_source", source.OWN)
    assert is_open(at)  # there is no text yet
    assert is_open(at.put("corpus_text", "…")) and at.problems
    assert not is_open(at.put("corpus_text", TEXT)) and "own-text" not in at.session_state["open"]
    assert at.query_params["corpus_text"] and "open" not in at.query_params
    assert is_open(at.unfold("own-text"))  # a visitor can open it again
    upload = at.get("file_uploader")[0]
    upload.set_value([("king.txt", f"{TEXT} More.".encode(), "text/plain")])
    assert not is_open(at.run()) and at.session_state["corpus_text"] == f"{TEXT} More."
    at.put("corpus_source", source.BUILT_IN).put("corpus_source", source.OWN)
    assert not is_open(at) and at.says("7 sentences")  # the text is still there


def test_a_file_that_is_longer_than_a_text_may_be_is_cut_between_lines_and_says_so():
    table = f"sentence,more\nThe king slept.,{'x' * 600_000}\nA queen.,{'x' * 600_000}\n"
    says = source._file(table.encode()).says
    assert says[0] == "Read: 600,030 characters." and f"had {len(table):,} characters; the first 600,030" in says[1]


def test_a_long_text_waits_for_a_press(page, analogy, monkeypatch):
    monkeypatch.setattr(whole_corpus, "PATIENT", 0.0)
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = page(corpus_text=TEXT + " A late king.", corpus_word="king", **OWN)
    assert at.says("So far, only the sentences with this word have been compared")
    at.press("Read the whole text")
    assert at.says("occurrences were compared")
    later = {"corpus_text": f"{TEXT} A later king.", **OWN}
    for at in (analogy(corpus_space=WHITENED, **later), page(corpus_tab="sentences", **later)):
        assert not at.header and any(b.label == "Read the whole text" for b in at.button)


def test_the_four_words_of_a_long_text_are_read_before_all_others(analogy, bundled, monkeypatch):
    monkeypatch.setattr(whole_corpus, "PATIENT", 0.0)
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    text = TEXT + " A king before all others."
    at = analogy(corpus_text=text, **OWN)
    query = {"words": ("king", "man", "woman"), "expected": "queen", "combination": SUM, "k": 8}
    quick = numbers.analogy(read_corpus(text), bundled, **query, whole=False)
    assert at.finding == quick.headline and at.says(quick.compared) and not at.problems
    same(at.table("word", "count"), quick.four_words.counts)
    at.prints_what_it_shows(bundled)
    assert not encoding.encoded(read_corpus(text), bundled, combination=SUM)  # nor by the choices
    at.press("Read the whole text")
    assert at.finding == numbers.analogy(read_corpus(text), bundled, **query).headline
    at.press("Try every choice")
    assert at.says("Of all ") and not at.problems
    at.prints_what_it_shows(bundled)


OWN_TEXTS = {"labels": TABLE, "few words": "Rain fell. Snow fell."}


def buttons(at, prefix: str) -> list[str]:
    return [button.key for button in at.button if str(button.key).startswith(prefix)]


@pytest.mark.slow("labels")
@pytest.mark.parametrize("text", OWN_TEXTS)
def test_every_example_and_suggestion_for_a_text_works(page, text, bundled):
    at = page(corpus_word="xylophone", corpus_text=OWN_TEXTS[text], **OWN)
    offered = common_words(read_corpus(OWN_TEXTS[text]), bundled, least=1)
    suggested = buttons(at, "corpus-use-")
    examples = buttons(at, f"example-{panel_of_search.TAB}-")
    assert suggested == [f"corpus-use-{word}" for word in offered]
    assert examples == [f"example-{panel_of_search.TAB}-{word}" for word in offered]
    for key in suggested + examples:
        at.put("corpus_word", "xylophone").press(key)
        assert not at.problems and at.finding and not at.says("Showing the p"), key


STREET = (
    "The baker sold bread. The farmer sold milk. The market was full of bread, milk and cheese. A baker eats cheese."
)


def test_an_analogy_with_words_that_are_not_in_the_text_is_built_from_words_that_are(analogy):
    at = analogy(corpus_text=STREET, **OWN)
    for missing in ("king", "man", "woman", "queen"):
        assert f"'{missing}' does not occur in the text" in at.problems[0] and not at.header
        assert at.says(f"Frequent words of the text, to use instead of {missing}:")
        at.press(buttons(at, "corpus-use-")[0])
    assert not at.problems and not buttons(at, "corpus-use-") and at.finding
    words = [
        *at.session_state["arithmetic_formula"].replace("+", "-").split(" - "),
        at.session_state["arithmetic_expected"],
    ]
    assert len(set(words)) == 4 and set(words) <= set(STREET.lower().replace(".", "").replace(",", "").split())


@pytest.mark.slow
def test_no_result_of_another_text_is_shown_for_your_own(page, analogy):
    """The built-in corpus has every word of these queries, your own text has none."""
    weather = "Rain fell here. Rain stays. The rain ends. Snow fell here."
    own = {"corpus_text": weather, **OWN}
    for at in (*(page(corpus_tab=tab, corpus_word="bank", corpus_query=" ", **own) for tab in PANELS), analogy(**own)):
        assert at.problems and not at.header and not at.charts
        assert not at.says("Showing the p")
    at = analogy(corpus_text=weather)  # the built-in corpus has answered in the same visit
    assert at.finding and not at.problems
    at.put("corpus_source", source.OWN)
    assert at.problems and not at.header and not at.says("Showing the p")
    at = page(corpus_text=weather, corpus_word="rain", **OWN)
    at.put("corpus_word", "bank")
    assert at.problems and at.says("Showing the previous result, for: rain")  # of the same text


def test_examples_are_those_of_the_built_in_corpus_until_there_is_a_text(page):
    at = page(corpus_text="", **OWN)
    assert buttons(at, "example-") == [f"example-{panel_of_search.TAB}-{name}" for name in panel_of_search.PRESETS]


# What all pages keep


@pytest.mark.slow("query0")
@pytest.mark.parametrize(
    "query",
    [
        {"corpus_others": True, "corpus_word": "cold", "corpus_k": 5, "corpus_recipe": "layer 3"},
        {"corpus_sentence": panel_of_search.TYPED, "corpus_occurrence": 1},
        {"corpus_text": TEXT, "corpus_word": "king", **OWN},
    ],
)
def test_copied_code_prints_what_is_shown(page, bundled, query):
    page(**query).prints_what_it_shows(bundled)


def test_copied_code_of_an_analogy(analogy, bundled):
    analogy(arithmetic_pick_a=2, arithmetic_kept=True).prints_what_it_shows(bundled)


def test_another_model(page, lend, tiny):
    lend(tiny)
    query = {"corpus_text": "The king works. The queen is in Paris. A king.", "corpus_word": "king", **OWN}
    at = page(**query)
    assert not at.problems and at.finding.startswith("In this sentence the words nearest to king are ")
    other = page(**query, corpus_recipe="layer 5")  # a layer that this model does not have
    assert not other.problems and other.finding == at.finding


def test_long_sentences_are_shortened_around_the_word():
    text = "word " * 50 + "king" + " tail" * 50
    marked = texts.marked(text, 250, 254, "red")
    assert marked.startswith("… word") and marked.endswith("tail …") and ">king</mark>" in marked and len(marked) < 300


# A folder


@pytest.fixture
def folders(stored_folder, tmp_path, monkeypatch):
    """The server offers one folder that is complete, one that is incomplete, and one of another model."""
    for name in ("short", "other"):
        shutil.copytree(stored_folder, tmp_path / name)
    next((tmp_path / "short" / "words").iterdir()).write_bytes(b"")
    about = json.loads((tmp_path / "other" / "corpus.json").read_bytes())
    about["fingerprint"] |= {"model": "another", "weights": "of another"}
    (tmp_path / "other" / "corpus.json").write_text(json.dumps(about))
    monkeypatch.setenv("EMBTOOLS_CORPORA", f"{stored_folder}, {tmp_path / 'short'}, {tmp_path / 'other'}")
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(stored_folder.parent)
    return partial(dict, corpus_source="banks")


@pytest.mark.slow
def test_a_folder_is_opened_and_searched(page, folders, bundled, stored_folder):
    folder = CorpusFolder.open(str(stored_folder))
    at = page(**folders(corpus_occurrence=3))
    found = nearest(folder, bundled, query=Query("bank", 3))
    assert at.finding == found.headline and not at.problems
    assert at.says(found.compared, f"{len(folder):,} occurrences", found.query["text"].iloc[0])
    at.prints_what_it_shows(bundled)
    at.put("corpus_others", True)
    assert "bank" not in set(next(t for t in at.tables if list(t.columns) == list(found.near.columns))["word"])
    at.put("corpus_word", "xylophone")
    assert "does not occur in this folder" in at.problems[0]
    at.press(f"corpus-use-{frequent(folder)[0]}")
    assert not at.problems
    at.unfold("mine").put("corpus_word", "bank").put("corpus_sentence", panel_of_search.TYPED)
    assert at.says(panel_of_search.TYPED[:30]) and at.finding != found.headline and not at.problems


@pytest.mark.slow
def test_every_example_and_suggestion_for_a_folder_works(page, folders):
    for tab, panel in PANELS.items():
        at = page(**folders(corpus_tab=tab, corpus_word="xylophone"))
        examples = buttons(at, f"example-{panel.TAB}-")
        assert bool(examples) == (panel is not sentences)
        for key in buttons(at, "corpus-use-"):
            at.put("corpus_word", "xylophone").press(key)
            assert not at.problems and at.finding, (panel.TAB, key)
        for key in examples:
            at.press(key)
            assert not at.problems and at.finding, (panel.TAB, key)


def test_all_of_a_large_folder_is_searched_on_request(page, folders, monkeypatch):
    monkeypatch.setattr(whole_corpus, "seconds_of_folder", lambda folder: 30.0)
    at = page(**folders(corpus_occurrence=4, corpus_k=5))
    assert at.says("other occurrences of bank, read from their files", "About 30 seconds")
    assert (
        at.finding.startswith("bank occurs ") and " times in this folder. The occurrence nearest to this" in at.finding
    )
    at.press(next(b.label for b in at.button if b.label.startswith("Search all")))
    assert at.says("stored on this server as one array") and "nearest of" in at.finding and not at.problems


def test_a_folder_too_large_for_the_cache_is_searched_file_by_file(page, folders, monkeypatch):
    monkeypatch.setattr(reading, "MOST_STORED", 100)
    stopped = []
    blocks = Files.blocks

    def watched(files, progress):
        stopped.append(progress)
        return blocks(files, progress)

    monkeypatch.setattr(Files, "blocks", watched)
    at = page(**folders(corpus_occurrence=5, corpus_k=4))
    assert at.says("read from the files. It uses no index") and "nearest occurrences" in at.finding and not at.problems
    assert len(stopped) == 1 and stopped[0] is not silent  # it reports progress and can be stopped
    at = page(corpus_source="banks", corpus_tab="sentences")
    assert at.says("too large to compare its sentences", "At most 100 occurrences") and not at.problems


def test_a_search_of_all_files_that_is_stopped_leaves_the_words_own(page, folders, monkeypatch, stop):
    monkeypatch.setattr(reading, "MOST_STORED", 100)
    stop("Searching all occurrences")
    at = page(**folders(corpus_occurrence=6, corpus_k=4))
    assert "was stopped." in at.problems[0] and " times in this folder. The occurrence nearest" in at.finding
    at.press("Run again")
    assert at.says("read from the files. It uses no index") and not at.problems


def test_a_folder_belongs_to_one_model(page, folders, lend_second):
    at = page(**folders(corpus_occurrence=3, compare="distilbert/distilbert-base-uncased"))
    assert at.says(
        "A folder belongs to the model that encoded it. To compare Pocket BERT with DistilBERT, the same text"
    )
    assert len(at.charts) == 1 and not at.problems


def test_arithmetic_in_a_folder(analogy, folders, bundled, stored_folder, monkeypatch):
    folder, words = CorpusFolder.open(str(stored_folder)), ("bank", "bat", "spring")
    fields = folders(arithmetic_formula="bank - bat + spring", arithmetic_expected="rock")
    at = analogy(**fields, open=["picks"])
    found = numbers.analogy(folder, bundled, words=words, expected="rock", k=8)
    assert at.finding == found.headline and not at.problems
    choices = all_choices(folder, bundled, words=words, expected="rock")
    assert at.says(choices.headline, found.compared)
    at.prints_what_it_shows(bundled)
    at.put("arithmetic_pick_a", 2).put("arithmetic_kept", True)
    found = numbers.analogy(folder, bundled, words=words, expected="rock", numbers=(2, 0, 0), k=8, inputs=True)
    assert at.finding == found.headline
    at.put("arithmetic_expected", "xylophone")
    assert "'xylophone' does not occur in this folder" in at.problems[0]
    at.put("arithmetic_formula", "bank")
    assert "Write three words" in at.problems[0]
    monkeypatch.setattr(whole_corpus, "seconds_of_folder", lambda *_: 30.0)
    at = analogy(**fields, arithmetic_pick_c=1)
    assert at.finding.startswith("bank − bat + spring: the nearest occurrence of rock has a cosine of") and at.says(
        "About 30"
    )
    at.prints_what_it_shows(bundled)
    at.press(f"Rank among all {len(folder):,} occurrences")
    assert at.says("The ranks are exact: they are among all") and not at.problems


def test_sentences_of_a_folder(page, folders, bundled, stored_folder, monkeypatch):
    folder = CorpusFolder.open(str(stored_folder))
    monkeypatch.setattr(sentences, "seconds_of_sentences", lambda *_: 30.0)
    at = page(**folders(corpus_tab="sentences", corpus_query="A river."))
    assert not at.header[1:] and at.says("About 30 seconds")
    at.press(f"Read all {len(folder):,} occurrences")
    found = similar_sentences(folder, bundled, sentence="A river.")
    assert at.finding == found.headline and not at.problems
    at.prints_what_it_shows(bundled)


@pytest.mark.slow
def test_a_folder_in_a_processed_space(page, analogy, folders, bundled, stored_folder):
    space = Space(WHITENED, shrinkage=0.2)
    folder = CorpusFolder.open(str(stored_folder)).in_space(space)
    query = {"corpus_space": WHITENED, "corpus_space_shrinkage": 0.2}
    at = page(**folders(corpus_occurrence=3, open=["mine"], **query))
    found = nearest(folder, bundled, query=Query("bank", 3))
    assert at.finding == found.headline and not at.problems
    assert at.says("Fitted to all occurrences of the folder, by their mean and covariance")
    at.prints_what_it_shows(bundled)
    assert BY_CLUSTER not in next(box.options for box in at.selectbox if box.key == "corpus_space")
    at.press("corpus-space-raw")
    assert at.session_state["corpus_space"] == "raw" and not at.problems
    assert at.finding == nearest(CorpusFolder.open(str(stored_folder)), bundled, query=Query("bank", 3)).headline
    words = ("bank", "bat", "spring")
    at = analogy(**folders(arithmetic_formula="bank - bat + spring", arithmetic_expected="rock", **query))
    assert at.finding == numbers.analogy(folder, bundled, words=words, expected="rock").headline
    at.prints_what_it_shows(bundled)
    at = page(**folders(corpus_tab="sentences", corpus_query="A river.", **query))
    same(
        at.table("rank", "sentence", "cosine"),
        similar_sentences(folder, bundled, sentence="A river.").by_meaning,
    )
    at.prints_what_it_shows(bundled)
    # Spaces by cluster are not available for folders: a link to one shows raw vectors and says so.
    at = page(**folders(corpus_occurrence=3, corpus_space="by-cluster"))
    assert at.says("Spaces by cluster are not available for folders.") and not at.problems
    same(at.table("number"), nearest(folder.in_space(AS_IS), bundled, query=Query("bank", 3)).others)


def test_folders_that_cannot_be_read(page, analogy, folders):
    at = page(corpus_source="short")
    assert at.problems[0].startswith("⚠ The folder short is incomplete: 1 of 1 files") and not at.charts
    for at in (page(corpus_source="other"), analogy(corpus_source="other")):
        assert "encoded with the model 'another'" in at.problems[0] and not at.charts
    assert "encoded with the model 'another'" in page(corpus_source="other", corpus_tab="sentences").problems[0]
    assert page(corpus_source="of another server").says("1,004 sentences")
