#!/usr/bin/env python3
"""Is a failure that was met and ended before answered with what ended it?

    python3 tests/replayed/repeats.py ANNALS TOOLS [LANGUAGE...] [-v] [--swapped] [--few]

TOOLS holds `venv/bin` with pytest, ruff and mypy, and `node_modules` with typescript; go, cargo and node are on the
PATH. For each language a real project of four modules is broken in each of the ways of `breaks/*.txt`, in each module
once; its real check runs, and all is told to `annals hook claude-code` as an agent does: a session each, edits, checks.
First each kind is met and ended once, in one module; then again elsewhere, with other names, sometimes another shape of
the same mistake, three times, kinds mixed. Every second break is an edit of the agent's, the others nobody recorded.
Every fourth time the first fix does not help.

Answered: an answer was given. Right: what is proposed is an earlier fix of the same kind and of no other. Controls are
kinds that nobody ended (they are undone behind everyone's back), and each kind when it is met first: an answer there
is false. Nothing of annals is used but its hook protocol. Seeds are fixed. `--swapped`: the kinds that are controls are
ended, the others are controls. `--few`: six kinds and two controls of a language's first check, one repeat of each.
`-v` shows what was printed and answered where it is not as wanted."""
import collections, os, random, shutil, sys, threading, time

sys.dont_write_bytecode = True
from broken import LANGUAGES, NOUNS, Work


def proposed(answer):
    """The lines of an answer's fence that went and came; `None` where nothing was proposed."""
    if "was met before" not in answer:
        return None
    return {it[0] + it[1:].strip() for it in answer.splitlines() if it[:1] in "+-" and len(it.strip()) > 2}


def measured(annals, tools, language, found, options):
    work, is_verbose = Work(annals, tools, language, options), "-v" in options
    for check in {it.check: 0 for it in work.kinds}:
        line, code, printed = work.passed[check] = work.run(check)
        if code:
            sys.exit(f"{language.name}: {line} of what is whole:\n{printed[-3000:]}")
    chance, fixes, vains = random.Random(language.name), [], set()
    order = {kind: chance.sample(range(4), 4) for kind in work.kinds}
    for turn in range(2 if "--few" in options else 4):
        kinds = [it for it in work.kinds if not it.is_control or turn in (1, 3)]
        chance.shuffle(kinds)
        for kind in kinds:
            at = work.kinds.index(kind)
            noun = NOUNS[order[kind][turn]]
            is_vain = (at + turn) % 4 == 0 and not kind.is_control
            answer, printed, changed, vain = work.seed(kind, noun, (at + turn) % 2 == 0, is_vain)
            told, counts = proposed(answer), found[language.name]
            whole = [(name, lines) for name, lines in fixes if told and lines <= told]
            # What is part of a longer one that is there is no fix of its own.
            of = {name for name, lines in whole if not any(lines < other for _, other in whole)}
            tells = lambda what: is_verbose and print(f"--- {language.name} {kind.name} ({noun['n']}, turn {turn}): {what}\n"
                                                      f"{printed[-700:]}\n{answer}\n", flush=True)
            if told is not None and told & vains:
                counts["vain proposed"] += 1
                tells("tried in vain")
            if kind.is_control or turn == 0:
                counts["controls" if kind.is_control else "first"] += 1
                if told is not None:
                    counts["controls answered" if kind.is_control else "first answered"] += 1
                    found["missed"][f"{language.name}: {kind.name}: false, {'/'.join(sorted(of)) or 'nothing whole'}"] += 1
                    tells("false answer")
            else:
                counts["asked"] += 1
                if told is None:
                    found["missed"][f"{language.name}: {kind.name}: no answer"] += 1
                    tells("no answer")
                else:
                    counts["answered"] += 1
                    counts["right"] += of == {kind.name}
                    if of != {kind.name}:
                        found["missed"][f"{language.name}: {kind.name}: {'/'.join(sorted(of)) or 'nothing whole'}"] += 1
                        tells(f"wrong, {of}")
            if changed:
                fixes.append((kind.name, changed))
            counts["vain"] += bool(vain)
            vains |= vain
        print(f"{language.name}: turn {turn}: {dict(counts)}", flush=True)
    shutil.rmtree(work.top)


def main(annals, tools, *names):
    options, names = [[it for it in names if it.startswith("-") == is_option] for is_option in (True, False)]
    began, found, faults = time.time(), collections.defaultdict(collections.Counter), []
    chosen = [it for it in LANGUAGES if not names or it.name in names]

    def one(language):
        try:
            measured(os.path.abspath(annals), os.path.abspath(tools), language, found, options)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=one, args=(it,)) for it in chosen]
    [it.start() for it in threads]
    [it.join() for it in threads]
    if faults:
        sys.exit(f"{faults[0]}")
    for line, count in sorted(found["missed"].items()):
        print(f"  {count} × {line}")
    total = sum((found[it.name] for it in chosen), collections.Counter())
    for name, it in [*((it.name, found[it.name]) for it in chosen), ("all", total)]:
        print(f"{name}: {it['asked']} repeats, answered {it['answered'] / it['asked']:.3f}, of these right "
              f"{it['right'] / max(it['answered'], 1):.3f}; false answers {it['controls answered']} of {it['controls']} "
              f"never ended, {it['first answered']} of {it['first']} met first; {it['vain']} fixes failed, "
              f"proposed {it['vain proposed']}")
    print(f"{time.time() - began:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
