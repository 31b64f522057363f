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


def older_openhands(events):
    acts = [e for e in events if "action" in e]
    around = ("message", "system", "recall", "think", "finish", "change_agent_state")
    calls = [e for e in acts if e["action"] not in around]
    ends = {e["cause"]: e for e in events if "observation" in e and e.get("cause") in {c["id"] for c in calls}}
    code = lambda e: (e.get("extras") or {}).get("metadata", {}).get("exit_code", 0)
    failed = sum(e["observation"] == "error" or code(e) > 0 for e in ends.values())
    said = [e for e in acts if e["action"] == "message" and e["source"] != "user" or e["action"] == "finish"
            or e in calls and e["args"].get("thought")]
    return dict(sessions=1, prompts=sum(e["action"] == "message" and e["source"] == "user" for e in acts),
                messages=len(said), calls=len(calls), results=len(ends), failed=failed,
                interrupted=len(calls) - len(ends))


def openhands(path):
    events = [json.loads(line) for line in open(path)]
    if "kind" not in events[0]:
        return older_openhands(events)
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


def atif(path):
    document = json.load(open(path))
    steps = [s for s in document["steps"] if not s.get("is_copied_context")]
    agent = [s for s in steps if s["source"] == "agent"]
    calls = [c for s in agent for c in s.get("tool_calls") or []]
    results = [r for s in agent for r in (s.get("observation") or {}).get("results", [])]
    # One that says nothing and used no tokens is no message.
    said = [s for s in agent if s["message"] or s.get("reasoning_content") or s.get("metrics")]
    return dict(sessions=1, prompts=sum(s["source"] == "user" for s in steps), messages=len(said),
                calls=len(calls), results=len(results), failed=0)


def gemini_cli(path):
    if path.endswith(".jsonl"):
        lines = [json.loads(line) for line in open(path)]
        # The last copy of a message is what it says.
        messages = list({m["id"]: m for m in lines if "id" in m}.values())
    else:
        messages = json.load(open(path))["messages"]
    gemini = [m for m in messages if m["type"] == "gemini"]
    calls = [c for m in gemini for c in m.get("toolCalls", [])]
    failed = [c for c in calls if c["status"] == "error" or "\nExit Code: 2" in json.dumps(c).replace("\\n", "\n")]
    refused = [c for c in calls if c["status"] == "cancelled"]
    return dict(sessions=1, prompts=sum(m["type"] == "user" for m in messages), messages=len(gemini),
                calls=len(calls), results=len(calls), failed=len(failed), refused=len(refused))


def protobuf(data):
    """The fields of a message: (number, value)."""
    def varint(at):
        value = shift = 0
        while True:
            value |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                return value, at
    at, fields = 0, []
    while at < len(data):
        tag, at = varint(at)
        if tag & 7 == 0:
            value, at = varint(at)
        elif tag & 7 == 1:
            value, at = data[at:at + 8], at + 8
        else:
            size, at = varint(at)
            value, at = data[at:at + size], at + size
        fields.append((tag >> 3, value))
    return fields


def otlp_spans(data):
    """Spans of protobuf's message, as JSON has them."""
    of = lambda fields, number: [value for field, value in fields if field == number]
    for resource in of(protobuf(data), 1):
        for scope in of(protobuf(resource), 2):
            for span in map(protobuf, of(protobuf(scope), 2)):
                attributes = []
                for key, value in (map(lambda it: it[1], protobuf(a)) for a in of(span, 9)):
                    value = protobuf(value)[0][1]
                    value = value.decode() if isinstance(value, bytes) else value
                    attributes.append({"key": key.decode(), "value": {"value": value}})
                status = dict(protobuf(b"".join(of(span, 15))))
                yield {"traceId": of(span, 1)[0], "attributes": attributes, "status": {"code": status.get(3)}}


def otlp(path):
    if path.endswith(".pb"):
        spans = list(otlp_spans(open(path, "rb").read()))
    else:
        text, decoder, at, spans = open(path).read(), json.JSONDecoder(), 0, []
        while text[at:].strip():
            at += len(text[at:]) - len(text[at:].lstrip())
            document, at = decoder.raw_decode(text, at)
            for resource in document["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    spans += scope["spans"]
    def attributes(span):
        return {a["key"]: next(iter(a["value"].values())) for a in span["attributes"]}
    named = [(s, attributes(s)) for s in spans]
    tools = [(s, a) for s, a in named if a.get("gen_ai.operation.name") == "execute_tool"]
    chats = [a for _, a in named if a.get("gen_ai.operation.name") == "chat"]
    asked = {m["parts"][0]["content"] for a in chats
             for m in json.loads(a.get("gen_ai.input.messages", "[]")) if m["role"] == "user"}
    failed = [s for s, a in tools if "error.type" in a or s.get("status", {}).get("code") == 2]
    return dict(sessions=len({s["traceId"] for s, _ in tools}), prompts=len(asked), messages=len(chats),
                calls=len(tools), results=len(tools), failed=len(failed))


def execution_log(path):
    import sqlite3
    rows = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True).execute(
        "SELECT success, coalesce(error_message, '') FROM executions").fetchall()
    told = lambda prefix: sum(not ok and error.startswith(prefix) for ok, error in rows)
    refused, interrupted = told("refused: "), told("interrupted: ")
    return dict(sessions=1, prompts=0, calls=len(rows), results=len(rows) - interrupted,
                refused=refused, interrupted=interrupted,
                failed=sum(not ok for ok, _ in rows) - refused - interrupted)


