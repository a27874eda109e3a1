"""Puts the app into the wheel: app.py, pages/ and the settings of Streamlit become embtools/app/ there.

An editable installation has no embtools/app/; the command then starts the app.py of the checkout.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent


def app() -> list[str]:
    """The files of the app."""
    found = [ROOT / "app.py", ROOT / ".streamlit" / "config.toml", *sorted((ROOT / "pages").glob("*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


class BuildWithApp(build_py):
    """Builds the package with the app in it."""

    def run(self) -> None:
        super().run()
        for built, source in {} if self.editable_mode else self._copies().items():
            self.mkpath(str(Path(built).parent))
            self.copy_file(source, built, preserve_mode=False)

    def _copies(self) -> dict[str, str]:
        return {str(Path(self.build_lib, "embtools", "app", source)): source for source in app()}

    def get_source_files(self) -> list[str]:  # what the sdist holds
        return [*super().get_source_files(), *app()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *self._copies()]

    def get_output_mapping(self) -> dict[str, str]:
        return super().get_output_mapping() | self._copies()


setup(cmdclass={"build_py": BuildWithApp})
