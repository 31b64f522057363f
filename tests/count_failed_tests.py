#!/usr/bin/env python3
"""Holds the exported table `test_failures` against labels that were made without annals.

usage: count_failed_tests.py LABELS FAILURES KEYS

LABELS is tests/fixtures/checks/labels.jsonl. Of a project that imported its sessions:

    annals sql --exported --csv "SELECT execution, name, ran FROM test_failures" > FAILURES
    annals sql --csv "SELECT id, call_key FROM idx.executions" > KEYS

Prints how many labelled tests are rows, and rows that no label has. Exit code 1 where a labelled one is none.
"""
import collections
import csv
import json
import re
import sys

csv.field_size_limit(1 << 30)


def main():
    labels, failures, keys = sys.argv[1:]
    with open(keys) as file:
        call = {row["id"]: re.search(r"\w+$", row["call_key"])[0] for row in csv.DictReader(file)}
    rows = collections.defaultdict(set)
    with open(failures) as file:
        for row in csv.DictReader(file):
            rows[call[row["execution"]]].add(row["name"])
    wanted, others = collections.defaultdict(set), collections.defaultdict(set)
    with open(labels) as file:
        for line in file:
            label = json.loads(line)
            wanted[label["id"]].update(label.get("failing_tests") or [])
            others[label["id"]].update(label.get("failing_parents") or [])
    is_told = lambda test, names: any(name == test or name.endswith("." + test) for name in names)
    missed = [(call, test) for call, tests in wanted.items() for test in tests if not is_told(test, rows.get(call, ()))]
    labelled = sum(len(tests) for tests in wanted.values())
    more = [(call, name) for call, names in rows.items() for name in names
            if not any(name == test or name.endswith("." + test) for test in wanted[call] | others[call])]
    print(f"{labelled} labelled, {labelled - len(missed)} of them rows; {sum(map(len, rows.values()))} rows, {len(more)} of no label")
    for which, found in [("missed", missed), ("of no label", more)]:
        for one in found:
            print(which, *one)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
