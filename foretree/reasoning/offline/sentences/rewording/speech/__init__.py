"""Speech: hesitation, corrections, telegraphic notes and leave that is given."""
