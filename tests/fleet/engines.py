#!/usr/bin/env python3
"""Asks every question in docs/questions of SQLite (`annals sql --exported`), DuckDB and Spark, and compares the answers.

usage: engines.py ANNALS FOLDER JOURNAL... [--engines duckdb,spark] [--answers DIR [--write]]

FOLDER was written by `annals export parquet` of the journals. Exit code 1 where two engines differ.
"""
import argparse
import atexit
import csv
import io
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
QUESTIONS = HERE.parent.parent / "docs" / "questions"


def plain(value):
    """A cell as all engines can say it: whole numbers without a point, nothing as None."""
    if value is None:
        return None
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, str)):
        return value
    number = float(value)
    return int(number) if number == int(number) else number


def of_sqlite(annals, journals):
    dirs = [word for journal in journals for word in ("--dir", str(journal))]

    def ask(sql):
        ran = subprocess.run(
            [annals, *dirs, "--evidence", "--json", "sql", "--exported", "--timeout", "0", "-"],
            input=sql, capture_output=True, text=True,
        )
        if ran.returncode not in (0, 1):
            raise RuntimeError(ran.stderr)
        return [[plain(cell) for cell in row.values()] for row in json.loads(ran.stdout)]

    return ask


def tables(folder):
    return sorted(it.name for it in folder.iterdir() if it.is_dir() and not it.name.startswith("_"))


def of_duckdb(folder):
    import duckdb

    db = duckdb.connect()
    for table in tables(folder):
        db.execute(
            f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{folder}/{table}/**/*.parquet', "
            "hive_partitioning = true, hive_types_autocast = false)"
        )
    return lambda sql: [[plain(cell) for cell in row] for row in db.execute(sql).fetchall()]


def of_spark(folder, master):
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master(master).appName("annals")
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4").config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g").getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    atexit.register(spark.stop)
    for table in tables(folder):
        spark.read.parquet(str(folder / table)).createOrReplaceTempView(table)
    return lambda sql: [[plain(cell) for cell in row] for row in spark.sql(sql).collect()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("annals")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("journals", nargs="+")
    parser.add_argument("--engines", default="duckdb")
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--answers", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    folder = args.folder.resolve()
    engines = {"sqlite": of_sqlite(args.annals, args.journals)}
    wanted = [it for it in args.engines.split(",") if it]
    if "duckdb" in wanted:
        engines["duckdb"] = of_duckdb(folder)
    if "spark" in wanted:
        engines["spark"] = of_spark(folder, args.master)
    differ, took = 0, dict.fromkeys(engines, 0.0)
    questions = sorted(QUESTIONS.glob("*.sql"))
    for path in questions:
        sql, answers = path.read_text(), {}
        for name, ask in engines.items():
            began = time.perf_counter()
            answers[name] = ask(sql)
            took[name] += time.perf_counter() - began
        for name, answer in answers.items():
            if answer != answers["sqlite"]:
                differ += 1
                print(f"{path.stem}: {name} differs:\n  sqlite {answers['sqlite'][:4]}\n  {name} {answer[:4]}")
        if args.answers:
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(answers["sqlite"])
            file = args.answers / f"{path.stem}.csv"
            if args.write:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text.getvalue())
            elif file.read_text() != text.getvalue():
                differ += 1
                print(f"{path.stem}: the answer is another than {file}")
    print(f"{len(questions)} questions, {differ} differ;", ", ".join(f"{k} {v:.1f} s" for k, v in took.items()))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
