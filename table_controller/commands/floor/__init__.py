"""The commands about many tables: `schlitten floor`."""
