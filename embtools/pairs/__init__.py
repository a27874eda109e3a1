"""Two sentences: does one follow the other, how alike are they, and which of many belong together?"""
