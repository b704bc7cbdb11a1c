#!/usr/bin/env python3
"""Puts parts of NVIDIA's CUDA toolkit, and programs that make and test the pages, into build/, from
wheels on PyPI.

    python3 tools/toolkit.py toolkit     build/toolkit: nvcc and the headers, 105 MB;
                                         tools/setup.sh calls this where there is no nvcc
    python3 tools/toolkit.py cublas      build/cublas: the baseline on a GPU, 420 MB
    python3 tools/toolkit.py codemirror  build/codemirror: the editor of the pages, CodeMirror 6,
                                         as modules, and their font, Roboto
    python3 tools/toolkit.py axe         build/axe: axe-core, which tests how accessible pages are
    python3 tools/toolkit.py oxlint      build/oxlint: a linter for the pages' scripts

tools/toolkit.txt names the wheels and their SHA-256. They are fetched from PIP_INDEX_URL or the
index-url of pip's configuration if either is set. Needs only Python's standard library. A folder
exists whole or not at all: it is made as FOLDER.part, then renamed. If several processes run at
once, one does the work.
Exit status: 0 the folder exists, 1 it could not be made, 2 wrong usage, 130 stopped.
"""
import base64
import configparser
import fcntl
import hashlib
import html
import http.client
import os
import pathlib
import platform
import re
import shutil
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# MB on disk needed to make a folder: its wheels and their extracted files
DISK = {"toolkit": 350, "cublas": 1500, "codemirror": 12, "axe": 2, "oxlint": 25}
# the first letters of the wheel's name, for each part of the pages
PAGES = {"codemirror": "nicegui-", "axe": "axe_", "oxlint": "oxlint-"}


class Problem(Exception):
    pass


def wanted(what):
    """Returns the rows of tools/toolkit.txt for this processor: [[sha256, file name], ...]."""
    processor = platform.machine().replace("arm64", "aarch64")
    rows = [line.split() for line in (ROOT / "tools/toolkit.txt").read_text().splitlines()
            if not line.startswith("#")]
    if what in PAGES:
        rows = [row for row in rows if row[1].startswith(PAGES[what]) and
                row[1].endswith((f"_{processor}.whl", "-any.whl"))]
        if not rows:
            raise Problem(f"there is no wheel of {what} for {processor}")
        return rows
    rows = [row for row in rows if row[1].endswith(f"_{processor}.whl") and
            ("cublas" in row[1]) == (what == "cublas")]
    if not rows or platform.system() != "Linux":
        raise Problem(f"NVIDIA has no wheels of it for {platform.system()} on {processor}, only "
                      "for Linux on x86_64 and aarch64")
    return rows


def index():
    """Returns the index that pip would ask, by its environment variable, its files, or PyPI."""
    home, config = pathlib.Path.home(), configparser.RawConfigParser(strict=False)
    files = [pathlib.Path("/etc/pip.conf"), home / ".pip/pip.conf",
             pathlib.Path(os.environ.get("XDG_CONFIG_HOME", home / ".config")) / "pip/pip.conf",
             os.environ.get("PIP_CONFIG_FILE")]
    try:
        config.read(file for file in files if file)
    except (configparser.Error, UnicodeDecodeError):
        pass  # ignored here: pip reports a faulty file itself
    found = (os.environ.get("PIP_INDEX_URL") or
             config.get("global", "index-url", fallback="https://pypi.org/simple"))
    return found.rstrip("/")


def opened(url):
    """Returns the answer to a request; a name and password in the URL go into a header."""
    parts = urllib.parse.urlsplit(url)
    request = urllib.request.Request(parts._replace(
        netloc=parts.netloc.rpartition("@")[2]).geturl())
    if parts.username is not None:
        user = ":".join(urllib.parse.unquote(part or "")
                        for part in (parts.username, parts.password))
        request.add_header("Authorization", "Basic " + base64.b64encode(user.encode()).decode())
    context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    return urllib.request.urlopen(request, timeout=60, context=context)


