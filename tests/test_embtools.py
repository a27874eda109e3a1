"""The public names of the library: all there, cheap to import."""

import subprocess
import sys

import pytest

import embtools


def test_every_public_name_is_there_and_told():
    assert dir(embtools) == sorted(embtools.__all__)
    for name in embtools.__all__:
        assert getattr(embtools, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nearst'"):
        _ = embtools.nearst


def test_importing_the_library_is_cheap():
    """Nothing heavy comes in before it is used."""
    heavy = "{'torch', 'transformers', 'sklearn', 'pandas', 'plotly', 'streamlit'}"
    code = f"import sys, embtools; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""
