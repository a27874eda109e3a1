"""Loading models: everything that can be wrong with one."""

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import torch
from transformers import AutoTokenizer, BertForMaskedLM, BertForPreTraining, BertModel

from embtools import load_model, next_sentence
from embtools.models import loading
from embtools.models.catalogue import Entry

# What a model is


def test_the_bundled_model_is_what_the_app_promises(bundled):
    assert len(bundled.vocabulary) == len(bundled.matrix) == 30_522
    assert bundled.has_next_sentence and bundled.has_segments and bundled.tied and bundled.max_tokens == 512
    folder = loading.Path(loading.__file__).parent.parent / "bundled"
    assert (folder / "model.safetensors").stat().st_size <= 48 * 2**20
    assert AutoTokenizer.from_pretrained(folder)("Rome " * 600, verbose=False)["input_ids"][0] == 101
    assert len(AutoTokenizer.from_pretrained(folder)("Rome " * 600, verbose=False)["input_ids"]) == 602


@pytest.fixture
def folder(tiny_folder, tmp_path):
    """A copy of the tiny model to be broken."""
    return shutil.copytree(tiny_folder, tmp_path / "model")


def change_config(folder, **values):
    path = folder / "config.json"
    config = json.loads(path.read_text()) | values
    path.write_text(json.dumps({key: value for key, value in config.items() if value is not None}))


def cut_weights(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:5000])


def only_pickle(folder):
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")


def without_head(folder):
    network = BertModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    network.save_pretrained(folder)


def one_piece_more(folder):
    path = folder / "tokenizer.json"
    saved = json.loads(path.read_text())
    more = {**saved["added_tokens"][0], "id": 10**6, "content": "zebraword", "special": False}
    path.write_text(json.dumps({**saved, "added_tokens": [*saved["added_tokens"], more]}))


def without_mask(folder):
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "mask_token": None}))


def with_other_signs(folder):
    path = folder / "tokenizer.json"
    path.write_text(path.read_text().replace("[MASK]", "<mask>").replace("[UNK]", "<unk>"))
    path = folder / "tokenizer_config.json"
    path.write_text(path.read_text().replace("[MASK]", "<mask>").replace("[UNK]", "<unk>"))


BREAKS = {
    "signs that are not BERT's": (
        with_other_signs,
        r"has the special tokens <mask> <unk> \[CLS\] \[SEP\], but those of BERT are needed",
    ),
    "too deep": (lambda f: change_config(f, num_hidden_layers=49), r"has 49 layers, but at most 48 are possible here"),
    "a piece without a vector": (one_piece_more, r"does not belong to its weights"),
    "no mask": (without_mask, r"or has no \[MASK\]"),
    "four positions": (lambda f: change_config(f, max_position_embeddings=4), r"is damaged"),
    "cut weights": (cut_weights, r"A file of .* is damaged\. Delete its folder in the cache and load it again"),
    "no weights": (
        lambda f: (f / "model.safetensors").write_bytes(b"not weights at all"),
        r"A file of .* is damaged",
    ),
    "config is no JSON": (lambda f: (f / "config.json").write_text("{"), "is damaged"),
    "config is no text": (lambda f: (f / "config.json").write_bytes(b"\xff\xfe\x00"), "is damaged"),
    "tokenizer is no JSON": (lambda f: (f / "tokenizer.json").write_text("{"), "is damaged"),
    "other size": (lambda f: change_config(f, hidden_size=32), "is damaged"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), r"lacks the vocabulary of its tokenizer"),
    "no config": (lambda f: (f / "config.json").unlink(), r"is not a BERT that can be explored here"),
    "unknown kind": (lambda f: change_config(f, model_type="martian"), r"is not a BERT that can be explored here"),
    "gpt2": (lambda f: change_config(f, model_type="gpt2"), r"is a 'gpt2' model\. Only BERT and DistilBERT"),
    "too few layers": (lambda f: change_config(f, num_hidden_layers=3), r"lacks weights .*layer\.2"),
    "only pickle": (
        only_pickle,
        r"no weights as safetensors, and other formats are not read because they are less safe",
    ),
    "no masked-word head": (without_head, r"lacks weights of a masked language model \(cls\.predictions"),
}


# Models that cannot be loaded


@pytest.mark.parametrize("kind", BREAKS)
def test_a_broken_folder_is_refused_with_a_sentence(folder, kind):
    spoil, sentence = BREAKS[kind]
    spoil(folder)
    with pytest.raises(ValueError, match=sentence) as error:
        load_model(str(folder))
    assert "choose" in str(error.value).lower() or "load it again" in str(error.value)


