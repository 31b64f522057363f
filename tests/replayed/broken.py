"""Real projects in four languages that are broken in known ways (`breaks/*.txt`), checked for real, and told to the hooks
of `annals` as an agent tells them: see `repeats.py`."""
import difflib, json, os, re, subprocess, sys, tempfile, uuid

HERE = os.path.dirname(os.path.abspath(__file__))
NOUNS = [
    dict(n="cart", f="price", g="count", v="settle", s="basket", i=3, r="4", m="json", c="dumps(it)", u="os",
         w="strings", x="strings.TrimSpace(it)", y="os", z="HashSet", t="fmt", o="scaleOne", p="padOut"),
    dict(n="parcel", f="weight", g="pieces", v="dispatch", s="pallet", i=5, r="2.5", m="math", c="fsum(it)", u="sys",
         w="path", x="path.Clean(it)", y="bytes", z="BTreeSet", t="env", o="roundOff", p="leftOver"),
    dict(n="ledger", f="balance", g="entries", v="register", s="booking", i=4, r="7", m="statistics", c="mean(it)",
         u="time", w="html", x="html.EscapeString(it)", y="sort", z="VecDeque", t="mem", o="sumUp", p="cutShort"),
    dict(n="ticket", f="fare", g="seats", v="punch", s="coupon", i=7, r="0.5", m="random", c="choice(it)", u="uuid",
         w="net/url", x="url.QueryEscape(it)", y="time", z="BinaryHeap", t="iter", o="halve", p="joinAll"),
]
SHARED = "".join(f"export function {it[key]}(it: number): number {{ return it; }}\n" for it in NOUNS for key in "op")
TS = '{"compilerOptions": {"strict": true, "noEmit": true, "noUnusedLocals": true, "target": "es2020", "types": []}, ' \
     '"include": ["src"]}'


class Language:
    def __init__(self, name, files, checks, vain, common, placed):
        self.name, self.files, self.checks, self.vain, self.common, self.placed = \
            name, files, checks, vain, common, placed


def python_test(noun, tests):
    body = "".join(f"\n\ndef test_{kind}():\n    {test}\n" for kind, test in tests)
    return f"import asyncio\n\nfrom shop import {noun}\n{body}"


def go_test(noun, tests):
    body = "".join(f"\nfunc Test{noun.title()}{kind.title().replace('_', '')}(t *testing.T) {{\n\t{test}\n}}\n"
                   for kind, test in tests)
    return f'package shop\n\nimport "testing"\n{body}'


def rust_test(noun, tests):
    return "\n#[cfg(test)]\nmod tests {\n    use super::*;\n" + "".join(
        f"\n    #[test]\n    fn {kind}() {{\n        {test}\n    }}\n" for kind, test in tests) + "}\n"


def node_test(noun, tests):
    body = "".join(f'\ntest("{noun} {kind}", () => {{\n  {test}\n}});\n' for kind, test in tests)
    return f'const test = require("node:test");\nconst assert = require("node:assert");\n' \
           f'const it = require("../lib/{noun}");\n{body}'


LANGUAGES = [
    Language("python", {"": ("shop/{}.py", "tests/test_{}.py", python_test)},
             {"pytest": "python -m pytest -q", "ruff": "ruff check .", "mypy": "mypy shop"}, "RETRIES_{} = 3",
             {"shop/__init__.py": "", "tests/__init__.py": "", "ruff.toml": 'lint.select = ["E7", "F"]\n'}, "# {}"),
    Language("go", {"": ("shop/{}.go", "shop/{}_test.go", go_test)},
             {"build": "go build ./...", "vet": "go vet ./...", "test": "go test ./..."}, "const retries{} = 3",
             {"go.mod": "module example.com/m\n\ngo 1.19\n"}, "package shop"),
    Language("rust", {"": ("src/{}.rs", None, rust_test)},
             {"check": "cargo check", "clippy": "cargo clippy -- -D warnings", "test": "cargo test"},
             "pub const RETRIES_{}: u32 = 3;",
             {"Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n\n[lints.clippy]\nlet_and_return = "allow"\nvec_init_then_push = "allow"\n\n[profile.dev]\ndebug = 0\n',
              "src/lib.rs": "".join(f"pub mod {it['n']};\n" for it in NOUNS), ".gitignore": "target\n"}, "//! {}"),
    Language("typescript", {"tsc": ("src/{}.ts", None, None), "node": ("lib/{}.js", "test/{}.test.js", node_test)},
             {"tsc": "npx tsc --noEmit", "node": "node --test test/"}, "const retries{0} = 3; void retries{0};",
             {"tsconfig.json": TS, "src/shared.ts": SHARED}, "// {}"),
]


