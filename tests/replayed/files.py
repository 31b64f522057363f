#!/usr/bin/env python3
"""Which files does a session's first pack name, of those that the session then edits?

    python3 tests/replayed/files.py ANNALS FOLDER_OF_SESSIONS

Sessions of Claude Code (JSON lines, one file each) are taken in the order of their first prompt. Before each is
imported into a fresh project, `annals context --prompt` is asked; of the files that it names the first 8 and 23
count. Beside it, in the same run, a plain script: files that a prompt names, then all that earlier sessions touched,
each touch decayed by half a week. The project is on the branch that the session began on. Files that nobody touched before and the session wrote anew are counted apart;
the ceiling is what earlier sessions touched at all. Nothing looks at a tree."""
import collections, datetime, glob, json, os, re, shutil, subprocess, sys, tempfile

EDITORS, SLOTS, HALF_S = ("Edit", "Write", "MultiEdit"), (8, 23), 3 * 86400


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def below(path, cwd):
    """From where the session began, without the name of a worktree."""
    if not path or not cwd:
        return None
    root = re.sub(r"/\.worktrees/.*", "", cwd)
    if path.startswith(root + "/"):
        path = re.sub(r"^\.worktrees/(?:\w+/)?[^/]+/", "", path[len(root) + 1:])
    return None if path.startswith("/") else path


def read(file):
    session = {"file": file, "cwd": None, "branch": None, "prompt": None, "at": None, "touches": []}
    for line in open(file, errors="replace"):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        session["cwd"] = session["cwd"] or told.get("cwd")
        session["branch"] = session["branch"] or told.get("gitBranch")
        at = seconds(told["timestamp"]) if told.get("timestamp") else None
        session["at"] = session["at"] or at
        content = (told.get("message") or {}).get("content")
        blocks = content if isinstance(content, list) else []
        if told.get("type") == "user" and not told.get("isSidechain") and not told.get("isMeta"):
            if not any(it.get("type") == "tool_result" for it in blocks if isinstance(it, dict)):
                text = content if isinstance(content, str) else "\n".join(
                    it.get("text", "") for it in blocks if isinstance(it, dict))
                if text and session["prompt"] is None:
                    session["prompt"], session["at"] = text, at
        for it in blocks:
            if told.get("type") != "assistant" or it.get("type") != "tool_use":
                continue
            given = it["input"]
            path = below(given.get("file_path") or given.get("path"), session["cwd"])
            if path and it["name"] in EDITORS + ("Read", "Grep") and re.search(r"\.\w+$", path):
                session["touches"].append((at, it["name"], path))
    return session


def named(files, text):
    is_named = lambda it: it in text or len(it.rsplit("/", 1)[-1]) > 4 and re.search(
        r"(?<![\w.-])" + re.escape(it.rsplit("/", 1)[-1]) + r"(?![\w-])", text)
    return sorted(it for it in files if is_named(it))


def script(before, at, prompt):
    seen, score = {}, collections.Counter()
    for session, when, name, path in before:
        key = (path, session, name in EDITORS)
        seen[key] = max(seen.get(key, 0), when)
    for (path, _, edited), when in seen.items():
        score[path] += (1 if edited else 0.3) * 0.5 ** ((at - when) / HALF_S)
    first = named(score, prompt)
    return first + [path for path, _ in score.most_common() if path not in first]


def main(annals, folder):
    sessions = [read(it) for it in sorted(glob.glob(os.path.join(folder, "*.jsonl")))]
    sessions = sorted((it for it in sessions if it["at"]), key=lambda it: it["at"])
    work = tempfile.mkdtemp()
    env = dict(os.environ, HOME=work, XDG_STATE_HOME=work + "/s", XDG_CACHE_HOME=work + "/c")
    project = work + "/p"
    os.makedirs(project)

    def run(*words):
        done = subprocess.run([annals, *words], cwd=project, env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"annals {words[0]}: {done.stderr}")
        return done.stdout

    # Of git only what says which branch is checked out.
    os.makedirs(project + "/.git/objects")
    os.makedirs(project + "/.git/refs")
    run("init")
    known, found = set(), {who: collections.Counter() for who in ("pack", "script", "ceiling")}
    total, made_all = 0, 0
    for session in sessions:
        before = [(other["file"], *touch) for other in sessions for touch in other["touches"]
                  if other is not session and touch[0] and touch[0] < session["at"]]
        made = set()
        for _, name, path in session["touches"]:
            if name == "Write" and path not in known:
                made.add(path)
            known.add(path)
        wanted = {path for _, name, path in session["touches"] if name in EDITORS} - made
        total, made_all = total + len(wanted), made_all + len(made)
        with open(project + "/.git/HEAD", "w") as head:
            head.write(f"ref: refs/heads/{session['branch'] or 'main'}\n")
        words = ["context", "--json", "--no-map", "--max-chars", "12000"]
        told = json.loads(run(*words, "--prompt=" + (session["prompt"] or "")[:3000]))
        told = told[0] if isinstance(told, list) else told
        pack = [item.split(": ")[0] for it in told["sections"] if it["section"] == "files" for item in it["items"]]
        plain = script(before, session["at"], session["prompt"] or "")
        for slots in SLOTS:
            found["pack"][slots] += len(set(pack[:slots]) & wanted)
            found["script"][slots] += len(set(plain[:slots]) & wanted)
        found["ceiling"][0] += len(set(plain) & wanted)
        run("import", "claude-code", session["file"])
    shutil.rmtree(work)
    print(f"{len(sessions)} sessions, {total} files edited, {made_all} made anew besides")
    for slots in SLOTS:
        pack, plain = found["pack"][slots] / total, found["script"][slots] / total
        print(f"{slots} files: pack {pack:.3f}, script {plain:.3f}, ratio {pack / plain:.2f}")
    print(f"touched in earlier sessions at all: {found['ceiling'][0] / total:.3f}")


main(*sys.argv[1:])
