#!/usr/bin/env python3
"""Is the turn that answers a question among the first ten hits of `annals search`?

    python3 tests/replayed/retrieval.py ANNALS SESSIONS [QUESTIONS] [-v]

SESSIONS: a folder of Claude Code's transcripts; QUESTIONS: tests/fixtures/retrieval/questions.jsonl. They are imported
into a project of their own; each question is asked as it is typed, by a process of its own. A hit is right where it is of
one of the turns that the question's label names (by the prompt's time, so that a copy in a resumed session counts as the
turn that it is). Beside it, in the same run, SQLite's FTS5 as it comes over the same turns: each one text of its prompt,
answers, commands and outputs, any word, `unicode61` and `porter`."""
import json, os, re, shutil, sqlite3, subprocess, sys, tempfile, time
from collections import defaultdict

annals, sessions = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
words = [it for it in sys.argv[3:] if not it.startswith("-")]
here = os.path.dirname(os.path.abspath(__file__))
questions = words[0] if words else os.path.join(here, "../fixtures/retrieval/questions.jsonl")
questions = [json.loads(it) for it in open(questions)]
root = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
env = dict(os.environ, HOME=root, XDG_STATE_HOME=root + "/s", XDG_CACHE_HOME=root + "/c", TZ="UTC")
for name in ("ANNALS_SESSION", "ANNALS_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
    env.pop(name, None)
project = root + "/p"
os.mkdir(project)


def run(*arguments):
    done = subprocess.run([annals, *arguments], cwd=project, env=env, capture_output=True, text=True)
    return done.stdout


run("init")
run("import", "claude-code", sessions)
began = time.perf_counter()
run("search", "warm", "--json")
built = time.perf_counter() - began
# Which turn a prompt began: its session and its number there; by when it was typed.
turns, numbers = {}, defaultdict(int)
for line in run("export", "jsonl", "events").splitlines():
    event = json.loads(line)
    if event["kind"] == "PromptSubmitted" and event["body"]["actor"] is None:
        numbers[event["session"]] += 1
        turns[event["at"]] = (event["session"], numbers[event["session"]])
times, texts, now = {}, defaultdict(list), None
for name in sorted(os.listdir(sessions)):
    for line in open(os.path.join(sessions, name), errors="replace"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        at = record.get("timestamp")
        if record.get("type") == "user" and at in turns and not record.get("isSidechain"):
            now = turns[at]
            times[record["uuid"]] = now
        content = (record.get("message") or {}).get("content")
        parts = [content] if isinstance(content, str) else content or []
        for part in parts:
            if isinstance(part, dict):
                part = part.get("text") or json.dumps(part.get("input") or part.get("content") or "")
            texts[now].append(part)
plain = {}
for tokenizer in ("unicode61", "porter"):
    plain[tokenizer] = sqlite3.connect(":memory:")
    plain[tokenizer].execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize = '{tokenizer}')")
keys = [it for it in texts if it]
for index in plain.values():
    index.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", ((at, "\n".join(texts[it])) for at, it in enumerate(keys)))
asked, found, took = defaultdict(int), defaultdict(int), []
for question in questions:
    wanted = {times[it] for it in question["turns"] if it in times}
    if not wanted:
        asked["without a turn on record"] += 1
        continue
    asked[question["kind"]] += 1
    began = time.perf_counter()
    hits = json.loads(run("search", "--json", "-n", "10", "--", question["q"]))["hits"]
    took.append(time.perf_counter() - began)
    got = [(it["session"], it["turn"]) for it in hits]
    ranks = {"annals": got}
    match = " OR ".join(f'"{it}"' for it in re.findall(r"\w+", question["q"]))
    for tokenizer, index in plain.items():
        rows = index.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10", (match,))
        ranks[tokenizer] = [keys[it] for it, in rows]
    for who, hits in ranks.items():
        for first in (1, 5, 10):
            found[who, question["kind"], first] += bool(wanted & set(hits[:first]))
        of_session = {it for it, _ in wanted}
        found[who, question["kind"], "session"] += bool(of_session & {it for it, _ in hits})
    if "-v" in sys.argv and not wanted & set(got):
        print("missed:", question["q"], sorted(wanted), got[:3])
total = asked["sentence"] + asked["keywords"]
print(f"{total} questions ({asked['without a turn on record']} without a turn on record), index built in {built:.2f} s, a search "
      f"{sorted(took)[len(took) // 2] * 1000:.0f} ms as a process (the longest {max(took) * 1000:.0f})")
for who in ("annals", "porter", "unicode61"):
    share = lambda first, kind=("sentence", "keywords"): sum(found[who, it, first] for it in kind) / sum(asked[it] for it in kind)
    print(f"{who}: first {share(1):.3f}, five {share(5):.3f}, ten {share(10):.3f} (sentences {share(10, ('sentence',)):.3f}, "
          f"keywords {share(10, ('keywords',)):.3f}); the session {share('session'):.3f}")
shutil.rmtree(root)
