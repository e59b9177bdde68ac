"""The firmware's C code as a PC program, driven by lines (`hardware/firmware/pc/board_pc.c`)."""

from __future__ import annotations

import subprocess

from hardware.emulator import built


class CProgram:
    """Ask it a line, get a line."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [built("check") / "board_pc"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def ask(self, line: str) -> str:
        """Give a command; return its answer."""
        self._child.stdin.write(line + "\n")
        self._child.stdin.flush()
        answer = self._child.stdout.readline()
        assert answer, f"the C program stopped at {line!r}"
        return answer.rstrip("\n")

    def close(self) -> int:
        """End it; return its exit code (a sanitizer's complaint is not 0)."""
        self._child.stdin.close()
        self._child.stdout.close()
        return self._child.wait()
