#!/usr/bin/env python3
"""Holds what agents said in transcripts of Claude Code against what annals has of it.

    annals init && annals import DIR
    answers.py DIR < <(annals export jsonl events)

Reads the transcripts by itself: every text of every message must be found, in order, in the one event of its
message (where redaction took something out, around that), and the tokens must add up to the same, each message
once with the most that any line of it tells. Prints what it counted; ends with 1 where anything differs."""
import collections, glob, json, os, sys

TOKENS = {"input": "input_tokens", "output": "output_tokens", "cache_read": "cache_read_input_tokens",
          "cache_write": "cache_creation_input_tokens"}

def records(path):
    for line in open(path, errors="replace"):
        at, decoder = 0, json.JSONDecoder()
        while at < len(line.rstrip()):  # some lines hold several records
            try:
                record, at = decoder.raw_decode(line, at)
            except ValueError:
                break
            if isinstance(record, dict):
                yield record

def messages(record):
    if record.get("type") == "assistant":
        yield record.get("message"), record.get("uuid")
    data = record.get("data") or {}
    if record.get("type") == "progress" and data.get("type") == "agent_progress":
        inner = data.get("message") or {}
        if inner.get("type") == "assistant":
            yield inner.get("message"), inner.get("uuid")

texts, most, compacted = collections.defaultdict(list), {}, {}
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.jsonl"))):
    for record in records(path):
        if record.get("subtype") == "compact_boundary":
            compacted[record["uuid"]] = record["compactMetadata"].get("preTokens")
        for message, uuid in messages(record):
            name, usage = message.get("id") or uuid, message.get("usage") or {}
            for block in message.get("content") or []:
                text = block.get("text", "")
                if text.strip() and text not in texts[name]:
                    texts[name].append(text)
            known = most.setdefault(name, {})
            for ours, theirs in TOKENS.items():
                if usage.get(theirs) is not None:
                    known[ours] = max(known.get(ours, 0), usage[theirs])

said, marks, doubled = {}, {}, 0
for line in sys.stdin:
    event = json.loads(line)
    body = event.get("body") or {}
    if event.get("kind") == "AssistantSaid":
        doubled += body["native_id"] in said
        said[body["native_id"]] = (body, bool(event.get("redactions")))
    if event.get("kind") == "Compacted":
        marks[body["native_id"]] = body["tokens_before"]

def holds(text, whole, redacted):
    if text in whole or not redacted:
        return text in whole
    lines = [it for it in text.split("\n") if it.strip()]
    return sum(it in whole for it in lines) * 2 >= len(lines)

missing = []
for name, wanted in texts.items():
    body, redacted = said.get(name, ({}, False))
    whole = (body.get("text") or {}).get("data") or ""
    missing += [(name, text[:80]) for text in wanted if not holds(text, whole, redacted)]
count = sum(map(len, texts.values()))
theirs = {it: sum(known.get(it, 0) for known in most.values()) for it in TOKENS}
ours = {it: sum(body["usage"][it] or 0 for body, _ in said.values()) for it in TOKENS}
print(f"messages with text {len(texts)}, texts {count}, missing {len(missing)}")
print(f"events {len(said)}, told again {doubled}, messages with usage {sum(bool(it) for it in most.values())}")
print("tokens in the transcripts", theirs)
print("tokens in the journal    ", ours)
print(f"compactions {len(compacted)}, in the journal {len(marks)}")
for name, text in missing[:10]:
    print("missing", name, repr(text))
sys.exit(bool(missing or theirs != ours or compacted != marks))
