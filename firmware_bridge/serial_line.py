"""A serial port that is opened, served, and after each loss opened again.

The module knows pyserial and asyncio. It must not know the messages on the line: those belong to
the board (`port.py`) and the barcode module (`barcode_module.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import termios
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, NoReturn

import serial

from firmware_bridge.trouble import Trouble, TroubleError

#: Pauses between attempts to open a port. They are short at first, since a plug is often pushed
#: back in.
BACK_OFF_S: Final = (0.25, 0.5, 1.0, 2.0, 5.0)


class PortError(TroubleError):
    """A port cannot be opened, or can no longer be used. The text names the port and the remedy."""


def open_port(path: str, baud: int) -> serial.Serial:
    """Open a serial port exclusively, without waiting. Raises PortError.

    The best `path` is one in `/dev/serial/by-path/`, since it belongs to the USB socket. Devices of
    one kind often have the same name in `/dev/serial/by-id/`.
    """
    try:
        return serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
    except serial.SerialException as error:
        raise PortError(_sentence(path, error)) from error


def _sentence(path: str, error: serial.SerialException) -> Trouble:
    number = error.errno
    if number is None and isinstance(error.__context__, termios.error):
        number = error.__context__.args[0]  # pyserial keeps only the text
    match number:
        case errno.ENOENT:
            return Trouble(
                "{path} is not there: plug the device in, or look in /dev/serial/by-path/",
                path=path,
            )
        case errno.EACCES:
            return Trouble(
                "{path} may not be opened by this user: add the user to the group {group}",
                path=path,
                group=_group(path),
            )
        case errno.EAGAIN | errno.EBUSY:
            return Trouble("{path} is in use by another program: stop that one", path=path)
        case errno.ENOTTY | errno.EISDIR:
            return Trouble("{path} is no serial port: look in /dev/serial/by-path/", path=path)
        case _:
            return Trouble(
                "{path} cannot be opened as a serial port: {error}", path=path, error=str(error)
            )


def _group(path: str) -> str:
    """The group of a port, whose users may open it. Systems differ: dialout, uucp, plugdev."""
    try:
        return Path(path).group()
    except (OSError, KeyError):
        return "dialout"


class OpenLine:
    """An open port. Reading and writing never wait; the port takes only as many bytes as fit.

    The event `wake` is set when bytes have arrived, which ends `rest`. A caller may set `wake` too.
    """

    def __init__(self, port: serial.Serial, name: str) -> None:
        self._port, self._name = port, name
        self.wake = asyncio.Event()

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises PortError if the device is gone."""
        try:
            return bytes(self._port.read(4096))
        except OSError as error:  # SerialException is one too
            self._gone(error)

    def write(self, data: bytes) -> None:
        """Write as much as the port takes now. The rest is lost, as on a bad line.

        Raises PortError if the device is gone. (pyserial's own write spins while a port takes
        nothing.)
        """
        try:
            os.write(self._port.fileno(), data)
        except BlockingIOError:
            return
        except OSError as error:
            self._gone(error)

    async def rest(self, seconds: float) -> None:
        """Wait until `wake` is set, or until `seconds` have passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self.wake.wait()
        self.wake.clear()

    def _gone(self, error: OSError) -> NoReturn:
        told = error.strerror or str(error)
        raise PortError(
            Trouble(
                "{path} is gone ({error}): plug the device in again", path=self._name, error=told
            )
        ) from error


async def keep_open(
    path: str,
    baud: int,
    serve: Callable[[OpenLine], Awaitable[NoReturn]],
    lose: Callable[[str], None],
    *,
    worked: Callable[[], bool],
    back_off_s: tuple[float, ...] = BACK_OFF_S,
) -> NoReturn:
    """Open `path` and serve it until it fails, again and again. `lose` gets the reason, a sentence.

    The pauses between openings are `back_off_s`, in seconds. They begin again with the shortest if
    `worked` says that the last opening was of use.
    """
    loop = asyncio.get_running_loop()
    attempt = 0
    while True:
        try:
            with open_port(path, baud) as port:
                line = OpenLine(port, path)
                loop.add_reader(port.fileno(), line.wake.set)
                try:
                    await serve(line)
                finally:
                    loop.remove_reader(port.fileno())
        except PortError as error:
            lose(error.why)
        attempt = 0 if worked() else min(attempt + 1, len(back_off_s))
        await asyncio.sleep(back_off_s[max(attempt - 1, 0)])
