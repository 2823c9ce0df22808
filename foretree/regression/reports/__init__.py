"""Reports: documents, tables, plots, JUnit."""
