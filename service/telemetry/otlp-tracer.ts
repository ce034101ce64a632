import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { inTime } from '../in-time.ts';
import type { SpanContext } from './trace-context.ts';
import type { FinishedSpan, Tracer } from './tracer.ts';

/**
 * Sends spans by OTLP/HTTP in protobuf. The library itself reads the other environment variables of OpenTelemetry, such as
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT` and `OTEL_BSP_*`.
 *
 * Spans bypass the library's own tracer, because it generates random ids and supports only spans that begin and end in one process.
 */
export function createOtlpTracer(url: string, logger: Pick<Logger, 'warn'>): Tracer {
  const resource = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: 'svc',
    [ATTR_SERVICE_VERSION]: manifest.version,
  }).merge(detectResources({ detectors: [envDetector] }));
  const instrumentationScope = { name: 'svc', version: manifest.version };
  const exporter = reportFailures(new OTLPTraceExporter({ url }), logger);
  const processor = new BatchSpanProcessor(exporter);

  const readable = (span: FinishedSpan): ReadableSpan => {
    const context = sampled(span);
    const startTime = hrTime(span.startedAt);
    const endTime = hrTime(Math.max(span.startedAt, span.endedAt));
    return {
      name: span.name,
      kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      spanContext: () => context,
      ...(span.parentSpanId !== undefined && {
        parentSpanContext: sampled({ traceId: span.traceId, spanId: span.parentSpanId }),
      }),
      startTime,
      endTime,
      duration: hrTime(Math.max(0, span.endedAt - span.startedAt)),
      status:
        span.error === undefined
          ? { code: SpanStatusCode.UNSET }
          : { code: SpanStatusCode.ERROR, message: span.error.slice(0, maxErrorCharacters).toWellFormed() },
      attributes: span.attributes,
      links: span.link ? [{ context: sampled(span.link) }] : [],
      events: [],
      ended: true,
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  };

  return {
    record: (span) => processor.onEnd(readable(span)),
    close: async (graceMs) => {
      const sent = processor.shutdown().catch(() => undefined);
      await inTime(sent, Math.min(graceMs, maxCloseMs));
    },
  };
}

/** Maximum length of an error message in a span. The run's history has the whole message. */
const maxErrorCharacters = 1_000;

/** Time limit of the last export, so that an unresponsive collector does not delay the exit of a process. */
const maxCloseMs = 3_000;

/** Minimum interval between reports of failed exports, in milliseconds. */
const reportEveryMs = 60_000;

/** Logs failed exports, at most once a minute. */
function reportFailures(exporter: OTLPTraceExporter, logger: Pick<Logger, 'warn'>): SpanExporter {
  let lost = 0;
  let reportedAt = -Infinity;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length;
          if (performance.now() - reportedAt >= reportEveryMs) {
            logger.warn(
              { err: result.error, spans: lost },
              'the trace collector did not accept spans; they are dropped',
            );
            reportedAt = performance.now();
            lost = 0;
          }
        }
        // A failure would keep a flush from waiting for the other batches. The enum's package is not a direct dependency.
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    // `forceFlush` also waits for earlier batches that are still being sent.
    shutdown: () => exporter.forceFlush().then(() => exporter.shutdown()),
  };
}

function sampled({ traceId, spanId }: SpanContext) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
