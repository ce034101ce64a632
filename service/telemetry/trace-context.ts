import { hash } from 'node:crypto';

/** Identifies a span: 32 and 16 lower-case hex characters, neither all zeros (W3C Trace Context). */
export interface SpanContext {
  traceId: string;
  spanId: string;
}

/**
 * Returns the span of a run or of a direct call. The trace id is the execution id, and span ids derive from it, so that every
 * replica that works on a run assigns the same ids to its spans.
 */
export function rootSpan(executionId: string): SpanContext {
  return { traceId: executionId, spanId: executionId.slice(16) };
}

/** Returns the span of an attempt of a step. Attempts count from 1. */
export function attemptSpan(executionId: string, step: number, attempt: number): SpanContext {
  const digest = hash('sha256', `${executionId}:${step}:${attempt}`, 'hex');
  return { traceId: executionId, spanId: digest.slice(0, 16) };
}

/** Returns a `traceparent` header. It is always sampled, so that containers can keep spans even if the service has no collector. */
export function traceparentOf({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Reads the caller's span from `traceparent`. Returns `undefined` for an invalid header, which never fails a request. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', rest] = traceparent.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}
