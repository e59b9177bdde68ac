"""Adds the figures that reports read, and triggers that note what must be counted again.

Revision ID: 0004
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_HOUR_MS: Final = 3_600_000
#: The records that are counted, and the column with their time.
_TIMED: Final = {
    "coups": "settled_ms", "misreads": "t_ms", "rulings": "t_ms", "refusals": "t_ms",
    "alerts": "t_ms",
}  # fmt: skip
#: The events at which a Schlitten begins or ends.
_ENDS: Final = "('schlitten_ready', 'schlitten_counted', 'schlitten_withdrawn')"
_MARKED: Final = "ON CONFLICT (table_id, hour) DO UPDATE SET mark = excluded.mark"


def upgrade() -> None:
    """Create the tables, the indexes by time and the triggers; note all that there is."""
    _tables()
    for name in ("misreads", "rulings", "refusals", "alerts", "staffing"):
        op.create_index(f"{name}_in_time", name, ["t_ms"], unique=False)
    op.create_index("staffing_of_a_table", "staffing", ["table_id", "t_ms"], unique=False)
    # by `void` too: a table whose rows all became void does not make the floor read them again
    op.drop_index("events_in_order", "events")
    op.create_index("events_in_order", "events", ["table_id", "audience", "void", "seq"])
    op.create_index("faults_of_a_table", "faults", ["table_id", "id"], unique=False)
    op.create_index("coups_of_a_winner", "coups", ["winner", "settled_ms"], unique=False)
    op.create_index("coups_of_a_table", "coups", ["table_id", "settled_ms"], unique=False)
    op.add_column("cursors", sa.Column("void", sa.BigInteger(), server_default="0", nullable=False))
    postgresql = op.get_bind().dialect.name == "postgresql"
    for statement in _of_postgresql() if postgresql else _of_sqlite():
        op.get_bind().exec_driver_sql(statement)
    for statement in _noted(postgresql):
        op.get_bind().exec_driver_sql(statement)


def _tables() -> None:
    numbers = (
        "coups", "annulled", "open_ms", "idle_ms", "staked", "taken", "cards", "misreads",
        "corrections", "rulings", "refusals", "alerts",
    )  # fmt: skip
    op.create_table(
        "figures",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("hour", sa.BigInteger(), nullable=False),
        sa.Column("croupier", sa.Text(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in numbers),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("stakes", "play", "pay")),
        sa.Column("answered", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "hour", "croupier"),
    )
    op.create_table(
        "outcomes",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("shoe", sa.Text(), nullable=False),
        sa.Column("t_ms", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("came", sa.BigInteger(), nullable=False),
        sa.Column("among", sa.BigInteger(), nullable=False),
        sa.Column("awaited", sa.Double(), nullable=False),
        sa.Column("alone", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "seq", "number"),
    )
    op.create_index("figures_of_a_croupier", "figures", ["croupier", "hour"], unique=False)
    op.create_index("outcomes_by_chance", "outcomes", ["alone"], unique=False)
    op.create_table(
        "to_count",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("hour", sa.BigInteger(), nullable=False),
        sa.Column("mark", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "hour"),
    )
    op.create_table(
        "to_compare",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("mark", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id"),
    )


def _of_sqlite() -> Iterator[str]:
    for name, t_ms in _TIMED.items():
        for event, rows in (("INSERT", "N"), ("UPDATE", "NO"), ("DELETE", "O")):
            notes = " ".join(
                "INSERT INTO to_count (table_id, hour, mark) VALUES "
                f"({row}.table_id, max({row}.{t_ms}, 0) / {_HOUR_MS}, random()) {_MARKED};"
                for row in ({"N": "NEW", "O": "OLD"}[one] for one in rows)
            )
            yield f"CREATE TRIGGER {name}_{event.lower()} AFTER {event} ON {name} BEGIN {notes} END"
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        mine = f"table_id = {row}.table_id AND hour >= max({row}.t_ms, 0) / {_HOUR_MS}"
        yield (
            f"CREATE TRIGGER staffing_{event.lower()} AFTER {event} ON staffing BEGIN "
            f"UPDATE to_count SET mark = random() WHERE {mine}; "
            "INSERT INTO to_count (table_id, hour, mark) "
            f"SELECT DISTINCT table_id, hour, random() FROM figures WHERE {mine} {_MARKED}; END"
        )
    again = (
        "INSERT INTO to_compare (table_id, seq, mark) VALUES (NEW.table_id, NEW.seq, random()) "
        "ON CONFLICT (table_id) DO UPDATE SET seq = min(to_compare.seq, excluded.seq), "
        "mark = excluded.mark;"
    )
    for event, when in (("INSERT", f"NEW.kind IN {_ENDS}"), ("UPDATE OF void", "true")):
        yield (
            f"CREATE TRIGGER events_{event.split()[0].lower()} AFTER {event} ON events "
            f"WHEN NEW.audience = 'public' AND {when} BEGIN {again} END"
        )


def _of_postgresql() -> Iterator[str]:
    random = "(random() * 9e18)::bigint"
    yield f"""
        CREATE OR REPLACE FUNCTION count_again() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE one jsonb;
        BEGIN
            FOREACH one IN ARRAY ARRAY[to_jsonb(OLD), to_jsonb(NEW)] LOOP
                IF one IS NOT NULL THEN
                    INSERT INTO to_count (table_id, hour, mark) VALUES ((one->>'table_id')::int,
                        greatest((one->>TG_ARGV[0])::bigint, 0) / {_HOUR_MS}, {random}) {_MARKED};
                END IF;
            END LOOP;
            RETURN NULL;
        END $$"""
    yield f"""
        CREATE OR REPLACE FUNCTION led_again() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            one staffing := coalesce(NEW, OLD);
            since bigint := greatest(one.t_ms, 0) / {_HOUR_MS};
        BEGIN
            UPDATE to_count SET mark = {random} WHERE table_id = one.table_id AND hour >= since;
            INSERT INTO to_count (table_id, hour, mark)
                SELECT table_id, hour, {random} FROM (
                    SELECT DISTINCT table_id, hour FROM figures
                    WHERE table_id = one.table_id AND hour >= since) AS those {_MARKED};
            RETURN NULL;
        END $$"""
    yield f"""
        CREATE OR REPLACE FUNCTION compare_again() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO to_compare (table_id, seq, mark) VALUES (NEW.table_id, NEW.seq, {random})
                ON CONFLICT (table_id) DO UPDATE
                SET seq = least(to_compare.seq, excluded.seq), mark = excluded.mark;
            RETURN NULL;
        END $$"""
    every = "AFTER INSERT OR UPDATE OR DELETE ON"
    for name, t_ms in _TIMED.items():
        yield (
            f"CREATE TRIGGER {name}_counted {every} {name} FOR EACH ROW "
            f"EXECUTE FUNCTION count_again('{t_ms}')"
        )
    yield f"CREATE TRIGGER led {every} staffing FOR EACH ROW EXECUTE FUNCTION led_again()"
    for event, when in (("INSERT", f"NEW.kind IN {_ENDS}"), ("UPDATE OF void", "true")):
        yield (
            f"CREATE TRIGGER events_{event.split()[0].lower()} AFTER {event} ON events "
            f"FOR EACH ROW WHEN (NEW.audience = 'public' AND {when}) "
            "EXECUTE FUNCTION compare_again()"
        )


def _noted(postgresql: bool) -> Iterator[str]:
    """Note what this database had before there were figures."""
    greatest = "greatest" if postgresql else "max"
    hours = " UNION ".join(
        f"SELECT table_id, {greatest}({t_ms}, 0) / {_HOUR_MS} AS hour FROM {name}"
        for name, t_ms in _TIMED.items()
    )
    yield (
        "INSERT INTO to_count (table_id, hour, mark) "
        f"SELECT table_id, hour, 0 FROM ({hours}) AS those"
    )
    yield "INSERT INTO to_compare (table_id, seq, mark) SELECT id, 0, 0 FROM tables"
    mine = "events.table_id = cursors.table_id AND events.audience = cursors.audience"
    yield (
        f"UPDATE cursors SET void = (SELECT count(*) FROM events WHERE {mine} AND events.void) "
        "WHERE EXISTS (SELECT 1 FROM events WHERE events.void)"
    )
