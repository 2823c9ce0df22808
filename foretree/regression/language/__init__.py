"""Suites of language cases: what people say, what they mean, and what an agent makes of it."""
