"""What is punto banco's own among the rules: its houses, its drawing table, its bets, its roads."""
