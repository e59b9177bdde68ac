"""The lab's machine: commands, waiting, and kernel modules."""

import subprocess
import time

#: An emulated processor is slow: what takes a second at a table may take a minute here.
PATIENCE_S = 120


def run(*command):
    """Run a command; return what it prints."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert not done.returncode, (command, done.stdout, done.stderr)
    return done.stdout


def until(holds, what, patience_s=PATIENCE_S):
    """Wait for the kernel: until `holds()` is true, and return that."""
    deadline = time.monotonic() + patience_s
    while not (found := holds()):
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.05)
    return found


class Module:
    """A kernel module that is loaded anew, and unloaded at the end."""

    def __init__(self, name, *parameters):
        self._name, self._parameters = name, parameters
        self.load()

    def load(self):
        """Load it; udev has made its devices when this returns."""
        run("modprobe", self._name, *self._parameters)
        run("udevadm", "settle")

    def unload(self):
        """Take it away, as if its hardware were unplugged."""
        subprocess.run(["modprobe", "-r", self._name], check=False)
