#!/usr/bin/env python3
"""Does one thing with many journals by a Spark job, each worker a share of them: decode and proof need no machine of ours.

usage: job.py verify ANNALS (JOURNAL... | --fleet DIR|URL)
       job.py export ANNALS --out DIR (JOURNAL... | --fleet DIR|URL)
       job.py redact ANNALS --order FILE --key LINE JOURNAL...
       [--master local-cluster[2,1,2048]]

JOURNAL is a project or a copy where the workers see it; --fleet is what `annals ship` sends to: its segments are verified
where they lie, or brought to the worker to be exported. An order of redaction is a signed one, as
`annals redact --write-order` makes it; it is carried out in the projects that it names. Prints what came of it, and a line for
each that went wrong. Exit code 1 where one did.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def asked(words):
    """A program's exit code, its JSON or None, and what it said."""
    ran = subprocess.run(words, capture_output=True, text=True)
    try:
        return ran.returncode, json.loads(ran.stdout), ran.stderr.strip()
    except ValueError:
        return ran.returncode, None, ran.stderr.strip()


def verify(args, journal):
    if args.fleet:
        words = [args.annals, "--json", "fleet", "verify", args.fleet, "--journal", journal]
    else:
        words = [args.annals, "--evidence", "--json", "verify", journal]
    code, told, said = asked(words)
    one = (told or [{}])[0]
    return journal, code, one.get("events", 0), "; ".join(map(str, one.get("findings", []))) or said


def export(args, journal):
    with tempfile.TemporaryDirectory() as temporary:
        place = journal
        if args.fleet:
            place = str(pathlib.Path(temporary) / "copy")
            code, _, said = asked([args.annals, "fleet", "pull", args.fleet, journal, place])
            if code:
                return journal, code, 0, said
        code, told, said = asked([args.annals, "--dir", place, "--evidence", "--json", "export", "parquet", args.out])
        return journal, code, sum(table["rows"] for one in told or [] for table in one["tables"]), said


def redact(args, journal):
    words = [args.annals, "--dir", journal, "--json", "redact", "--order", args.order, "--yes"]
    code, told, said = asked(words + (["--key", args.key] if args.key else []))
    count = len(told["redacted"]) if told else 0
    # 1: something still holds it, or may; which is for a person to look at. An order names one journal: others are left alone.
    is_fine = code in (0, 1) or code == 2 and "the order is of journal" in said
    return journal, 0 if is_fine else code, count, said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["verify", "export", "redact"])
    parser.add_argument("annals")
    parser.add_argument("journals", nargs="*")
    parser.add_argument("--fleet")
    parser.add_argument("--out")
    parser.add_argument("--order")
    parser.add_argument("--key")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    args = parser.parse_intermixed_args()
    from pyspark.sql import SparkSession

    def whole(place):
        return place if not place or "://" in place else str(pathlib.Path(place).resolve())

    # Workers stand elsewhere.
    args.annals, args.fleet, args.out, args.order = map(whole, (args.annals, args.fleet, args.out, args.order))
    journals = [whole(journal) for journal in args.journals]
    if args.fleet:
        _, told, said = asked([args.annals, "--json", "fleet", "status", args.fleet])
        if told is None:
            sys.exit(said)
        journals = [it["journal"] for it in told if not it["fork"]]
    spark = SparkSession.builder.master(args.master).appName("annals").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    work, began = {"verify": verify, "export": export, "redact": redact}[args.what], time.perf_counter()
    shares = spark.sparkContext.parallelize(journals, min(len(journals), 64) or 1)
    found = shares.map(lambda journal: work(args, journal)).collect()
    spark.stop()
    wrong = [it for it in found if it[1] != 0]
    of = {"verify": ("hold", "events"), "export": ("exported", "rows"), "redact": ("done", "records redacted")}[args.what]
    print(f"{len(found) - len(wrong)} of {len(found)} journals {of[0]}, {sum(it[2] for it in found)} {of[1]}, "
          f"{time.perf_counter() - began:.1f} s")
    for journal, code, _, said in wrong:
        print(f"{journal}: exit code {code}: {said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
