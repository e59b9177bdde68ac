"""The files for Prometheus and Grafana that are shipped with the floor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parents[2] / "systemd" / "floor"
RULES, DASHBOARD = HERE / "alerts.yml", HERE / "dashboard.json"


def queries() -> Iterator[str]:
    """Yield every query of the dashboard, as Grafana sends it."""
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$site", ".*")
