"""The command `schlitten`: what each of its commands does, and what it prints."""
