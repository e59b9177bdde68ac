"""Tries slips that are written by hand. The tests must notice every one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from workshop.mutation import killer
from workshop.mutation.covered import RedTests
from workshop.mutation.killer import Job, Verdict
from workshop.mutation.mutations import Mutation


def spoiled(text: str, mutation: Mutation) -> str:
    """The file's text with the slip in it. Raises ValueError if the slip does not fit the text."""
    found = text.count(mutation.old)
    if found != 1:
        raise ValueError(
            f"{mutation.rule}: {mutation.old!r} is {found} times in {mutation.file} (want once)"
        )
    return text.replace(mutation.old, mutation.new)


def tried(
    chosen: list[Mutation],
    told: Callable[[str, int], None] = lambda *_: None,
    root: Path = killer.ROOT,
) -> Iterator[tuple[str, Verdict]]:
    """Try each slip. Yield its name and its verdict.

    Raises RedTests if a test fails without any slip. `told` is called as in `judged`.
    """
    asked = dict.fromkeys(mutation.tests for mutation in chosen)
    as_they_are = [Job(" ".join(tests), partial(_work, tests)) for tests in asked]
    return judged(as_they_are, [_job(mutation, root) for mutation in chosen], told, root)


def judged(
    as_they_are: list[Job], slips: list[Job], told: Callable[[str, int], None], root: Path
) -> Iterator[tuple[str, Verdict]]:
    """Do the jobs `as_they_are`, then those with slips. Yield each slip's name and verdict.

    Raises RedTests if one of the jobs `as_they_are` fails. `told` is called after each job, with
    its name and the number of slips that it tried.
    """
    with killer.copies(root) as copies:
        for job, status, log in killer.done(list(copies), deque(as_they_are)):
            told(f"as they are: {job.name}", 0)
            if killer.verdict(status) != Verdict.SURVIVED:
                end = log.read_text("utf-8")[-2000:]
                raise RedTests(f"the tests fail as they are: {job.name}\n{end}")
        for job, status, _ in killer.done(copies, deque(slips)):
            told(job.name, 1)
            yield job.name, killer.verdict(status)


def _job(mutation: Mutation, root: Path) -> Job:
    text = spoiled((root / mutation.file).read_text(), mutation)
    name = f"{mutation.rule}: {mutation.file}: {mutation.new.strip()[:60]!r}"
    return Job(name, partial(_work, mutation.tests), mutation.file, text)


def _work(tests: tuple[str, ...]) -> int:
    return killer.pytest_of(tests, killer.Chosen())