def test_a_folder_without_next_sentence_head_is_fine(folder):
    BertForMaskedLM.from_pretrained(folder).save_pretrained(folder)
    model = load_model(str(folder))
    assert not model.has_next_sentence
    with pytest.raises(ValueError, match=r"no next-sentence head\. Choose Pocket BERT or BERT base"):
        next_sentence("a", "b", model)


def hub_error(kind):
    """What the hub's client raises, as transformers wraps it."""
    import httpx2 as httpx
    from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError

    if kind == "network":
        return httpx.ConnectError("[Errno -3] Temporary failure in name resolution")
    if kind == "timeout":
        return httpx.ReadTimeout("timed out")
    if kind == "entry":
        return LocalEntryNotFoundError("not in the cache")
    if kind == "repository":
        response = httpx.Response(404, request=httpx.Request("GET", "https://huggingface.co"))
        return RepositoryNotFoundError("404 Client Error", response=response)
    return OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("kind", "sentence", "wrapped"),
    [
        ("network", r"the Hugging Face hub does not answer\. Check the network, then try again", False),
        ("timeout", r"the Hugging Face hub does not answer", True),
        ("entry", r"the Hugging Face hub does not answer", False),
        ("repository", r"The Hugging Face hub has no model google-bert/bert-base-uncased", True),
        ("disk", r"There is no disk space left for .*\. Free some space and try again", True),
    ],
)
def test_the_hub_fails(monkeypatch, kind, sentence, wrapped):
    def fail(*arguments, **named):
        if not wrapped:
            raise hub_error(kind)
        try:
            raise hub_error(kind)
        except Exception as error:
            raise OSError("We failed to load the files.") from error

    monkeypatch.setattr(loading.AutoConfig, "from_pretrained", fail)
    with pytest.raises(ValueError, match=sentence) as error:
        load_model("google-bert/bert-base-uncased")
    assert str(error.value).endswith("You can still use the bundled model.")


def test_the_hub_cannot_be_reached_and_nothing_is_cached(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match="could not be downloaded"):
        load_model("distilbert/distilbert-base-uncased")


@pytest.mark.parametrize("name", ["", "/no/such/folder", "\0"])
def test_an_unknown_name(name):
    with pytest.raises(
        ValueError, match=r"There is no model .* in the catalogue, and no such folder\. (Did you mean|Correct the path)"
    ):
        load_model(name)


@pytest.mark.parametrize(
    ("value", "where"),
    [(math.nan, "bert.embeddings.word_embeddings.weight"), (-math.inf, "cls.predictions.bias")],
)
def test_weights_that_are_no_numbers_are_refused(folder, value, where):
    network = BertForPreTraining.from_pretrained(folder)
    with torch.no_grad():
        dict(network.named_parameters())[where].view(-1)[5] = value
    network.save_pretrained(folder)
    with pytest.raises(ValueError, match=rf"are not finite numbers \({where}\)\. Choose another model"):
        load_model(str(folder))


def asks_for_code(name, key):
    def spoil(folder):
        path = folder / name
        path.write_text(json.dumps(json.loads(path.read_text()) | {key: {"AutoConfig": "mine.Config"}}))

    return spoil


CODE = {
    "a config with auto_map": asks_for_code("config.json", "auto_map"),
    "a tokenizer with auto_map": asks_for_code("tokenizer_config.json", "auto_map"),
    "a config that wants trust": asks_for_code("config.json", "trust_remote_code"),
    "a pipeline": asks_for_code("config.json", "custom_pipelines"),
    "a key in disguise": lambda folder: (folder / "config.json").write_text(
        (folder / "config.json").read_text().replace("{", '{"auto\\u005fmap": {"AutoConfig": "mine.Config"},', 1)
    ),
    "a program": lambda folder: (folder / "modeling.py").write_text("raise SystemExit"),
    "a program in a folder": lambda folder: (
        (folder / "more").mkdir() or (folder / "more" / "modeling.py").write_text("raise SystemExit")
    ),
}


@pytest.mark.parametrize("kind", CODE)
def test_a_folder_with_program_code_is_refused(folder, kind):
    CODE[kind](folder)
    with pytest.raises(ValueError, match=r"contains program code, which is never run here\. Choose a model"):
        load_model(str(folder))


def test_nothing_is_run_or_asked_even_if_code_is_overlooked(folder, monkeypatch, capsys):
    from embtools.models import loading

    asks_for_code("config.json", "auto_map")(folder)
    (folder / "mine.py").write_text("from pathlib import Path\nPath(__file__).with_name('ran').touch()\n")
    path = folder / "config.json"
    path.write_text(path.read_text().replace('"model_type": "bert"', '"model_type": "mine"'))
    monkeypatch.setattr(loading, "_brings_code", lambda folder: False)
    with pytest.raises(ValueError, match="Choose"):
        load_model(str(folder))
    assert not (folder / "ran").exists()
    assert "[y/N]" not in capsys.readouterr().out


