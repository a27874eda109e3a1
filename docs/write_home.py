"""Write embtools/bundled/home.json, what Home shows before a model is loaded, computed with the bundled weights.

python docs/write_home.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import embtools
from embtools.ui.home import stored

if __name__ == "__main__":
    stored.write(embtools.load_model())
