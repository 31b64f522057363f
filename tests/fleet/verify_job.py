#!/usr/bin/env python3
"""Verifies many journals where they lie, by a Spark job: each worker runs `annals verify --json` on its share.

usage: verify_job.py ANNALS JOURNAL... [--master local-cluster[2,1,2048]]

Prints how many hold, their events, and those that do not, with what was found. Exit code 1 where one does not.
"""
import argparse
import json
import subprocess
import sys
import time


def verify(annals, place):
    ran = subprocess.run([annals, "--evidence", "--json", "verify", place], capture_output=True, text=True)
    try:
        report = json.loads(ran.stdout)[0]
    except (ValueError, IndexError):
        return place, ran.returncode, 0, ran.stderr.strip()
    return place, ran.returncode, report.get("events", 0), "; ".join(str(it) for it in report.get("findings", []))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("annals")
    parser.add_argument("journals", nargs="+")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    args = parser.parse_args()
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master(args.master).appName("annals verify").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    annals, began = args.annals, time.perf_counter()
    shares = spark.sparkContext.parallelize(args.journals, min(len(args.journals), 64))
    found = shares.map(lambda place: verify(annals, place)).collect()
    wrong = [it for it in found if it[1] != 0]
    print(f"{len(found) - len(wrong)} of {len(found)} journals hold, {sum(it[2] for it in found)} events, "
          f"{time.perf_counter() - began:.1f} s")
    for place, code, _, what in wrong:
        print(f"{place}: exit code {code}: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
