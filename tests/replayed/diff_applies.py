#!/usr/bin/env python3
"""Apply `annals diff SESSION` onto what its files held before, and compare with what the agent left.

    diff_applies.py ANNALS JOURNAL_DIR TRANSCRIPT...

Truth is read from Claude Code's transcripts alone, from what annals does not record: `toolUseResult.originalFile`
of every edit. A file is `whole` where each edit's original is what the one before left, and `broken` where
something else changed it in between; of those it is only counted whether the diff says so.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile


def records(paths):
    for path in paths:
        for line in open(path, errors="replace"):
            try:
                yield json.loads(line)
            except ValueError:
                pass


def edits(paths):
    """Each successful edit once: its call, when, file, what was there before and what after."""
    seen = {}
    for record in records(paths):
        told, message = record.get("toolUseResult"), record.get("message")
        if not isinstance(told, dict) or "filePath" not in told or not isinstance(message, dict):
            continue
        call = next((b["tool_use_id"] for b in message["content"] if b.get("type") == "tool_result"), None)
        if "oldString" in told:
            before = told["originalFile"]
            old, new = told["oldString"], told["newString"]
            if before is None or old not in before:
                continue
            after = before.replace(old, new, -1 if told.get("replaceAll") else 1)
        elif told.get("type") in ("create", "update"):
            before, after = told.get("originalFile"), told["content"]
            if told["type"] == "create":
                before = None
        else:
            continue
        seen.setdefault(call, (record["timestamp"], told["filePath"], before, after))
    return seen


def main():
    annals, journal, *transcripts = sys.argv[1:]

    def ask(*words):
        command = [annals, "--dir", journal, *words]
        return subprocess.run(command, check=True, capture_output=True).stdout

    truth = edits(transcripts)
    sql = "SELECT s.id, s.cwd, e.call_key FROM idx.executions e JOIN idx.sessions s ON s.number = e.session"
    sessions = collections.defaultdict(list)
    for row in json.loads(ask("sql", "--json", sql)):
        call = row["call_key"].split("\0")[-1]
        if call in truth:
            sessions[row["id"], row["cwd"]].append(truth[call])
    count = collections.Counter(sessions=len(sessions))
    for (session, cwd), calls in sessions.items():
        files = collections.defaultdict(list)
        for call in sorted(calls, key=lambda it: it[0]):
            if call[1].startswith(cwd + "/"):
                files[call[1][len(cwd) + 1:]].append(call)
        for name, chain in files.items():
            whole = all(b[2] == a[3] for a, b in zip(chain, chain[1:]))
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["git", "init", "-q", folder], check=True)
                place = pathlib.Path(folder, name)
                place.parent.mkdir(parents=True, exist_ok=True)
                if chain[0][2] is not None:
                    place.write_bytes(chain[0][2].encode())
                with open(folder + "/.git/patch", "w+b") as patch:
                    subprocess.run([annals, "--dir", journal, "diff", session, f"{cwd}/{name}"], check=True, stdout=patch)
                    patch.seek(0)
                    said = patch.read().decode()
                apply = ["git", "-C", folder, "apply", folder + "/.git/patch"]
                done = subprocess.run(apply, capture_output=True, text=True)
                left = place.read_bytes().decode() if place.exists() else None
            same = chain[0][2] == chain[-1][3] and "diff --git" not in said
            kind = "whole" if whole else "broken"
            noted = "noted" if said.startswith("#") or "\n# " in said else "not noted"
            got = "same" if left == chain[-1][3] and (done.returncode == 0 or same) else "differs"
            got = "refused" if done.returncode and not same else got
            count[kind, got, noted] += 1
            if kind == "whole" and got != "same" or kind == "broken" and noted == "not noted":
                print(session, name, kind, got, noted, done.stderr.strip()[:120])
    for what, number in sorted(count.items(), key=str):
        print(number, *([what] if isinstance(what, str) else what))


main()
