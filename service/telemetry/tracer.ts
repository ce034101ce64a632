import type { SpanContext } from './trace-context.ts';

/** A finished span. Times are epoch milliseconds. */
export interface FinishedSpan extends SpanContext {
  /** Absent on the root span of a trace. */
  parentSpanId?: string;
  name: string;
  /** `client` for a call of a container. */
  kind: 'internal' | 'client';
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string | number | boolean>;
  /** The error message of a failed span. */
  error?: string | undefined;
  /** The caller's span. It belongs to another trace, because trace ids are execution ids here. */
  link?: SpanContext | undefined;
}

/** Exports spans without ever waiting for the collector. If it is too slow, spans are dropped. */
export interface Tracer {
  record(span: FinishedSpan): void;
  /** Sends the buffered spans, for at most `graceMs` and at most three seconds. Later spans are dropped. */
  close(graceMs: number): Promise<void>;
}
