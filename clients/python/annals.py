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
AnnalsError. One thread at a time: give each its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

PROTOCOL = 1
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
    ) -> None:
        command = [program, "pipe", *(["--session", session] if session else [])]
        command += ["--dir", os.fspath(dir)] if dir is not None else []
        self._pipe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._pipe.stdin and self._pipe.stdout
        self._to, self._from, self._last = self._pipe.stdin, self._pipe.stdout, 0
        self.sequence: Optional[int] = None
        greeting = self._line()
        if not isinstance(greeting, dict) or greeting.get("protocol") != PROTOCOL:
            raise AnnalsError("protocol", f"another protocol than {PROTOCOL}: {greeting}")
        self.project: str = greeting["project"]
        self.ops: List[str] = greeting["ops"]

    def call(self, op: str, /, **args: Any) -> Any:
        """Does one operation and gives its result; `session_=` does it for another session."""
        (result,) = self.batch([(op, args)])
        if isinstance(result, AnnalsError):
            raise result
        return result

    def batch(self, calls: Iterable[Call]) -> List[Any]:
        """Does operations without waiting in between: neighbours share a commit. Gives their
        results in order, an AnnalsError in the place of what was refused."""
        answers = self._ask(list(calls))
        self.sequence = max((a["sequence"] for a in answers if "sequence" in a), default=None)
        return [a["result"] if a["ok"] else AnnalsError(**a["error"]) for a in answers]

    def __getattr__(self, op: str) -> Callable[..., Any]:
        if op not in self.__dict__.get("ops", ()):
            raise AttributeError(f"annals has no operation {op!r}")
        return lambda **args: self.call(op, **args)

    def close(self) -> None:
        """Ends the pipe: everything is answered, and the stores are caught up."""
        with contextlib.suppress(OSError):  # It ended before.
            self._to.close()
        self._pipe.wait()
        self._from.close()

    def __enter__(self) -> Annals:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, calls: Sequence[Call]) -> List[Any]:
        if self._from.closed:
            raise AnnalsError("ended", "this pipe was closed")
        requests = []
        for op, given in calls:
            self._last += 1
            args = dict(given)
            request = {"id": self._last, "op": op, "session": args.pop("session_", None), "args": args}
            requests.append(json.dumps(request, allow_nan=False).encode() + b"\n")
        # Beside the reading: else both sides could wait for the other to read.
        writer = threading.Thread(target=self._send, args=(b"".join(requests),))
        writer.start()
        answers = [self._line() for _ in requests]
        writer.join()
        return answers

    def _send(self, requests: bytes) -> None:
        with contextlib.suppress(OSError):  # It ended: who reads is told.
            self._to.write(requests)
            self._to.flush()

    def _line(self) -> Any:
        line = self._from.readline()
        if not line:
            code = self._pipe.wait()
            raise AnnalsError("ended", f"annals ended with exit code {code}: see what it printed")
        try:
            return json.loads(line)
        except ValueError:
            raise AnnalsError("protocol", f"no JSON: {line[:80]!r}") from None
