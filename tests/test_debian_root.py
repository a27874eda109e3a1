"""docs/hosting.md followed on a bare Debian: its commands as printed, in a root made by debootstrap.

There is no systemd in such a root: tests/debian/systemctl reads the same unit. The address of the repository leads to
this one, and pip takes the packages from a folder that this machine's pip has filled.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import guide, lifeline

HERE = Path(__file__).parent
ROOT = HERE.parent
ADDRESS = "https://example.org/bert-embedding-explorer.git"  # the placeholder of the guide
VENV = Path("opt/embtools-venv")
PIP = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "PIP_RETRIES": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
# redis-py needs async-timeout below Python 3.11.3, but pip checks the Python that runs it; the wheel needs setuptools.
MORE = ("async-timeout", "setuptools>=80")
PROGRAMS = ("debootstrap", "unshare", "chroot", "ip", "git")
IMAGE = re.compile(r"image\s+takes\s+about\s+([\d.]+)\s+GB\s+of\s+disk\s+space")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can make a Debian root"),
    pytest.mark.skipif(
        not all(map(shutil.which, PROGRAMS)), reason=f"needs {', '.join(PROGRAMS)} (Debian: debootstrap, iproute2)"
    ),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the repository itself, to clone it"),
]


def inside(root: Path, script: str, *, network: bool, seconds: int) -> subprocess.CompletedProcess[str]:
    """Run a script in the root as its administrator; everything that it starts ends with it.

    Without a network it has a loopback interface of its own, so that no port is taken.
    """
    (root / "follow.sh").write_text(f"set -euo pipefail\n{script}\n")
    loopback = "" if network else "ip link set lo up && "
    outside = f"mount -t proc proc {root}/proc && {loopback}exec chroot {root} /bin/bash /follow.sh"
    spaces = ["--mount", "--pid", "--fork", "--kill-child=SIGKILL", *([] if network else ["--net"])]
    clean = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        **PIP,
    }
    return subprocess.run(
        ["unshare", *spaces, "sh", "-c", outside], env=clean, capture_output=True, text=True, timeout=seconds
    )


def downloaded(folder: Path) -> None:
    """The packages that the guide installs, for Debian's Python 3.11."""
    (line,) = re.findall(r"pip install -r /opt/embtools/(\S+) (\S+)$", "\n".join(guide.commands()), re.MULTILINE)
    command = [sys.executable, "-m", "pip", "download", "-q", "--python-version=3.11", "--only-binary=:all:"]
    done = subprocess.run(
        [*command, "-r", str(ROOT / line[0]), line[1], *MORE, "-d", str(folder)],
        env=os.environ | {"PIP_RETRIES": "1"}, capture_output=True, text=True, timeout=1_200,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"the packages cannot be downloaded: {done.stderr[-300:]}")


@pytest.fixture
def root() -> Iterator[Path]:
    """A bare Debian 12 in which the first block of commands was run: packages, the app, and its environment.

    It is made once for all tests, which use it one after another, and ends with the run.
    """
    with lifeline.alone("debian"):
        place = lifeline.folder() / "debian"
        if not (place / "ready").exists():
            build(place)
            (place / "ready").touch()
        yield place


def build(root: Path) -> None:
    """Make the root and run the first block of commands in it."""
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", "bookworm", str(root)], capture_output=True, text=True, timeout=900
    )
    if done.returncode:
        pytest.skip(f"debootstrap cannot reach Debian: {done.stdout[-300:]}")
    downloaded(root / "wheels")
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")  # nothing is started while it is installed
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    subprocess.run(
        ["git", "clone", "-q", "--bare", "--depth=1", f"file://{ROOT}", str(root / "repository.git")], check=True
    )
    (root / "root/.gitconfig").write_text(f'[url "/repository.git"]\n\tinsteadOf = {ADDRESS}\n')
    install, *_ = guide.commands()
    assert ADDRESS in install
    done = inside(root, install, network=True, seconds=1_800)
    assert done.returncode == 0, done.stdout[-1_000:] + done.stderr[-3_000:]