def explained(problem):
    """Returns the message of a problem, with the server's name for a problem of the network."""
    if isinstance(problem, urllib.error.HTTPError):
        return f"{problem.url}: {problem}"
    if isinstance(problem, urllib.error.URLError):
        host = urllib.parse.urlsplit(index()).hostname
        return (f"{host} cannot be reached ({problem.reason}): connect this machine to the "
                "network, or set PIP_INDEX_URL to a mirror of PyPI")
    return problem


def address(name):
    """Returns a wheel's link in the index's page of the project."""
    page = f"{index()}/{name.split('-')[0].replace('_', '-')}/"
    with opened(page) as answer:
        for link in re.findall(r"""href\s*=\s*["']([^"']+)""", answer.read().decode()):
            url = urllib.parse.urljoin(page, html.unescape(link)).partition("#")[0]
            if urllib.parse.unquote(url.rpartition("/")[2]) == name:
                return url
    raise Problem(f"{urllib.parse.urlsplit(page).hostname} has no {name}")


def fetch(name, sha256, file):
    """Downloads a wheel into `file`, with its progress on a terminal, and verifies its SHA-256."""
    digest, done = hashlib.sha256(), 0
    with opened(address(name)) as answer, open(file, "wb") as out:
        size = int(answer.headers.get("Content-Length") or 0)
        while block := answer.read(1 << 20):
            digest.update(block)
            out.write(block)
            done += len(block)
            if sys.stderr.isatty():
                print(f"\r\033[K{name.split('-')[0]}: {done >> 20} of {size >> 20} MB", end="",
                      file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if digest.hexdigest() != sha256:
        raise Problem(f"{name} is not the file that tools/toolkit.txt names: its SHA-256 is "
                      f"{digest.hexdigest()}")


def unpack(wheel, folder):
    """Extracts from a wheel the files in nvidia/*/ (bin, include, lib, nvvm), with their modes, or
    the files that the pages need. Licences go to licences/."""
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            # The .woff2 file is the font Roboto: Latin letters, all weights.
            inside = re.fullmatch(r"nvidia/[^/]+/(.+[^/])|axe[^/]*/(axe\.min\.js)|"
                                  r"nicegui/elements/codemirror/dist/(index[^/]*\.js)|"
                                  r"nicegui/static/fonts/(5f5fa57fb07d7e44\.woff2)|"
                                  r"oxlint[^/]*/scripts/(oxlint)", entry.filename)
            licence = re.fullmatch(r"([^/]+)-[^-]+\.dist-info/(?:.*/)?License(?:\.txt)?",
                                   entry.filename, re.IGNORECASE)
            if not inside and not licence:
                continue
            path = folder / (next(filter(None, inside.groups())) if inside
                             else f"licences/{licence[1]}.txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, open(path, "wb") as out:
                shutil.copyfileobj(source, out)
            path.chmod(0o755 if path.name == "oxlint" or entry.external_attr >> 16 & 0o111
                       else 0o644)


def make(what, folder):
    """Makes `folder` of the wheels of `what`, by way of folder.part."""
    part, rows = folder.with_name(folder.name + ".part"), wanted(what)
    shutil.rmtree(part, ignore_errors=True)
    free = shutil.disk_usage(folder.parent).free >> 20
    if free < DISK[what]:
        raise Problem(f"{DISK[what]} MB of disk are needed in {folder.parent}, and {free} MB are "
                      "free: make room")
    try:
        (part / "made").mkdir(parents=True)
        for sha256, name in rows:
            fetch(name, sha256, part / name)
            unpack(part / name, part / "made")
            (part / name).unlink()
        # Wheels have no symbolic links, but a linker looks for lib*.so.
        for library in (part / "made").glob("lib/lib*.so.*"):
            library.with_name(library.name.partition(".so.")[0] + ".so").symlink_to(library.name)
        (part / "made").rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in DISK:
        print("tools/toolkit.py: expected one argument, toolkit, cublas, codemirror, axe or oxlint",
              file=sys.stderr)
        return 2
    folder = ROOT / "build" / arguments[0]
    try:
        folder.parent.mkdir(exist_ok=True)
        with open(folder.with_name(folder.name + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                make(arguments[0], folder)
    except (Problem, OSError, http.client.HTTPException, zipfile.BadZipFile) as problem:
        print(f"tools/toolkit.py: {explained(problem)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
