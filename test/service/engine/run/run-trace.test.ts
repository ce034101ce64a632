import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Database } from '../../../../service/store/database.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { attemptSpan, rootSpan } from '../../../../service/telemetry/trace-context.ts';
import type { FinishedSpan, Tracer } from '../../../../service/telemetry/tracer.ts';
import { sqliteOptions } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { twoSteps } from '../../../support/step-package.ts';
import { until } from '../../../support/until.ts';

describe('spans of a run', () => {
  let db: Database;
  let dataDir: string;
  let lab: EngineLab;
  before(async () => {
    const options = await sqliteOptions();
    dataDir = options.dataDir;
    db = await openDatabase(options);
    lab = await engineLab(db);
  });
  after(async () => {
    await lab.close();
    await db.close();
    await rm(dataDir, { recursive: true });
  });
  afterEach(() => lab.behaviours.clear());

  it('continue on the replica that takes over, and stop on the former owner', async () => {
    const [first, second] = [collecting(), collecting()];
    const loser = await lab.engine({ tracer: first.tracer });
    const graph = await lab.compile(twoSteps({ name: 'Changes hands' }));
    let calls = 0;
    lab.behaviours.set('b', () => {
      calls += 1;
      return calls === 1 ? undefined : { text: 'again' };
    });
    const link = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    const { executionId } = await loser.invoke(lab.tenant, {
      graphId: graph.graphId,
      input: lab.input({}),
      idempotency: { kind: 'key', hash: 'changes hands' },
      invokedBy: link,
    });
    await until(() => calls === 1);
    await loser.close(1);
    const taker = await lab.engine({ tracer: second.tracer });
    const end = await taker.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
    assert.equal(end.kind, 'completed');

    const root = rootSpan(executionId);
    const idsOf = (spans: FinishedSpan[]): unknown[] =>
      spans.map(({ traceId, spanId, parentSpanId }) => ({ traceId, spanId, parentSpanId }));
    assert.deepEqual(idsOf(first.spans), [{ ...attemptSpan(executionId, 0, 1), parentSpanId: root.spanId }]);
    assert.deepEqual(idsOf(second.spans), [
      { ...attemptSpan(executionId, 1, 1), parentSpanId: root.spanId },
      { ...root, parentSpanId: undefined },
    ]);
    assert.deepEqual(second.spans[1]?.link, link);
    // The step started on the first replica.
    const started = (await lab.journal(executionId)).find(
      (entry) => entry.type === 'NODE_STARTED' && entry.step === 1,
    );
    assert.equal(second.spans[0]?.startedAt, started?.at);
  });

  it('end with the run, including those of abandoned steps', async () => {
    const { tracer, spans } = collecting();
    const engine = await lab.engine({ tracer });
    const graph = await lab.compile(twoSteps({ name: 'Cancelled' }));
    let called = false;
    lab.behaviours.set('a', () => {
      called = true;
      return undefined;
    });
    const { executionId } = await engine.invoke(lab.tenant, {
      graphId: graph.graphId,
      input: lab.input({}),
      idempotency: { kind: 'key', hash: 'cancelled' },
    });
    await until(() => called);
    await engine.cancel(lab.tenant.id, executionId);
    assert.deepEqual(
      spans.map(({ name, error, attributes }) => [name, error, attributes['svc.execution.status']]),
      [
        ['step a', 'the run ended before the node answered', undefined],
        ['flow Cancelled', 'execution cancelled', 'CANCELLED'],
      ],
    );
  });
});

function collecting(): { tracer: Tracer; spans: FinishedSpan[] } {
  const spans: FinishedSpan[] = [];
  return { spans, tracer: { record: (span) => void spans.push(span), close: () => Promise.resolve() } };
}
