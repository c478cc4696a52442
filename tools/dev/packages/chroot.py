# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Systems with nothing but what debootstrap makes and a customer installs."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

from stage import Failure, execute

SUITES = {
    "debian-12": ("bookworm", "http://deb.debian.org/debian"),
    "debian-13": ("trixie", "http://deb.debian.org/debian"),
    "ubuntu-24.04": ("noble", "http://archive.ubuntu.com/ubuntu"),
}
SCRIPTS = pathlib.Path("/usr/share/debootstrap/scripts")
UBUNTU_KEYS = pathlib.Path("/usr/share/keyrings/ubuntu-archive-keyring.gpg")
NOBODY = "65534:65534"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def cleanSystem(name, given):
    """The folder of a clean system: a given one, one of before, or a new one."""
    if name in given:
        return pathlib.Path(given[name])
    suite, mirror = SUITES[name]
    caches = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(caches) / "het/systems" / suite
    if folder.exists():
        return folder
    more = ["--components=main,universe", f"--keyring={UBUNTU_KEYS}"] if name.startswith("ubuntu") else []
    if more and not UBUNTU_KEYS.exists():
        raise Failure(f"debootstrap: found no {UBUNTU_KEYS}, expected the keys that Ubuntu's archive is signed by; "
                      f"install them, or name a system by --clean {name}=FOLDER")
    # An older debootstrap does not know the suite, but all of Ubuntu's go the same way.
    script = SCRIPTS / (suite if (SCRIPTS / suite).exists() or not more else "gutsy")
    if not script.exists():
        raise Failure(f"debootstrap: found no {script}, expected it for {suite}; install a newer debootstrap, or name "
                      f"a system by --clean {name}=FOLDER")
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    execute(["debootstrap", "--variant=minbase", *more, suite, part, mirror, script])
    part.rename(folder)
    return folder


class System:
    """A copy of a clean system."""

    def __init__(self, clean, folder):
        self.folder = pathlib.Path(folder)
        execute(["cp", "-a", "--reflink=auto", clean, self.folder])
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        sources = self.folder / "etc/apt/sources.list"
        text = sources.read_text() if sources.exists() else ""
        suite = re.search(r"^deb http://deb\.debian\.org/debian (\w+) ", text, re.MULTILINE)
        if suite and "security" not in text:  # which each installed Debian has, and debootstrap does not write
            sources.write_text(f"{text}deb http://deb.debian.org/debian-security {suite[1]}-security main\n")

    def run(self, command, user=NOBODY, proc=True, mounts=(), folder="/", **environment):
        """Runs a shell command as a customer would. `mounts`: pairs of a path and mount's words."""
        root = shlex.quote(str(self.folder))
        lines = [f"mount -t proc proc {root}/proc"] if proc else []
        lines += [f"mount {words} {root}{path}" for path, words in mounts]
        words = ["env", "-i", f"PATH={PATH}", *[f"{name}={value}" for name, value in environment.items()],
                 "sh", "-c", f"cd {shlex.quote(folder)} && {command}"]
        lines.append(f"exec chroot --userspec={user} {root} {shlex.join(words)}")
        return subprocess.run(["unshare", "-m", "sh", "-ec", "\n".join(lines)], capture_output=True, text=True,
                              check=False, stdin=subprocess.DEVNULL)

    def offers(self, package):
        """Whether the system's own archives have a package."""
        return self.run(f"apt-cache show {package}", user="0:0").returncode == 0

    def install(self, *packages):
        run = self.run("apt-get update -q && apt-get install -qy --no-install-recommends " + " ".join(packages),
                       user="0:0", DEBIAN_FRONTEND="noninteractive")
        if run.returncode:
            raise Failure(f"apt-get install {' '.join(packages)}: {(run.stderr or run.stdout).strip()}")
