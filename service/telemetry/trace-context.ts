import { hash } from 'node:crypto';

/** One span among all others: 32 and 16 lower-case hex characters, neither all zeros (W3C Trace Context). */
export interface SpanContext {
  traceId: string;
  spanId: string;
}

/**
 * Span of a run, or of a direct call. The trace id is the execution id (SPEC.md, Executions), and span ids follow from it: so
 * whichever replica ends a run names its spans as those that had it before did.
 */
export function rootSpan(executionId: string): SpanContext {
  return { traceId: executionId, spanId: executionId.slice(16) };
}

/** @param attempt of the step, from 1 */
export function attemptSpan(executionId: string, step: number, attempt: number): SpanContext {
  const digest = hash('sha256', `${executionId}:${step}:${attempt}`, 'hex');
  return { traceId: executionId, spanId: digest.slice(0, 16) };
}

/** The header `traceparent`. Always sampled: whether containers keep spans is theirs to say, with or without a collector of ours. */
export function traceparentOf({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The caller's span by its `traceparent`; `undefined` for one that is none: a caller's traces never fail a request. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', rest] = traceparent.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}
