"""A fault of the app: the visitor reads a sentence, the log does not repeat what was typed."""

import io
import logging

from streamlit.testing.v1 import AppTest

from embtools.ui import faults, host


def fault() -> None:
    from embtools.ui import faults

    assert faults.say(ValueError("my secret sentence"))


def test_the_visitor_reads_a_sentence_without_details() -> None:
    test = AppTest.from_function(fault, default_timeout=30).run()
    assert [text.value for text in test.text] == [f"⚠ {faults.SORRY}", faults.NEXT]
    assert not test.exception


def test_the_log_names_the_error_and_its_line_but_not_its_message() -> None:
    host.prepare()
    host.prepare()  # once is enough, twice is harmless
    log, logger = io.StringIO(), logging.getLogger("streamlit.error_util")
    handler = logging.StreamHandler(log)
    logger.addHandler(handler)
    try:
        try:
            try:
                raise KeyError("another secret sentence")
            except KeyError:
                raise ValueError("my secret sentence")  # noqa: B904
        except ValueError as error:
            logger.error("Uncaught app execution", exc_info=error)
    finally:
        logger.removeHandler(handler)
    text = log.getvalue()
    assert "Uncaught app execution" in text and text.rstrip().endswith("ValueError") and "test_faults.py" in text
    assert text.count("Traceback") == 1 and "secret sentence'" not in text
    assert "secret" not in text.replace('raise ValueError("my secret sentence")', "")  # a line of this file
