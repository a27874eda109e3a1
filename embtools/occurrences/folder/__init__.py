"""A corpus too large for one reading, as a folder of Parquet files: written once, checked, opened, searched exactly."""
