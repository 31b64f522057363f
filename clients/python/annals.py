"""annals for Python: every operation of `annals pipe`; one file, no dependencies, Python 3.9.

    from annals import Annals, AnnalsError

    with Annals(session="run-1") as annals:                 # in a project: `annals init` makes one
        annals.record_execution(tool="bash_exec", arguments={"command": "make"}, exit_code=2)
        annals.mem_node_fork(child_node_id="root")
        annals.mem_core_set(branch="root", key="compiler", value="gcc 14")
        print(annals.render_for_prompt(branch="root", task_hint="draft"))
        annals.batch([("mem_core_get", {"branch": "root"}), ("get_timeline_position", {})])

Each method is the operation of its name; `annals.help()` tells what each takes. A call returns when
what it recorded is durable; `annals.sequence` is then its last event. What was refused raises
AnnalsError. Threads may share one: their calls take turns. A pipe that broke (annals ended, answered
what is no answer, or took longer than `timeout` seconds: 60 if not given) is ended, and stays so; what annals
printed last on its standard error is in the error and in `annals.said`. `close` waits 10 seconds at most.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import threading
import time
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

PROTOCOL = 1
SAID_BYTES_MAX, CLOSE_S_MAX = 16_384, 10.0
Call = Tuple[str, Mapping[str, Any]]


class AnnalsError(Exception):
    """An operation was not done: `kind` is for programs, `hint` says what to do about it."""

    def __init__(self, kind: str, message: str, hint: Optional[str] = None) -> None:
        super().__init__(f"{message} (try: {hint})" if hint else message)
        self.kind, self.message, self.hint = kind, message, hint


class Annals:
    """A pipe to `annals`; blocking, one call after the other."""

    def __init__(
        self,
        dir: Union[str, os.PathLike[str], None] = None,
        session: Optional[str] = None,
        program: str = "annals",
        timeout: Optional[float] = 60.0,
    ) -> None:
        command = [program, "pipe", *(["--session", session] if session else [])]
        command += ["--dir", os.fspath(dir)] if dir is not None else []
        self._turn, self._timeout, self._last = threading.RLock(), timeout, 0
        self._lines, self._said, self._broken = bytearray(), bytearray(), None
        self.sequence: Optional[int] = None
        pipe = subprocess.PIPE
        try:
            self._pipe = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        except OSError as error:
            raise AnnalsError("start", f"{program} does not start: {error}", "program=PATH") from error
        self._ends = [self._pipe.stdin, self._pipe.stdout, self._pipe.stderr]
        for end in self._ends:
            os.set_blocking(end.fileno(), False)
        (greeting,) = self._exchange(b"", 1)
        if not isinstance(greeting, dict) or greeting.get("protocol") != PROTOCOL:
            raise self._break("protocol", f"another protocol than {PROTOCOL}: {greeting}")
        self.project: str = greeting["project"]
        self.ops: List[str] = greeting["ops"]

    @property
    def said(self) -> str:
        """The last that annals printed on its standard error."""
        return self._said.decode(errors="replace").strip()

    def call(self, op: str, /, **args: Any) -> Any:
        """Does one operation and gives its result; `session_=` does it for another session."""
        (result,) = self.batch([(op, args)])
        if isinstance(result, AnnalsError):
            raise result
        return result

    def batch(self, calls: Iterable[Call]) -> List[Any]:
        """Does operations without waiting in between: neighbours share a commit. Gives their
        results in order, an AnnalsError in the place of what was refused."""
        with self._turn:
            answers = self._ask(list(calls))
            self.sequence = max((a["sequence"] for a in answers if "sequence" in a), default=None)
        return [a["result"] if a["ok"] else AnnalsError(**a["error"]) for a in answers]

    def __getattr__(self, op: str) -> Callable[..., Any]:
        if op not in self.__dict__.get("ops", ()):
            raise AttributeError(f"annals has no operation {op!r}")
        return lambda **args: self.call(op, **args)

    def close(self) -> None:
        """Ends the pipe: everything is answered, and the stores are caught up."""
        with self._turn, contextlib.suppress(AnnalsError):
            if self._broken is None:
                self._pipe.stdin.close()
                self._exchange(b"", None)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._pipe.wait(1)
                self._break("ended", "this pipe was closed")

    def __enter__(self) -> Annals:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, calls: Sequence[Call]) -> List[Any]:
        if self._broken is not None:
            raise AnnalsError(*self._broken)
        requests = []
        for op, given in calls:
            self._last += 1
            args = dict(given)
            request = {"id": self._last, "op": op, "session": args.pop("session_", None), "args": args}
            requests.append(json.dumps(request, allow_nan=False).encode() + b"\n")
        answers = self._exchange(b"".join(requests), len(requests))
        for at, answer in enumerate(answers, self._last - len(requests) + 1):
            if not isinstance(answer, dict) or "ok" not in answer or answer.get("id") != at:
                raise self._break("protocol", f"no answer to request {at}: {str(answer)[:80]}")
        return answers

    def _exchange(self, sent: bytes, count: Optional[int]) -> List[Any]:
        """Writes and reads side by side, standard error too, so that neither side waits for the other
        to read; until so many lines came, or annals ended. Any way out of here but with its answers
        breaks the pipe: the next call must not read the answers to this one."""
        try:
            return self._turns(memoryview(sent), count)
        except AnnalsError:
            raise
        except BaseException as error:
            self._break("ended", f"a call was cut short: {error!r}")
            raise

    def _turns(self, sent: memoryview, count: Optional[int]) -> List[Any]:
        answers: List[Any] = []
        wait = self._timeout if count is not None else min(CLOSE_S_MAX, self._timeout or CLOSE_S_MAX)
        until = time.monotonic() + (float("inf") if wait is None else wait)
        into, out, err = self._ends
        with selectors.DefaultSelector() as ready:
            for end in (out, err):
                ready.register(end, selectors.EVENT_READ)
            if sent:
                ready.register(into, selectors.EVENT_WRITE)
            while ready.get_map() if count is None else len(answers) < count:
                ended = self._pipe.poll() is not None
                events = [key.fileobj for key, _ in ready.select(0.2)]
                if into in events:
                    with contextlib.suppress(BlockingIOError):
                        sent = self._written(sent)
                    if not sent:
                        ready.unregister(into)
                for end in (end for end in (err, out) if end in events):
                    read = os.read(end.fileno(), 65_536)
                    if not read:
                        ready.unregister(end)
                    elif end is err:
                        self._said = (self._said + read)[-SAID_BYTES_MAX:]
                    else:
                        *lines, self._lines = (self._lines + read).split(b"\n")
                        answers += map(self._parsed, lines)
                # What annals left behind may hold its output open: its own end is the end.
                if ended and not events or count is not None and out not in ready.get_map():
                    break
                if time.monotonic() > until:
                    raise self._break("timeout", f"annals did not answer within {wait} s")
        if count is not None and len(answers) != count:
            raise self._break("ended", "annals ended")
        return answers

    def _written(self, sent: memoryview) -> memoryview:
        try:
            return sent[os.write(self._pipe.stdin.fileno(), sent[:65_536]) :]
        except BrokenPipeError:  # It ended: the reading says so.
            return sent[:0]

    def _parsed(self, line: bytes) -> Any:
        try:
            return json.loads(line)
        except ValueError:
            raise self._break("protocol", f"no JSON: {bytes(line[:80])!r}") from None

    def _break(self, kind: str, message: str) -> AnnalsError:
        if kind != "ended":
            self._pipe.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._pipe.wait(0.5)
        self._pipe.kill()
        code = self._pipe.wait()
        message += f" with exit code {code}" if message == "annals ended" else ""
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.close()
        self._broken = (kind, f"{message}: {self.said}" if self.said else message)
        return AnnalsError(*self._broken)
