import type { SpanContext } from './trace-context.ts';

/** A span that is over; only such ones are kept anywhere (OpenTelemetry). Times are epoch milliseconds. */
export interface FinishedSpan extends SpanContext {
  /** Absent: the root of its trace. */
  parentSpanId?: string;
  name: string;
  /** `client`: the span of a call of a container. */
  kind: 'internal' | 'client';
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string | number | boolean>;
  /** Why it failed; absent: it did not. */
  error?: string | undefined;
  /** The caller's span, of a trace of its own: our trace ids are execution ids. */
  link?: SpanContext | undefined;
}

/** Where spans go. Nothing here waits for the collector: what it is too slow for is dropped. */
export interface Tracer {
  record(span: FinishedSpan): void;
  /** Sends what is gathered, for at most `graceMs`, and never more than three seconds; later spans are dropped. */
  close(graceMs: number): Promise<void>;
}