def asciinema(path):
    import re
    lines = open(path).read().splitlines()
    text = "".join(e[2] for e in map(json.loads, lines[1:]) if e[1] == "o")
    ended = re.findall("\x1b]133;D;?(\\d*)", text)
    return dict(sessions=1, prompts=0, messages=0, calls=text.count("\x1b]133;C"), results=len(ended),
                failed=sum(code not in ("", "0") for code in ended))


def mcp(path):
    calls, failed, results = set(), 0, 0
    for line in open(path):
        if '"jsonrpc"' not in line:
            continue
        message, _ = json.JSONDecoder().raw_decode(line[line.index("{"):])
        if message.get("method") == "tools/call":
            calls.add(message["id"])
        elif "method" not in message and message["id"] in calls:
            results += 1
            failed += "error" in message or message["result"].get("isError", False)
    return dict(sessions=1, prompts=0, messages=0, calls=len(calls), results=results, failed=failed)


def github_actions(path):
    lines = [line.lstrip("\ufeff").split(" ", 1)[1] for line in open(path)]
    steps = [line for line in lines if line.startswith("##[group]Run ")]
    failed = [line for line in lines if line.startswith("##[error]Process completed")]
    return dict(sessions=1, prompts=0, messages=0, calls=len(steps), results=len(steps), failed=len(failed))


def aider(path):
    import itertools
    def kind(line):
        for begin in ("# aider chat started", "####", ">"):
            if line.startswith(begin):
                return begin
        return "said"
    lines = [line for line in open(path).read().splitlines() if line.strip()]
    blocks = [key for key, _ in itertools.groupby(lines, kind)]
    edits = sum(line.startswith("> Applied edit to") for line in lines)
    return dict(sessions=blocks.count("# aider chat started"), prompts=blocks.count("####"),
                messages=blocks.count("said"), calls=edits, results=edits, failed=0)


def cursor(path):
    text = open(path).read()
    heads = [text.count(f"\n---\n\n**{who}**\n") for who in ("User", "Cursor")]
    return dict(sessions=1, prompts=heads[0], messages=heads[1], calls=0, results=0, failed=0)


def opencode(path):
    if path.endswith(".db"):
        import sqlite3
        base = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        messages = [(json.loads(data), [json.loads(p) for p, in base.execute(
            "SELECT data FROM part WHERE message_id = ? ORDER BY id", (id,))])
            for id, data in base.execute("SELECT id, data FROM message").fetchall()]
    else:
        messages = [(m["info"], m["parts"]) for m in json.load(open(path))["messages"]]
    tools = [p["state"] for _, parts in messages for p in parts if p["type"] == "tool"]
    ended = [s for s in tools if s["status"] in ("completed", "error")]
    failed = [s for s in ended if s["status"] == "error" or s.get("metadata", {}).get("exit")]
    text = lambda parts: any(p["type"] in ("text", "reasoning") and not p.get("synthetic") for p in parts)
    said = [1 for m, parts in messages if m["role"] == "assistant" and (text(parts) or "tokens" in m)]
    asked = [1 for m, parts in messages if m["role"] == "user" and text(parts)]
    return dict(sessions=1, prompts=len(asked), messages=len(said), calls=len(tools), results=len(ended),
                failed=len(failed))


def cline(path):
    messages = [m for m in json.load(open(path)) if not m.get("partial")]
    what = [(m["type"], m.get("say") or m.get("ask")) for m in messages]
    ran = sum(a[1] == "command" and (a[0] == "say" or b[1] == "command_output")
              for a, b in zip(what, what[1:] + [("", "")]))
    said = [("say", "text"), ("say", "completion_result"), ("say", "reasoning")]
    kind = lambda *names: sum(name in names for _, name in what)
    results = ran + what.count(("say", "tool"))
    return dict(sessions=1, prompts=kind("task", "user_feedback"), calls=kind("tool", "command"), failed=0,
                messages=sum(what.count(it) for it in said) - what.count(("say", "reasoning")),
                results=results, interrupted=kind("tool", "command") - results)


def annals(path):
    events = [json.loads(line) for line in open(path)]
    kind = lambda *names: [e["body"] for e in events if e["kind"] in names]
    ends = {b["execution"]: b["outcome"] for b in kind("ExecutionFinished")}
    ends.update((b["execution"], "interrupted") for b in kind("ExecutionInterrupted"))
    ends.update((b["corrects"], b["outcome"]) for b in kind("ExecutionCorrected"))
    calls = [b["execution"] for b in kind("ExecutionStarted")]
    told = [ends.get(call, "interrupted") for call in calls]
    cut = told.count("interrupted")
    return dict(sessions=len({e["session"] for e in events if e["session"]}), prompts=len(kind("PromptSubmitted")),
                messages=len({b["native_id"] for b in kind("AssistantSaid")}), calls=len(calls), failed=told.count("failed"),
                results=len(told) - cut, interrupted=cut)


SOURCES = {name.replace("_", "-"): count for name, count in list(globals().items())
           if callable(count) and getattr(count, "__module__", "") == "__main__"}

if __name__ == "__main__":
    print(json.dumps(SOURCES[sys.argv[1]](sys.argv[2])))
