"""Tables that people really have: text from bytes, cells by their separator, JSON, and columns by their names."""
