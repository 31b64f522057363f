#!/usr/bin/env python3
"""Counts what logs of other agents hold: an independent check of `annals import`.

Usage: count_logs.py SOURCE FILE     prints one JSON object with the counts.

Written from the formats' public descriptions alone; it shares no code with the importers and reads files
whole.
"""
import json
import sys


def swe_agent(path):
    document = json.load(open(path))
    history = document.get("history") or []
    steps = document.get("trajectory") or []
    before = []
    for message in history:
        if message["role"] == "assistant":
            break
        before.append(message)
    prompts = sum(m["role"] == "user" and not m.get("is_demo") for m in before)
    if steps:
        calls = [s for s in steps if s.get("action")]
        said = [s for s in steps if s.get("response") or s.get("thought")]
        failed = [s for s in calls if "Your changes have NOT been applied" in s["observation"]]
        return dict(sessions=1, prompts=prompts, messages=len(said), calls=len(calls),
                    results=len(calls), failed=len(failed))
    answers = [m for m in history if m["role"] == "assistant"]
    results = [m for m in history[len(before):] if m["role"] in ("tool", "user")]
    calls = sum(len(m.get("tool_calls") or [1]) for m in answers if m.get("tool_calls") or m.get("action"))
    return dict(sessions=1, prompts=prompts, messages=sum(bool(m["content"]) for m in answers),
                calls=calls, results=len(results), failed=0)


def openhands(path):
    events = [json.loads(line) for line in open(path)]
    kind = lambda name: [e for e in events if e["kind"] == name]
    calls = {e["tool_call_id"] for e in kind("ActionEvent")}
    results, failed = 0, 0
    for event in kind("ObservationEvent") + kind("AgentErrorEvent"):
        if event["tool_call_id"] not in calls:
            continue
        results += 1
        seen = event.get("observation") or {}
        codes = [seen.get("exit_code"), (seen.get("metadata") or {}).get("exit_code")]
        code = next((c for c in codes if c is not None and c >= 0), None)
        failed += bool(event["kind"] == "AgentErrorEvent" or seen.get("is_error") or code)
    said = {e["llm_response_id"] for e in kind("ActionEvent") if e["thought"] or e["reasoning_content"]}
    users = [e for e in kind("MessageEvent") if e["source"] == "user"]
    return dict(sessions=1, prompts=len(users), messages=len(said) + len(kind("MessageEvent")) - len(users),
                calls=len(calls), results=results, failed=failed)


SOURCES = {name.replace("_", "-"): count for name, count in list(globals().items())
           if callable(count) and getattr(count, "__module__", "") == "__main__"}

if __name__ == "__main__":
    print(json.dumps(SOURCES[sys.argv[1]](sys.argv[2])))
