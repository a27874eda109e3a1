"""Does a model fit: what is free, in a container too, and the sentence when it does not."""

from pathlib import Path

import psutil
import pytest

from embtools.models import memory


def test_the_machines_free_memory(tmp_path: Path) -> None:
    assert memory.available(tmp_path) == pytest.approx(psutil.virtual_memory().available / 1e6, rel=0.2)


@pytest.mark.parametrize(("limit", "used", "left"), [("300000000", "100000000", 200), ("100000000", "200000000", 0)])
def test_a_container_may_have_less(tmp_path: Path, limit: str, used: str, left: int) -> None:
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    (tmp_path / "memory.current").write_text(f"{used}\n")
    assert memory.available(tmp_path) == left


def test_a_service_may_have_less_in_both_versions_of_control_groups(tmp_path: Path) -> None:
    membership = tmp_path / "cgroup"
    membership.write_text("0::/system.slice/app.service\n")
    own = tmp_path / "system.slice" / "app.service"
    own.mkdir(parents=True)
    (own / "memory.max").write_text("300000000\n")
    (own / "memory.current").write_text("100000000\n")
    assert memory.available(tmp_path, membership=membership) == 200
    membership.write_text("9:name=systemd:/\n4:memory:/jobs/app\n")
    own = tmp_path / "memory" / "jobs" / "app"
    own.mkdir(parents=True)
    (own / "memory.limit_in_bytes").write_text("250000000\n")
    (own / "memory.usage_in_bytes").write_text("100000000\n")
    assert memory.available(tmp_path, membership=membership) == 150
    assert memory.available(tmp_path, membership=tmp_path / "missing") > 200


def test_a_container_without_a_limit_has_the_machines(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert memory.available(tmp_path) > 0


def test_what_does_not_fit_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1_500)
    memory.check("BERT base", 750)
    text = r"BERT large needs about 2,018 MB of memory, but only 1,500 MB are free.* Choose a smaller model"
    with pytest.raises(ValueError, match=text):
        memory.check("BERT large", 1345)
