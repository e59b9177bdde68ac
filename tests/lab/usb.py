"""A board on USB.

The kernel's ACM gadget is its USB chip; behind it is the firmware in its emulator. As on a Nano,
whoever opens the port raises DTR, and that resets the board.
"""

import os
import select
import threading
import tty
from pathlib import Path

BY_ID = Path("/dev/serial/by-id")


def opened(path):
    """A line that carries bytes as they are, open without waiting."""
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
    tty.setraw(handle)
    return handle


class Usb:
    """The USB chip of a Nano: passes bytes both ways, and resets the board when DTR rises."""

    def __init__(self, board):
        self.board, self._stop = board, threading.Event()
        self.raised = 0  # how often DTR rose
        self._bus, self._board = opened("/dev/ttyGS0"), opened(board.path)
        self._works = [threading.Thread(target=work) for work in (self._carry, self._watch)]
        for work in self._works:
            work.start()

    def close(self):
        """End; the board stays as it is."""
        self._stop.set()
        for work in self._works:
            work.join()
        os.close(self._bus)
        os.close(self._board)

    def _carry(self):
        while not self._stop.is_set():
            for end in select.select([self._bus, self._board], [], [], 0.1)[0]:
                try:
                    said = os.read(end, 4096)
                    os.write(self._board if end == self._bus else self._bus, said)
                except BlockingIOError:
                    continue
                except OSError:
                    said = b""
                if not said and end == self._bus:  # hung up by the kernel: the plug was pulled
                    os.close(self._bus)
                    self._bus = opened("/dev/ttyGS0")
                    self._stop.wait(0.05)

    def _watch(self):
        """By what goes over the bus: the gadget itself is not told of DTR."""
        high = False
        with Path("/sys/kernel/debug/usb/usbmon/0u").open() as bus:
            os.set_blocking(bus.fileno(), False)
            rest = ""
            while not self._stop.is_set():
                select.select([bus], [], [], 0.1)
                try:
                    rest += os.read(bus.fileno(), 65536).decode()
                except BlockingIOError:
                    continue
                *lines, rest = rest.split("\n")
                for line in lines:
                    words = line.split()
                    if words[2] == "S" and words[4:7] == ["s", "21", "22"]:
                        rises = int(words[7], 16) & 1 and not high
                        high = bool(int(words[7], 16) & 1)
                        if rises:
                            self.raised += 1
                            self.board.command("reset")
