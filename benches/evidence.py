#!/usr/bin/env python3
"""What sealing, proving and signing cost on a journal of many records, and what a hook costs before and after a seal.

    cargo build --release; benches/evidence.py target/release/annals [RECORDS] [FOLDER]

Each figure is the median of a process from start to end (11 of them, in turns), by the clock and of the processor, beside that of `annals --version` (the start
of a process) and of a hook (one append and its flush). The journal is an import of RECORDS/2 calls (default 1000000 records)."""
import json, os, resource, statistics, subprocess, sys, tempfile, time

ROUNDS = 11
binary = os.path.abspath(sys.argv[1])
records = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
folder = tempfile.mkdtemp(dir=sys.argv[3] if len(sys.argv) > 3 else None)
project = os.path.join(folder, "project")
os.mkdir(project)
env = {**os.environ, "HOME": folder}


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(words, text=None):
    begun, used = time.perf_counter(), cpu()
    done = subprocess.run([binary, *words], cwd=project, env=env, input=text, text=True, capture_output=True)
    took = (time.perf_counter() - begun) * 1000, (cpu() - used) * 1000
    assert done.returncode in (0, 1), (words, done.stdout, done.stderr)
    return took


def transcript(path):
    session, parent = "5f0c8f1e-0000-4000-8000-000000000002", None
    with open(path, "w") as out:
        for at in range(records // 2):
            time_text = "2026-01-%02dT%02d:%02d:%02d.%03dZ" % (1 + at // 86400 % 28, at // 3600 % 24, at // 60 % 60, at % 60, at % 1000)
            one, two = ("5f0c8f1e-0000-4000-8000-%012d" % (2 * at + it) for it in (0, 1))
            common = {"sessionId": session, "timestamp": time_text, "cwd": project, "version": "1"}
            use = {"type": "tool_use", "id": f"toolu_{at}", "name": "Read", "input": {"file_path": f"/w/f{at % 1000}"}}
            result = {"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": f"x{at}"}
            for line in (
                {"type": "assistant", "uuid": one, "parentUuid": parent, **common,
                 "message": {"id": f"msg_{at}", "role": "assistant", "content": [use]}},
                {"type": "user", "uuid": two, "parentUuid": one, **common, "message": {"role": "user", "content": [result]}},
            ):
                out.write(json.dumps(line) + "\n")
            parent = two


def hook(number):
    return json.dumps({"hook_event_name": "PreToolUse", "session_id": "one", "cwd": project, "tool_name": "Bash",
                       "tool_input": {"command": "true"}, "tool_use_id": f"call_{number}"})


path = os.path.join(folder, "transcript.jsonl")
transcript(path)
run(["init"])
run(["import", "claude-code", path])
run(["key", "new", "--name", "me"])
print(f"{records} records; ms, median of {ROUNDS}")
print(f"tree from nothing, one proof        {run(['prove', 'inclusion', '@7'])[0]:9.1f}  (once)")
count = iter(range(10**6))


def measure(title, rows):
    took = {name: [] for name, _ in rows}
    for _ in range(ROUNDS):
        for name, work in rows:
            took[name].append(work())
    print(title)
    for name, values in took.items():
        clock, processor = zip(*values)
        spread = f"({min(clock):.1f} to {max(clock):.1f})"
        print(f"  {name:33} {statistics.median(clock):9.1f}  {spread:20} processor {statistics.median(processor):6.1f}")


def turns():
    return [
        ("--version", lambda: run(["--version"])),
        ("hook", lambda: run(["hook", "claude-code"], hook(next(count)))),
        ("prove inclusion", lambda: run(["prove", "inclusion", f"@{records // 2 + next(count)}"])),
        ("checkpoint", lambda: run(["checkpoint"])),
    ]


measure("before a seal", turns())
print(f"seal                                {run(['seal'])[0]:9.1f}  (once)")
measure("after it", turns())