class Kind:
    def __init__(self, name, check, is_control):
        self.name, self.check, self.is_control, self.shapes, self.test = name, check, is_control, [], ""


def kinds_of(language, options):
    kinds, part = [], None
    for line in open(f"{HERE}/breaks/{language.name}.txt").read().splitlines()[2 if language.name == "python" else 1:]:
        if line.startswith("== "):
            name, check = line[3:].split(" | ")
            kinds.append(Kind(name.lstrip("+ "), check, name.startswith("+")))
        elif line.startswith("-- "):
            part = line[3:]
            if part == "good":
                kinds[-1].shapes.append({"good": "", "bad": ""})
        elif part == "test":
            kinds[-1].test += line + "\n"
        else:
            kinds[-1].shapes[-1][part] += line + "\n"
    for kind in kinds:
        kind.is_control ^= "--swapped" in options
    if "--few" in options:
        first = [it for it in kinds if it.check == next(iter(language.checks))]
        kinds = [it for it in first if not it.is_control][:6] + [it for it in first if it.is_control][:2]
    return kinds


def filled(text, noun):
    of = lambda it: str(noun[it.lower()]) if it.islower() else str(noun[it.lower()]).capitalize()
    return re.sub(r"@([a-zA-Z])", lambda it: of(it[1]), text)


