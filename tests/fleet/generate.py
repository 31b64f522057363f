#!/usr/bin/env python3
"""Executions of a large fleet as the folder that `annals export parquet` writes, made of numbers alone, and what questions of it must
answer.

usage: generate.py FOLDER ROWS            writes it
       generate.py FOLDER ROWS --ask duckdb|spark    asks, and compares with what the numbers say

Row i is of machine i mod 1000, day (i div 1000) mod 366, session i div 64; it fails where i mod 7 = 0, and is a check where
i mod 5 = 0, of program i mod 3.
"""
import argparse
import pathlib
import resource
import sys
import time

MACHINES, DAYS = 1000, 366
DAY_MS = 86_400_000
BEGAN_MS = 1_767_225_600_000  # 2026-01-01

QUESTIONS = {
    "rows": "SELECT count(*) FROM executions",
    "failed": "SELECT count(*) FROM executions WHERE success = 0",
    "checks by program": "SELECT program, count(*), sum(CASE WHEN verdict = 'failed' THEN 1 ELSE 0 END) FROM executions "
                         "WHERE verdict IS NOT NULL GROUP BY program ORDER BY program",
    "sessions": "SELECT count(DISTINCT session) FROM executions",
    "one machine": "SELECT count(*) FROM executions WHERE machine = 'm007'",
    "machines": "SELECT count(*) FROM (SELECT machine, count(*) AS n FROM executions GROUP BY machine) AS m WHERE n > 0",
}


def every(rows, *steps):
    """How many of 0..rows are a multiple of all of these, which are prime."""
    product = 1
    for step in steps:
        product *= step
    return (rows + product - 1) // product


def known(rows):
    programs = []
    for rest in range(3):
        checks = sum(1 for i in range(0, 105, 5) if i % 3 == rest)
        failed = sum(1 for i in range(0, 105, 35) if i % 3 == rest)
        whole, left = divmod(rows, 105)
        checks = whole * checks + sum(1 for i in range(0, left, 5) if i % 3 == rest)
        failed = whole * failed + sum(1 for i in range(0, left, 35) if i % 3 == rest)
        if checks:
            programs.append((f"program {rest}", checks, failed))
    return {
        "rows": [(rows,)],
        "failed": [(every(rows, 7),)],
        "checks by program": programs,
        "sessions": [((rows + 63) // 64,)],
        "one machine": [((rows + MACHINES - 8) // MACHINES,)],
        "machines": [(min(rows, MACHINES),)],
    }


def write(folder, rows):
    """A file for each machine, one after the other: so much memory as one takes."""
    import duckdb

    db = duckdb.connect()
    for machine in range(min(MACHINES, rows)):
        name = f"m{machine:03}"
        place = folder / "executions" / f"machine={name}"
        place.mkdir(parents=True, exist_ok=True)
        db.execute(f"""
            COPY (
              SELECT lpad(to_hex({machine}), 32, '0') AS journal, i AS no, lpad(to_hex(i), 32, '0') AS execution, i AS sequence,
                     lpad(to_hex(i // 64), 32, '0') AS session, 'claude-code' AS agent,
                     {BEGAN_MS} + (i // {MACHINES}) % {DAYS} * {DAY_MS} + i % {DAY_MS} AS at_ms, 'import' AS source,
                     'bash_exec' AS tool, CASE WHEN i % 7 = 0 THEN 'failed' ELSE 'ok' END AS outcome,
                     CAST(i % 7 <> 0 AS INTEGER) AS success, CAST(i % 7 = 0 AS BIGINT) AS exit_code, i % 1000 AS duration_ms,
                     CASE WHEN i % 5 = 0 THEN 'program ' || i % 3 END AS program,
                     CASE WHEN i % 5 <> 0 THEN NULL WHEN i % 7 = 0 THEN 'failed' ELSE 'passed' END AS verdict
              FROM range({machine}, {rows}, {MACHINES}) AS t(i)
            ) TO '{place / "data.parquet"}' (FORMAT parquet, COMPRESSION zstd)
        """)


def ask(folder, engine):
    place = folder / "executions"
    if engine == "duckdb":
        import duckdb

        db = duckdb.connect()
        db.execute(f"CREATE VIEW executions AS SELECT * FROM read_parquet('{place}/**/*.parquet', hive_partitioning = true, "
                   "hive_types_autocast = false)")
        return lambda sql: db.execute(sql).fetchall()
    from pyspark.sql import SparkSession

    spark = (SparkSession.builder.master("local-cluster[2,1,2048]").config("spark.ui.enabled", "false")
             .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
             .config("spark.sql.shuffle.partitions", "8").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    spark.read.parquet(str(place)).createOrReplaceTempView("executions")
    return lambda sql: [tuple(row) for row in spark.sql(sql).collect()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("rows", type=int)
    parser.add_argument("--ask", choices=["duckdb", "spark"])
    args = parser.parse_args()
    began = time.perf_counter()
    if not args.ask:
        write(args.folder, args.rows)
        size = sum(path.stat().st_size for path in args.folder.rglob("*.parquet"))
        print(f"{args.rows} rows, {size / 1e6:.0f} MB in {time.perf_counter() - began:.0f} s")
        return 0
    answer, wrong = ask(args.folder, args.ask), 0
    for name, right in known(args.rows).items():
        started = time.perf_counter()
        found = answer(QUESTIONS[name])
        took = time.perf_counter() - started
        wrong += found != right
        print(f"{args.ask}: {name}: {took:.2f} s{'' if found == right else f': {found[:3]} instead of {right[:3]}'}")
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{args.ask}: {time.perf_counter() - began:.1f} s in all, {memory >> 10} MiB at most in one process")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
