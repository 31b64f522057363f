#!/usr/bin/env python3
"""Reads OTLP by the published protobuf, strictly, and counts its spans.

usage: tests/fleet/otlp.py FILE...                a request a line, or one message where the name ends in .pb
       tests/fleet/otlp.py --serve REQUESTS [STATUS...]

`--serve` is a collector for a test: it prints its port, answers with the statuses in turn (`503`, `429:1` with
Retry-After, `200:3` taking all but three spans), then with 200, and ends after that many requests that it took.

Prints one JSON object: spans by operation, outcome and status, services, traces. Exit code 1 where a span is not as
the protobuf and its comments want it. Needs `opentelemetry-proto`; exit code 77 where it is missing.
"""
import base64
import collections
import http.server
import json
import sys

try:
    from google.protobuf import json_format, unknown_fields
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
        ExportTraceServiceRequest, ExportTraceServiceResponse)
except ImportError:
    sys.exit(77)

OPERATIONS = {"chat", "create_memory", "create_memory_store", "delete_memory", "execute_tool", "invoke_agent",
              "search_memory", "update_memory", "upsert_memory"}


def of_json(text):
    """OTLP's JSON is the protobuf's, but for ids in hex (the protobuf has Base64) and enums as numbers."""
    def ids(value):
        if isinstance(value, dict):
            return {key: base64.b64encode(bytes.fromhex(it)).decode() if key in ("traceId", "spanId", "parentSpanId")
                    else ids(it) for key, it in value.items()}
        return [ids(it) for it in value] if isinstance(value, list) else value
    return json_format.ParseDict(ids(json.loads(text)), ExportTraceServiceRequest(), ignore_unknown_fields=False)


def of_bytes(data):
    request = ExportTraceServiceRequest.FromString(data)
    assert request.SerializeToString() == data or not has_unknown(request), "fields that nobody knows"
    return request


def has_unknown(message):
    if len(unknown_fields.UnknownFieldSet(message)):
        return True
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            many = value if field.is_repeated else [value]
            if any(has_unknown(it) for it in many):
                return True
    return False


class Counts:
    def __init__(self):
        self.operations, self.outcomes = collections.Counter(), collections.Counter()
        self.ids, self.traces, self.services, self.errors, self.tokens = set(), set(), set(), 0, 0

    def add(self, request):
        spans = 0
        for of_resource in request.resource_spans:
            resource = {it.key: it.value.string_value for it in of_resource.resource.attributes}
            self.services.add(resource["service.name"])
            assert len(resource["annals.journal"]) == 32, resource
            for scope in of_resource.scope_spans:
                assert scope.scope.name and scope.scope.version
                for span in scope.spans:
                    spans += 1
                    self.span(span)
        return spans

    def span(self, span):
        assert len(span.trace_id) == 16 and any(span.trace_id), span
        assert len(span.span_id) == 8 and any(span.span_id), span
        assert len(span.parent_span_id) in (0, 8) and span.parent_span_id != span.span_id, span
        assert span.name and span.kind in (1, 3), span
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span
        assert (span.trace_id, span.span_id) not in self.ids, "twice the same span"
        self.ids.add((span.trace_id, span.span_id))
        self.traces.add(span.trace_id)
        keys = [it.key for it in span.attributes]
        assert len(keys) == len(set(keys)) and all(keys), "attributes are told once"
        told = {it.key: it.value for it in span.attributes}
        text = lambda key: told[key].string_value if key in told else None
        operation = text("gen_ai.operation.name")
        assert operation is None or operation in OPERATIONS, operation
        self.operations[operation or "gate"] += 1
        if operation == "execute_tool":
            assert span.name == "execute_tool " + text("gen_ai.tool.name") and text("gen_ai.tool.call.id")
            outcome = text("annals.outcome")
            self.outcomes[outcome] += 1
            assert (span.status.code == 2) == (outcome == "failed"), span
            assert ("error.type" in told) == (outcome == "failed"), span
        if operation == "chat":
            assert text("gen_ai.provider.name")
            self.tokens += told["gen_ai.usage.output_tokens"].int_value if "gen_ai.usage.output_tokens" in told else 0
        for key in ("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments",
                    "gen_ai.tool.call.result", "gen_ai.memory.records"):
            if key in told:
                json.loads(text(key))
        self.errors += span.status.code == 2

    def told(self):
        return dict(spans=len(self.ids), traces=len(self.traces), operations=self.operations, outcomes=self.outcomes,
                    errors=self.errors, services=sorted(self.services), output_tokens=self.tokens)


def serve(requests, statuses):
    counts, taken = Counts(), 0

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            nonlocal taken
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kind = self.headers["Content-Type"]
            status, _, more = (statuses.pop(0) if statuses else "200").partition(":")
            answer = ExportTraceServiceResponse()
            if status == "200":
                assert self.path.partition("?")[0] == "/v1/traces", self.path
                counts.add(of_json(body) if kind == "application/json" else of_bytes(body))
                taken += 1
                if more:
                    answer.partial_success.rejected_spans = int(more)
                    answer.partial_success.error_message = "so many are too old"
            told = (json_format.MessageToJson(answer).encode() if kind == "application/json"
                    else answer.SerializeToString())
            self.send_response(int(status))
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(told)))
            if status != "200" and more:
                self.send_header("Retry-After", more)
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
    print(server.server_port, flush=True)
    while taken < requests:
        server.handle_request()
    return counts


def main(args):
    if args[0] == "--serve":
        counts = serve(int(args[1]), args[2:])
    else:
        counts = Counts()
        for path in args:
            if path.endswith(".pb"):
                counts.add(of_bytes(open(path, "rb").read()))
            else:
                for line in open(path, encoding="utf-8"):
                    counts.add(of_json(line))
    print(json.dumps(counts.told()))


if __name__ == "__main__":
    main(sys.argv[1:])
