#!/usr/bin/env python3
"""Samples the last assistant messages of turns from Claude Code transcripts.

Usage: sample_last_messages.py FOLDER [COUNT [SEED]]
prints one JSON object a line: uuid, session, sha256 (of the text), text.

Shares no code with the importer. A turn begins with a prompt that a person typed and ends where the
next one comes or the file ends; it counts where the assistant's last record is text, since a turn that
ends in a call was interrupted and fires no hook. A message that stands in several files counts once.
"""
import hashlib
import json
import pathlib
import random
import sys

# What stands in a user record that nobody typed as a prompt.
MACHINES = ("<command-", "<local-command", "<bash-", "[Request interrupted", "Caveat:",
            "This session is being continued", "<task-notification", "<system-reminder")


def records(path):
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and not record.get("isSidechain"):
                yield record


def blocks(record):
    content = (record.get("message") or {}).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or [] if isinstance(block, dict)]


def is_prompt(record):
    if record.get("type") != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return False
    found = blocks(record)
    if any(block.get("type") == "tool_result" for block in found):
        return False
    text = "".join(block.get("text", "") for block in found).strip()
    return bool(text) and not text.startswith(MACHINES)


def last_messages(path):
    """The last message of each turn: (uuid, session, text)."""
    last, message, texts, begun = None, None, [], False
    for record in records(path):
        if is_prompt(record):
            if begun and last:
                yield last
            last, message, texts, begun = None, None, [], True
            continue
        if record.get("type") != "assistant":
            continue
        body = record.get("message") or {}
        if body.get("model") == "<synthetic>":
            continue
        if body.get("id") != message:
            message, texts = body.get("id"), []
        for block in blocks(record):
            if block.get("type") == "text" and block.get("text", "").strip():
                texts.append(block["text"])
                last = (record.get("uuid"), record.get("sessionId"), "\n".join(texts))
            elif block.get("type") == "tool_use":
                last = None
    if begun and last:
        yield last


def main():
    folder, count, seed = pathlib.Path(sys.argv[1]), 200, 13
    if len(sys.argv) > 2:
        count = int(sys.argv[2])
    if len(sys.argv) > 3:
        seed = int(sys.argv[3])
    seen, texts, found = set(), set(), []
    for path in sorted(folder.glob("*.jsonl")):
        for uuid, session, text in last_messages(path):
            digest = hashlib.sha256(text.encode()).hexdigest()
            if uuid not in seen and digest not in texts:
                seen.add(uuid)
                texts.add(digest)
                found.append({"uuid": uuid, "session": session, "sha256": digest, "text": text})
    found.sort(key=lambda one: one["uuid"])
    for one in random.Random(seed).sample(found, min(count, len(found))):
        print(json.dumps(one, ensure_ascii=False))
    print(f"{len(found)} turns", file=sys.stderr)


main()
