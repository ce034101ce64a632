import assert from 'node:assert/strict';
import {
  attemptSpan,
  readTraceparent,
  rootSpan,
  traceparentOf,
} from '../../../service/telemetry/trace-context.ts';

const executionId = '0192f0c8a1b2000300112233aabbccdd';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('the spans of an execution', () => {
  it('share the trace of the execution id and have unique ids', () => {
    const spans = [rootSpan(executionId)];
    for (let step = 0; step < 20; step += 1) {
      for (let attempt = 1; attempt < 12; attempt += 1) spans.push(attemptSpan(executionId, step, attempt));
    }
    const form = new RegExp(`^00-${executionId}-[0-9a-f]{16}-01$`);
    for (const span of spans) assert.match(traceparentOf(span), form);
    assert.equal(new Set(spans.map((span) => span.spanId)).size, spans.length);
  });

  it('have stable ids', () => {
    assert.equal(rootSpan(executionId).spanId, '00112233aabbccdd');
    assert.equal(attemptSpan(executionId, 3, 1).spanId, '7d1fd2a185e6eb6d');
  });
});

describe('traceparent', () => {
  it('contains the span of the caller', () => {
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId });
    assert.deepEqual(readTraceparent(` 00-${traceId}-${spanId}-00 `), { traceId, spanId });
  });

  it('may have additional fields in a later version', () => {
    assert.deepEqual(readTraceparent(`01-${traceId}-${spanId}-01-more`), { traceId, spanId });
  });

  it('is ignored if it is invalid', () => {
    for (const header of [
      undefined,
      '',
      'yes',
      `00-${traceId}-${spanId}`,
      `00-${traceId}-${spanId}-01-more`,
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`],
    ]) {
      assert.equal(readTraceparent(header), undefined, String(header));
    }
  });
});
