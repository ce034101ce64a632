import assert from 'node:assert/strict';
import { createTracer } from '../../../service/telemetry/create-tracer.ts';
import { createOtlpTracer } from '../../../service/telemetry/otlp-tracer.ts';
import { attemptSpan } from '../../../service/telemetry/trace-context.ts';
import type { FinishedSpan } from '../../../service/telemetry/tracer.ts';
import { threadMs } from '../../../service/work/thread-time.ts';
import { type OtlpCollector, startOtlpCollector } from '../../support/otlp-collector.ts';
import { until } from '../../support/until.ts';

const executionId = '0192f0c8a1b2000300112233aabbccdd';

describe('exported spans', () => {
  let collector: OtlpCollector;
  let warnings: unknown[];
  const logger = { warn: (detail: unknown) => void warnings.push(detail) };
  beforeEach(async () => {
    warnings = [];
    collector = await startOtlpCollector();
  });
  afterEach(() => collector.close());

  it('arrive unchanged', async () => {
    const tracer = createOtlpTracer(`${collector.url}/v1/traces`, logger);
    const link = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    tracer.record({ ...span(1), parentSpanId: '00112233aabbccdd', error: 'no\ud800', link });
    await tracer.close(5_000);
    assert.deepEqual(collector.spans, [
      {
        service: 'svc',
        ...attemptSpan(executionId, 1, 1),
        parentSpanId: '00112233aabbccdd',
        name: 'step a',
        startedAt: 1_732_000_000_123,
        endedAt: 1_732_000_000_456,
        attributes: { 'svc.step': 1, 'svc.mocked': false, 'svc.tenant': 'acme' },
        error: 'no\ufffd',
        links: [link],
      },
    ]);
  });

  it('are dropped if the collector is slow, without delaying the service', async () => {
    collector.status = 0;
    const tracer = createOtlpTracer(`${collector.url}/v1/traces`, logger);
    for (let step = 0; step < 512; step += 1) tracer.record(span(step));
    await until(() => collector.headers.length === 1);
    const startedAt = threadMs();
    for (let step = 0; step < 50_000; step += 1) tracer.record(span(step));
    assert.ok(threadMs() - startedAt < 5_000);
    const closingAt = performance.now();
    await tracer.close(200);
    // A request times out after ten seconds.
    assert.ok(performance.now() - closingAt < 8_000);
    // The queue is bounded.
    assert.ok(collector.headers.length <= 6, `${collector.headers.length} batches`);
  });

  it('are logged once if the collector rejects them', async () => {
    collector.status = 400;
    const tracer = createOtlpTracer(`${collector.url}/v1/traces`, logger);
    for (let step = 0; step < 2_000; step += 1) tracer.record(span(step));
    await tracer.close(5_000);
    assert.ok(collector.headers.length >= 4);
    assert.equal(warnings.length, 1);
  });

  it('are disabled without a collector', async () => {
    assert.equal(await createTracer({ tracesUrl: null }, logger), undefined);
  });
});

function span(step: number): FinishedSpan {
  return {
    ...attemptSpan(executionId, step, 1),
    name: 'step a',
    kind: 'client',
    startedAt: 1_732_000_000_123,
    endedAt: 1_732_000_000_456,
    attributes: { 'svc.step': step, 'svc.mocked': false, 'svc.tenant': 'acme' },
  };
}