# A hub played on this machine: the real client of the hub asks it, in a process of its own.

NAME = "google/bert_uncased_L-12_H-128_A-2"
VISITOR = f"""
import sys
from pathlib import Path
from embtools.models import loading

for fault in ("401", "404", "pickle", "cut", "hash", ""):
    Path(sys.argv[1]).write_text(fault)
    print(fault, loading.is_here({NAME!r}))
    seen = []
    try:
        loading.fetch({NAME!r}, progress=seen.append)
    except ValueError as error:
        print(error)
loading.fetch({NAME!r}, progress=lambda done: sys.exit("asked twice"))
print(loading.is_here({NAME!r}), seen == sorted(seen), seen[-1])
Path(sys.argv[1]).write_text("404")  # what was downloaded is read without asking the hub
print(loading.load_model({NAME!r}))
"""


class Hub(SimpleHTTPRequestHandler):
    """Answers as the hub does to what its client asks about the files of one model; with a fault where one is asked.

    fault   401, 404: the model is closed, or not there; pickle: it has no safetensors; cut: its weights end early;
            hash: they came out wrong
    """

    folder: Path
    fault: Path
    commit = "0123456789abcdef0123456789abcdef01234567"

    def log_message(self, *arguments):
        pass

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, body):
        path = self.path.partition("?")[0]
        files = sorted(file.name for file in self.folder.iterdir())
        fault = self.fault.read_text()
        commit = self.commit
        if fault == "pickle":
            files, commit = [file for file in files if not file.endswith(".safetensors")], self.commit[::-1]
        weights = path.endswith(".safetensors")
        if fault in ("401", "404"):
            self.send_response(int(fault))
            self.send_header("X-Error-Code", {"401": "GatedRepo", "404": "RepoNotFound"}[fault])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if "/tree/" in path:
            said = [
                {"type": "file", "path": file, "size": (self.folder / file).stat().st_size, "oid": file}
                for file in files
            ]
            data, kind = json.dumps(said).encode(), "application/json"
        elif path.startswith("/api/models/"):
            said = {"sha": commit, "id": NAME, "siblings": [{"rfilename": file} for file in files]}
            data, kind = json.dumps(said).encode(), "application/json"
        elif path.rpartition("/")[2] in files:
            data, kind = (self.folder / path.rpartition("/")[2]).read_bytes(), "application/octet-stream"
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("X-Repo-Commit", commit)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        for key, value in {
            "Content-Length": str(len(data)),
            "Content-Type": kind,
            "ETag": f'"{hashlib.sha256(data).hexdigest()}"',
            "X-Repo-Commit": commit,
        }.items():
            self.send_header(key, value)
        self.end_headers()
        if body and weights and fault == "cut":
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
        elif body:
            self.wfile.write(data[:-1] + bytes([data[-1] ^ 1]) if weights and fault == "hash" else data)


def visit_hub(folder, cache):
    fault = cache.with_name("fault")
    handler = type("Played", (Hub,), {"folder": folder, "fault": fault})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        asked = os.environ | {
            "HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}",
            "HF_HOME": str(cache),
            "HF_HUB_OFFLINE": "0",
            "HF_HUB_DISABLE_XET": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", VISITOR, str(fault)],
            env=asked,
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            timeout=120,
        )
        server.shutdown()
    return done


@pytest.mark.slow
def test_each_error_of_a_download_is_reported_and_the_next_try_succeeds_once_with_progress(folder, tmp_path):
    done = visit_hub(folder, tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    *told, before, after, model = done.stdout.splitlines()
    assert told[::2] == ["401 False", "404 False", "pickle False", "cut False", "hash False"]
    closed, missing, pickled, cut, wrong = told[1::2]
    assert "only be downloaded after signing in" in closed and "has no model" in missing
    assert "no weights as safetensors" in pickled and "https://huggingface.co/spaces/safetensors/convert" in pickled
    assert "was interrupted" in cut and "was damaged and has been deleted" in wrong
    assert before.strip() == "False" and after == "True True 1.0" and NAME in model


def test_what_does_not_fit_into_memory_is_not_loaded(monkeypatch):
    monkeypatch.setattr(loading.memory, "available", lambda: 100)
    with pytest.raises(ValueError, match="only 100 MB are free"):
        load_model("google-bert/bert-large-uncased")


def test_the_bundled_model_and_folders_exist(folder, monkeypatch, tmp_path):
    mine = Entry("mine", "Mine", 1, "your own", "A folder.", folder=str(folder))
    monkeypatch.setitem(loading.CATALOGUE, "mine", mine)
    assert loading.is_here("bundled") and loading.is_here("mine")
    assert load_model("mine").name == "mine"
    loading.fetch("mine")  # nothing to do
