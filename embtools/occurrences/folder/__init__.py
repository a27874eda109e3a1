"""Large corpora as folders of Parquet files: writing, checking, reading and exact search."""
