"""What the commands have in common: errors in one line, output in UTF-8, files that are written
whole or not at all."""
import os
import shutil
import signal
import stat
import sys
import tempfile

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = os.path.dirname(TOOLS)
MEASURED = os.path.join(PROJECT, 'docs', 'results', 'h200')


class Failure(Exception):
    """Ends the command: the text is its one line on standard error, the status its exit status."""

    def __init__(self, text, status=2):
        super().__init__(text)
        self.status = status


class Named(Failure):
    """A failure whose text already begins with the place, FILE:LINE."""


def run(main):
    """Runs main(arguments), which returns an exit status or None for 0, and exits."""
    os.environ['LC_ALL'] = 'C'
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding='utf-8', errors='surrogateescape', newline='\n')
    folder, name = os.path.split(os.path.abspath(sys.argv[0]))
    try:
        status = main(sys.argv[1:]) or 0
        sys.stdout.flush()
    except Named as failure:
        print(failure, file=sys.stderr)
        status = failure.status
    except Failure as failure:
        print(f'{os.path.basename(folder)}/{name}: {failure}', file=sys.stderr)
        status = failure.status
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 128 + signal.SIGPIPE  # the reader of stdout, such as `head`, has closed it
    except OSError as error:
        print(f"{os.path.basename(folder)}/{name}: '{error.filename}': {error.strerror}",
              file=sys.stderr)
        status = 1
    sys.exit(status)


def is_filled(path):
    """Returns whether the file exists and is not empty."""
    return os.path.isfile(path) and os.path.getsize(path) > 0


def read_text(path):
    """Returns the text of a file; bytes that are not UTF-8 survive reading and writing."""
    with open(path, encoding='utf-8', errors='surrogateescape', newline='') as file:
        return file.read()


def joined(said):
    """Returns a report of build/sass with each broken line in one: further lines are indented."""
    return said.replace('\n    ', ' ')


def put(text, target):
    """Writes the text to a fresh file beside the target, which then takes the target's place."""
    if os.path.exists(target) and not os.path.isfile(target):
        raise Failure(f"'{target}' is not a regular file; nothing written", 1)
    try:
        handle, fresh = tempfile.mkstemp(prefix=os.path.basename(target) + '.',
                                         dir=os.path.dirname(target) or '.')
    except OSError:
        raise Failure(f"cannot write '{target}': no file can be made beside it", 1) from None
    try:
        with open(handle, 'wb') as file:
            file.write(text if isinstance(text, bytes) else text.encode('utf-8', 'surrogateescape'))
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(fresh, stat.S_IMODE(0o666 & ~mask))
        os.replace(fresh, target)
    except OSError as error:
        os.unlink(fresh)
        raise Failure(f"cannot write '{target}': {error.strerror}; it is as it was", 1) from None


def need(program, package):
    """Fails unless the program is on PATH."""
    if not shutil.which(program):
        raise Failure(f'{program} is missing; run tools/setup.sh run, or: apt-get '
                      f'install {package}')
