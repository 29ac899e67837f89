"""Of what answers are made: bodies, problems and their words in both languages, and how calls declare them."""
