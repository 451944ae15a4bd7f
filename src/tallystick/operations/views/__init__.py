"""Read operations that combine several kinds of rows: brief, owed, coverage, timeline, statistics, comparison."""