@pytest.mark.long
def test_the_guide_leads_to_two_replicas_behind_nginx_that_share_a_class(root: Path) -> None:
    shutil.copy(HERE / "debian/systemctl", root / "usr/local/bin/systemctl")
    _, secrets, start = guide.commands()
    unit = f"cat > /etc/systemd/system/embtools@.service <<'END'\n{guide.unit()}END\n"
    check = f"cd /opt/embtools && PYTHONPATH=. /{VENV}/bin/python tests/debian/check.py"
    done = inside(root, f"{secrets}\n{unit}\n{start}\n{check}", network=False, seconds=600)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-3_000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert any(text.startswith("BERT ") for text in found["page"])  # the headline of Arithmetic
    assert found["counts"] == [4, 4, 4] and found["served"] == ["8501", "8502"] and found["users"] == ["embtools"]
    assert len(found["codes"]) > 20 and set(found["codes"]) == {200}  # no visitor was lost during the update


def size(*paths: Path) -> float:
    """Space on disk, in MB."""
    done = subprocess.run(["du", "-scm", *map(str, paths)], capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1].split()[0])


def test_the_documented_size_of_the_image_is_that_of_what_its_steps_install(root: Path) -> None:
    """Debian with Python, the packages, and the app: the same steps as those of the Dockerfile, without Docker."""
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for name in kept:
        (root / "app" / name).parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["cp", "-r", str(root / "opt/embtools" / name), str(root / "app" / name)], check=False)
        assert done.returncode == 0, name
    (step,) = re.findall(
        r"^RUN (/opt/venv/bin/python -m compileall .+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE
    )
    done = inside(root, f"cd /app && {step.replace('/opt/venv', f'/{VENV}')}", network=False, seconds=300)
    assert done.returncode == 0, done.stderr
    system = size(
        *(
            root / name
            for name in ("usr", "etc", "lib", "bin", "sbin", "var/lib/dpkg")
            if not (root / name).is_symlink()
        )
    )
    sizes = {"system": system, "packages": size(root / VENV), "app": size(root / "app")}
    total = sum(sizes.values()) / 1_000
    (documented,) = IMAGE.findall(guide.HOSTING)
    assert total == pytest.approx(float(documented), rel=0.15), sizes


def test_the_steps_of_a_space_lead_to_an_app_that_answers(root: Path) -> None:
    """All steps of deploy/space/Dockerfile: the packages are already there, and one Debian is both stages."""
    dockerfile = (ROOT / "deploy" / "space" / "Dockerfile").read_text().replace("\\\n", " ")
    dockerfile = dockerfile.replace("/opt/venv", f"/{VENV}")
    (source,) = re.findall(r"^ARG (SOURCE=\S+)$", dockerfile, re.MULTILINE)
    (given,) = re.findall(r"^ENV (PATH=.+)$", dockerfile, re.MULTILINE)
    (command,) = re.findall(r"^CMD (.+)$", dockerfile, re.MULTILINE)
    steps = re.findall(r"^RUN (.+)$", dockerfile, re.MULTILINE)
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    done = inside(root, "\n".join([f"export {source}", *steps]), network=True, seconds=900)
    assert done.returncode == 0, done.stdout[-1_000:] + done.stderr[-3_000:]
    start = f"setpriv --reuid=1000 --regid=1000 --clear-groups env {given} {shlex.join(json.loads(command))}"
    check = f"cd /opt/embtools && PYTHONPATH=. /{VENV}/bin/python tests/debian/space.py"
    done = inside(root, f"cd /tmp\n{start} >/tmp/space.log 2>&1 &\n{check}", network=False, seconds=300)
    log = (root / "tmp/space.log").read_text()
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-3_000:] + log[-1_000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert any(text.startswith("BERT ") for text in found["page"])  # the headline of Arithmetic
    assert found["upload"] == 400 and found["user"] == 1000 and "Traceback" not in log
    assert found["megabytes"] < 1_500
