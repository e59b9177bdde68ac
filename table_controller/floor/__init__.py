"""The floor shows many tables on one page.

A floor is a client of the tables' brokers, and no table depends on a floor.
"""
