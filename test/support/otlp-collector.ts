import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type DescMessage, fromBinary, toJson } from '@bufbuild/protobuf';
import { compiledRegistry } from './compiled-protos.ts';

/** A span received by a collector, with ids in hex and times in epoch milliseconds. */
export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentSpanId: string;
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: Record<string, unknown>;
  error: string | undefined;
  links: { traceId: string; spanId: string }[];
}

/** A receiver of OTLP/HTTP in protobuf. */
export interface OtlpCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spans: CollectedSpan[];
  /** Of each request. */
  headers: IncomingHttpHeaders[];
  /** Status of the next responses; 0: no response until the collector stops. */
  status: number;
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const registry = await compiledRegistry(protocol);
  const type = registry.getMessage('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
  if (!type) throw new Error('the protocol has no request');
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      collector.headers.push(request.headers);
      if (collector.status === 0) {
        held.push(response);
        return;
      }
      if (collector.status === 200) collector.spans.push(...spansOf(type, body));
      response.writeHead(collector.status, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    status: 200,
    close: async () => {
      for (const response of held) response.end();
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
  return collector;
}

interface ExportRequest {
  resourceSpans: { resource: Attributes; scopeSpans: { spans: SpanJson[] }[] }[];
}

interface Attributes {
  attributes?: { key: string; value: Record<string, unknown> }[];
}

interface SpanJson extends Attributes {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  links?: { traceId: string; spanId: string }[];
  status?: { code?: string; message?: string };
}

function spansOf(type: DescMessage, body: Uint8Array): CollectedSpan[] {
  const request = toJson(type, fromBinary(type, body)) as unknown as ExportRequest;
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource)['service.name']),
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId ?? ''),
        name: span.name,
        startedAt: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endedAt: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        attributes: valuesOf(span),
        error: span.status?.code === 'STATUS_CODE_ERROR' ? (span.status.message ?? '') : undefined,
        links: (span.links ?? []).map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
      })),
    ),
  );
}

function valuesOf({ attributes = [] }: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'intValue' in value ? Number(value.intValue) : Object.values(value)[0],
    ]),
  );
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

/** The part of the published protocol that our spans use, with its field numbers (opentelemetry-proto 1.9). */
const protocol = {
  'trace.proto': `
syntax = "proto3";
package opentelemetry.proto.collector.trace.v1;

message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; string version = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  string trace_state = 3;
  bytes parent_span_id = 4;
  string name = 5;
  int32 kind = 6;
  fixed64 start_time_unix_nano = 7;
  fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9;
  repeated Link links = 13;
  Status status = 15;
  message Link { bytes trace_id = 1; bytes span_id = 2; }
}
message Status {
  string message = 2;
  StatusCode code = 3;
  enum StatusCode { STATUS_CODE_UNSET = 0; STATUS_CODE_OK = 1; STATUS_CODE_ERROR = 2; }
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
}
`,
};
