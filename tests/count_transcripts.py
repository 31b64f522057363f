#!/usr/bin/env python3
"""Counts what Claude Code transcripts hold: an independent check of `annals import`.

Usage: count_transcripts.py FILE...     prints one JSON object with the counts over all files.

Written from the transcripts alone; it shares no code with the importer. A call is counted once,
by its id, wherever it appears again; calls of subagents inside progress records count too.
"""
import json
import re
import sys

LINE_BYTES_MAX = 32 << 20
NEVER_RAN = re.compile(
    r"\s*(<tool_use_error>)?("
    r"The user doesn't want to (proceed with this tool use|take this action right now)"
    r"|\[Request interrupted by user for tool use\]|Sibling tool call errored"
    r"|Permission to use |Claude requested permissions to |InputValidationError)"
)
BEGINS = re.compile(
    r'\{"(parentUuid|type|sessionId|uuid|isSidechain|logicalParentUuid|leafUuid|summary)":'
)
BLANK = re.compile(r"\ufeff?[\x00 \t\r\n]*")
DECODER = json.JSONDecoder()


def is_record(value):
    named = ("sessionId", "leafUuid")
    return isinstance(value, dict) and "type" in value and any(key in value for key in named)


def decode(line, at):
    """The JSON object that begins here and where it ends, or None."""
    try:
        value, end = DECODER.raw_decode(line, at)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def records(line):
    """The whole records of a line, and whether anything else was in it."""
    found, flawed, at = [], False, 0
    while True:
        blank = BLANK.match(line, at)
        flawed = flawed or "\0" in blank.group()
        at = blank.end()
        if at == len(line):
            return found, flawed
        whole = decode(line, at)
        if whole:
            found.append(whole[0])
            at = whole[1]
            continue
        flawed = True
        starts = (match.start() for match in BEGINS.finditer(line, at + 1))
        at = next((s for s in starts if is_record((decode(line, s) or [None])[0])), None)
        if at is None:
            return found, flawed


def blocks(record):
    """The content blocks of a record, or of the subagent's record inside it; its account."""
    if record.get("type") == "progress":
        data = record.get("data")
        if not isinstance(data, dict) or data.get("type") != "agent_progress":
            return [], None
        record = data.get("message")
        if not isinstance(record, dict):
            return [], None
    elif record.get("type") not in ("user", "assistant"):
        return [], None
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    content = content if isinstance(content, list) else []
    return [block for block in content if isinstance(block, dict)], record.get("toolUseResult")


def verdict(block, account):
    """How a call ended, from its result."""
    if block.get("is_error") is True:
        text = block.get("content")
        if isinstance(text, list):
            text = "\n".join(b.get("text") or "" for b in text if isinstance(b, dict))
        return "refused" if NEVER_RAN.match(str(text)) else "failed"
    stopped = isinstance(account, dict) and account.get("interrupted") is True
    return "failed" if stopped else "ok"


def main(paths):
    calls, results, sessions = set(), {}, set()
    lines = held = glued = 0
    unreadable = []
    for path in paths:
        with open(path, "rb") as file:
            for number, raw in enumerate(file, 1):
                lines += 1
                raw = raw[:-1] if raw.endswith(b"\n") else raw
                if len(raw) > LINE_BYTES_MAX:
                    unreadable.append(f"{path}:{number}")
                    continue
                found, flawed = records(raw.decode("utf-8", "replace"))
                held += len(found)
                glued += len(found) > 1
                if flawed:
                    unreadable.append(f"{path}:{number}")
                for record in found:
                    if isinstance(record.get("sessionId"), str) and record["sessionId"]:
                        sessions.add(record["sessionId"])
                    content, account = blocks(record)
                    for block in content:
                        kind = block.get("type")
                        if kind == "tool_use" and block.get("id") and block.get("name"):
                            calls.add(block["id"])
                        if kind == "tool_result" and block.get("tool_use_id"):
                            results.setdefault(block["tool_use_id"], verdict(block, account))
    with_call = [kind for call, kind in results.items() if call in calls]
    print(json.dumps({
        "files": len(paths),
        "lines": lines,
        "records": held,
        "glued_lines": glued,
        "unreadable_lines": len(unreadable),
        "unreadable": unreadable,
        "sessions": len(sessions),
        "calls": len(calls),
        "results": len(with_call),
        "errors": sum(kind != "ok" for kind in with_call),
        "failed": with_call.count("failed"),
        "refused": with_call.count("refused"),
        "interrupted": len(calls - results.keys()),
        "results_without_call": len(results) - len(with_call),
    }))


if __name__ == "__main__":
    main(sys.argv[1:])