class Work:
    """A project on disk, and what an agent tells of it."""

    def __init__(self, annals, tools, language, options):
        self.annals, self.tools, self.language = annals, tools, language
        self.top = tempfile.mkdtemp()
        self.root = f"{self.top}/project-{language.name}"
        self.env = dict(os.environ, HOME=self.top, XDG_STATE_HOME=f"{self.top}/s", XDG_CACHE_HOME=f"{self.top}/c",
                        CARGO_TARGET_DIR=f"{self.top}/t", CARGO_TERM_COLOR="never", GOPATH=f"{self.top}/gopath", GOFLAGS="-mod=mod", GOPROXY="off",
                        GOCACHE=os.environ.get("GOCACHE", f"{self.top}/go"), PYTHONDONTWRITEBYTECODE="1",
                        CARGO_HOME=os.environ.get("CARGO_HOME", os.path.expanduser("~/.cargo")),
                        RUSTUP_HOME=os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup")),
                        PATH=f"{tools}/venv/bin:{os.environ['PATH']}", CARGO_INCREMENTAL="1")
        for key in ("RUSTFLAGS", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "CODEX_ENV_FILE"):
            self.env.pop(key, None)
        self.kinds, self.passed, self.session = kinds_of(language, options), {}, 0
        for path, text in language.common.items():
            self.write(path, text)
        self.pieces = {}
        for at, noun in enumerate(NOUNS):
            for kind in self.kinds:
                pair = kind.shapes[at % len(kind.shapes)]
                self.pieces[noun["n"], kind.name] = {it: filled(pair[it], noun) for it in pair}
        for noun in NOUNS:
            for of, (path, test, write) in language.files.items():
                self.write(path.format(noun["n"]), self.text(noun, of))
                told = [(it.name, filled(it.test.strip(), noun)) for it in self.of(of) if it.test]
                if test and told:
                    self.write(test.format(noun["n"]), write(noun["n"], told))
        os.makedirs(self.root, exist_ok=True)
        for words in (["init"], ["log"]):
            subprocess.run([annals, *words], cwd=self.root, env=self.env, check=True, capture_output=True)

    def of(self, files):
        return [it for it in self.kinds if files in ("", it.check)]

    def text(self, noun, files, broken=None):
        tops, bodies = [], []
        for kind in self.of(files):
            piece = self.pieces[noun["n"], kind.name]["bad" if kind is broken else "good"]
            lines = piece.splitlines()
            tops += [it[4:] for it in lines if it.startswith("top:") and it[4:] not in tops]
            bodies.append("\n".join(it for it in lines if not it.startswith("top:")))
        head = self.language.placed.format(noun["n"])
        text = "\n".join([head, *tops, "", "\n\n".join(bodies)]) + "\n"
        path, test, write = self.language.files[files]
        if self.language.name == "rust":
            text += write(noun["n"], [(it.name, filled(it.test.strip(), noun)) for it in self.kinds if it.test])
        if path.endswith(".js"):
            names = re.findall(r"^function (\w+)", text, re.M)
            text += f"\nmodule.exports = {{ {', '.join(names)} }};\n"
        return text

    def write(self, path, text):
        full = f"{self.root}/{path}"
        os.makedirs(os.path.dirname(full), exist_ok=True)
        open(full, "w").write(text)

    def run(self, check):
        line = self.language.checks[check]
        real = line.replace("npx tsc", f"node {self.tools}/node_modules/typescript/bin/tsc")
        done = subprocess.run(real, shell=True, cwd=self.root, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        return line, done.returncode, done.stdout

    def fire(self, hook, **more):
        told = dict(session_id=self.id, cwd=self.root, hook_event_name=hook, transcript_path=None,
                    permission_mode="default", **more)
        done = subprocess.run([self.annals, "hook", "claude-code"], cwd=self.root, env=self.env, input=json.dumps(told),
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            sys.exit(f"hook {hook}: {done.returncode} {done.stderr}")
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
        return (answer.get("hookSpecificOutput") or {}).get("additionalContext") or ""

    def call(self, tool, given, failed=None, printed=""):
        self.calls += 1
        told = dict(tool_name=tool, tool_input=given, tool_use_id=f"toolu_{self.session}_{self.calls}")
        self.fire("PreToolUse", **told)
        if failed:
            return self.fire("PostToolUseFailure", error=f"Exit code {failed}\n{printed}", **told)
        return self.fire("PostToolUse", tool_response=dict(stdout=printed, stderr="", interrupted=False), **told)

    def begin(self):
        self.session += 1
        self.calls, self.id = 0, str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{self.language.name}-{self.session}"))
        self.fire("SessionStart", source="startup")
        self.fire("UserPromptSubmit", prompt="go on")

    def edit(self, path, before, after, is_told=True):
        """As an agent edits: the lines that differ, with one before and one behind. Returns the lines that went and came."""
        one, other, changed = before.splitlines(True), after.splitlines(True), []
        for what, a, b, c, d in difflib.SequenceMatcher(None, one, other, False).get_opcodes():
            if what == "equal":
                continue
            old, new = ["".join(them[max(s - 1, 0):e + 1]) for them, s, e in ((one, a, b), (other, c, d))]
            changed += ["-" + it.strip() for it in one[a:b]] + ["+" + it.strip() for it in other[c:d]]
            if is_told:
                self.call("Edit", dict(file_path=f"{self.root}/{path}", old_string=old, new_string=new))
        self.write(path, after)
        return {it for it in changed if len(it) > 2}

    def check(self, check, must_fail, what):
        if not must_fail and check in self.passed:
            line, code, printed = self.passed[check]
        else:
            line, code, printed = self.run(check)
            if bool(code) != must_fail:
                sys.exit(f"{self.language.name} {what}: {line} ended with {code}:\n{printed[-2000:]}")
            if not must_fail:
                self.passed[check] = (line, code, printed)
        return self.call("Bash", dict(command=line), code, printed), printed

    def seed(self, kind, noun, is_silent, is_vain):
        """Breaks, asks, mends; what was answered, printed and changed, and what was tried in vain."""
        files = kind.check if kind.check in self.language.files else ""
        path = self.language.files[files][0].format(noun["n"])
        good, bad = self.text(noun, files), self.text(noun, files, kind)
        what = f"{kind.name} in {noun['n']}"
        self.begin()
        self.edit(path, good, bad, not is_silent)
        answer, printed = self.check(kind.check, True, what)
        vain, now = set(), bad
        if is_vain:
            names = noun["n"].upper() if self.language.name in ("python", "rust") else noun["n"].title()
            line = self.language.vain.format(f"{names}_{kind.name.upper()}")
            at = bad.index("\n\n") + 1
            now = bad[:at] + "\n" + line + "\n" + bad[at:]
            vain = self.edit(path, bad, now)
            self.check(kind.check, True, what)
        if kind.is_control:
            self.write(path, good)
            changed = set()
        else:
            self.write(path, bad)
            changed = self.edit(path, bad, good)
            self.check(kind.check, False, what)
        self.fire("Stop", stop_hook_active=False)
        return answer, printed, changed, vain
