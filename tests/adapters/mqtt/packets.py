"""Packets of MQTT 3.1.1, byte by byte, for tests of what a broker lets in."""

import asyncio
import struct

from tests.limits import PATIENCE_S


def text(value):
    data = value.encode()
    return struct.pack("!H", len(data)) + data


def connect_packet(user, password, *, client="raw", will="", flags=0xC2, keepalive=60):
    """CONNECT of MQTT 3.1.1, byte by byte."""
    if will:
        flags |= 0x24  # with a retained last will
    body = text("MQTT") + bytes([4, flags]) + struct.pack("!H", keepalive) + text(client)
    if will:
        body += text(will) + text("spoofed")
    body += text(user) + text(password)
    return bytes([0x10, len(body)]) + body


async def raw(port, data=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    return reader, writer


async def code(port, packet):
    """CONNACK's return code for this CONNECT; None if there was none."""
    reader, writer = await raw(port, packet)
    try:
        async with asyncio.timeout(PATIENCE_S):
            return (await reader.readexactly(4))[3]
    except asyncio.IncompleteReadError:
        return None
    finally:
        writer.close()
