"""The lexicon of English: everyday words, their parts of speech and their forms."""
