"""Third parties: broker, board, page. Each turns pictures of now into its own language."""
