"""Home: three things to try at once, three doors to the pages, and a list of all pages."""
