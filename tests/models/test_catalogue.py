"""The catalogue: what is offered, and the sentence for what is not."""

from pathlib import Path

import pytest

from embtools.models.catalogue import BUNDLED, CATALOGUE, KNOWN, entry, offered


def test_names_and_figures():
    assert next(iter(CATALOGUE)) == BUNDLED  # the default comes first in every picker
    for name, chosen in CATALOGUE.items():
        assert chosen.name == name
        assert chosen.title and chosen.licence and chosen.note.endswith(".")
        assert chosen.megabytes > 0


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(
        ValueError, match=r"no model 'bert-base-uncased' .* Did you mean google-bert/bert-base-uncased\?"
    ):
        entry("bert-base-uncased")
    with pytest.raises(ValueError, match=r"no such folder\. Correct the path, or use bundled\."):
        entry("../../etc/passwd")
    with pytest.raises(ValueError) as error:
        entry("x" * 10_000)
    assert len(str(error.value)) < 200


def test_a_server_offers_what_its_setting_names(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "model.safetensors").write_bytes(b"0" * 3_000_000)
    assert offered("") == offered(" , ") == KNOWN
    assert list(offered("bundled")) == [BUNDLED]
    found = offered(f"{mine}, distilbert/distilbert-base-uncased")
    assert list(found) == [BUNDLED, "mine", "distilbert/distilbert-base-uncased"]
    assert found["mine"].source == str(mine) and found["mine"].megabytes == 3


def test_an_impossible_setting_is_reported(tmp_path):
    with pytest.raises(ValueError, match="'bert-bse', which is neither a known model nor a folder"):
        offered("bert-bse")
    for name in ("x" * 10_000, "a/" * 5_000, "x\0y"):  # none of these can be a path
        with pytest.raises(ValueError, match="neither a known model nor a folder") as error:
            offered(name)
        assert len(str(error.value)) < 200 and "\0" not in str(error.value)
    for parent in ("a", "b"):
        (tmp_path / parent / "mine").mkdir(parents=True)
    with pytest.raises(ValueError, match="two folders 'mine'"):
        offered(f"{tmp_path}/a/mine,{tmp_path}/b/mine")


def test_offline_only_models_that_need_no_download_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = {"distilbert/distilbert-base-uncased": "/cache/model.safetensors"}
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda name, file: here.get(name))
    assert list(offered(offline=True)) == ["bundled", "distilbert/distilbert-base-uncased"]
    assert list(offered("google-bert/bert-base-uncased", offline=True)) == ["bundled"]
    assert list(offered(str(tmp_path), offline=True)) == ["bundled", tmp_path.name]
    assert len(offered()) > 5
