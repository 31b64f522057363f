#!/usr/bin/env python3
"""Holds ATIF trajectories against the published rules (the package `atif`), and counts what is in them.

usage: tests/fleet/trajectories.py FILE...

Exit code 77 where the package is missing.
"""
import json
import sys

try:
    from atif import Trajectory
except ImportError:
    sys.exit(77)


def main(paths):
    told = dict(documents=0, steps=0, prompts=0, calls=0, results=0, output_tokens=0)
    for path in paths:
        document = Trajectory.model_validate_json(open(path, encoding="utf-8").read())
        told["documents"] += 1
        told["steps"] += len(document.steps)
        for step in document.steps:
            told["prompts"] += step.source == "user"
            ids = [call.tool_call_id for call in step.tool_calls or []]
            assert len(ids) == len(set(ids)), f"{path}: step {step.step_id} has an id twice"
            told["calls"] += len(ids)
            told["results"] += len(step.observation.results) if step.observation else 0
            told["output_tokens"] += (step.metrics.completion_tokens or 0) if step.metrics else 0
        total = document.final_metrics.total_completion_tokens or 0
        assert total == sum((s.metrics.completion_tokens or 0) if s.metrics else 0 for s in document.steps), path
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
