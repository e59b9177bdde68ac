"""The floor's page: all tables at a glance, and each as its guests see it."""
