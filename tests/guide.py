"""What docs/hosting.md prints for a plain server, so that tests can follow it."""

import re
import subprocess
from pathlib import Path

HOSTING = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text(encoding="utf-8")
PLAIN = "A plain server"
SECRETS = "/etc/embtools.env"
REDIS = "/etc/redis/redis.conf"


def blocks(heading: str) -> list[tuple[str, str]]:
    """The blocks of code below a heading, each with its language ("" for commands)."""
    (section,) = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", HOSTING, re.DOTALL | re.MULTILINE)
    return re.findall(r"^```(\w*)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """The blocks of commands for a plain server, in their order."""
    return [text for language, text in blocks(PLAIN) if language == ""]


def unit() -> str:
    """The unit for systemd."""
    (text,) = (text for language, text in blocks(PLAIN) if language == "ini")
    return text


def environment(text: str) -> dict[str, str]:
    """The variables that the unit sets itself."""
    return dict(
        pair.split("=", 1) for line in re.findall(r"^Environment=(.+)$", text, re.MULTILINE) for pair in line.split()
    )


def write_secrets(folder: Path) -> None:
    """Run the commands that write the passwords of redis and of the app, into a folder instead of /etc."""
    (text,) = (text for text in commands() if SECRETS in text and "openssl" in text)
    for path in (SECRETS, REDIS):
        text = text.replace(path, str(folder / Path(path).name))
    text = re.sub(r"^systemctl .*\n", "", text, flags=re.MULTILINE)
    subprocess.run(["bash", "-euo", "pipefail", "-c", text], check=True)
    assert (folder / Path(SECRETS).name).stat().st_mode & 0o777 == 0o600
    assert f"EnvironmentFile={SECRETS}\n" in unit()


def variables(folder: Path) -> dict[str, str]:
    """The variables in the file with the secrets of the app."""
    return dict(line.split("=", 1) for line in (folder / Path(SECRETS).name).read_text().splitlines())


def redis_lines(folder: Path) -> list[str]:
    """The lines that were added to the configuration of redis."""
    return (folder / Path(REDIS).name).read_text().splitlines()
