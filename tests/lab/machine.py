"""The lab's machine: commands, waiting, and kernel modules."""

import subprocess
import time

#: By the machine's own clock, which counts instructions: a busy PC does not make it pass.
PATIENCE_S = 60


def run(*command):
    """Run a command; return what it prints."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert not done.returncode, (command, done.stdout, done.stderr)
    return done.stdout


def until(holds, what, patience_s=PATIENCE_S, *, every_s=0.05):
    """Wait for the kernel: until `holds()` is true, and return that. Ask once in `every_s`."""
    deadline = time.monotonic() + patience_s
    while not (found := holds()):
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(every_s)
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
