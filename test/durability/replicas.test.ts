import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../service/engine/engine.ts';
import type { JournalEntry } from '../../service/engine/journal/entry.ts';
import type { Database } from '../../service/store/database.ts';
import { eachDatabase, optionsOfDatabase } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { twoSteps } from '../support/step-package.ts';
import { startReplica } from './replica.ts';
import { suiteNeeds } from '../support/toolchains.ts';

suiteNeeds('processes', 'replicas on one database', function () {
  this.timeout(300_000);

  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('with a shared container', () => {
      let lab: EngineLab;
      let engine: Engine;
      before(async () => {
        lab = await engineLab(db);
        engine = await lab.engine();
      });
      after(() => lab.close());
      afterEach(() => lab.behaviours.clear());

      it('take over the runs of a frozen replica, which writes nothing when it resumes', async () => {
        let successor: Engine | undefined;
        const graph = await lab.compile(twoSteps({ name: 'Frozen' }));
        let answerFirst: () => void = () => assert.fail('the callback was not called');
        const called = new Promise<void>((resolve) => {
          let calls = 0;
          lab.behaviours.set('a', async () => {
            calls += 1;
            if (calls > 1) return { text: 'second' };
            resolve();
            await new Promise<void>((answered) => (answerFirst = answered));
            return { text: 'first' };
          });
        });
        const replica = await startReplica({ database: optionsOfDatabase(db), blobsDir: lab.blobsDir });
        try {
          replica.invoke({ tenantId: lab.tenant.id, graphId: graph.graphId, input: '', key: 'frozen' });
          const { executionId } = await replica.heard('accepted');
          await called;
          await replica.freeze();
          // Not before: a busy machine may leave the replica without the processor for as long.
          successor = await lab.engine({ deadAfterMs: 1_500 });
          const end = await successor.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
          assert.equal(end.kind, 'completed');
          assert.equal(lab.decode(end.output).text, 'secondb');
          const before = await lab.journal(executionId);
          // It wakes to the answer of its own call.
          answerFirst();
          replica.kill('SIGCONT');
          await replica.heard('stopped');
          await pause(200);
          assert.deepEqual(await lab.journal(executionId), before);
          assert.deepEqual(outputsOf(lab, before), ['second', 'secondb']);
        } finally {
          replica.kill();
          await replica.gone;
          await successor?.close(0);
        }
      });

      it('share queued runs, each claimed by one replica', async () => {
        // The first replica has no room: every run that it accepts is queued.
        const full = await lab.engine({ maxActiveRuns: 0 });
        const graph = await lab.compile(twoSteps({ name: 'Queued' }));
        await lab.engine();
        const invoked = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            full.invoke(lab.tenant, {
              graphId: graph.graphId,
              input: lab.input({ text: `${index}:` }),
              idempotency: { kind: 'key', hash: `queued ${index}` },
            }),
          ),
        );
        for (const [index, { executionId }] of invoked.entries()) {
          const end = await full.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
          assert.equal(end.kind, 'completed');
          assert.equal(lab.decode(end.output).text, `${index}:ab`);
          const entries = await lab.journal(executionId);
          assert.equal(entries.filter(({ type }) => type === 'NODE_STARTED').length, 2);
          assert.equal(entries.filter(({ type }) => type === 'taken_over').length, 1);
        }
      });

      it('cancel a run of another replica, and notify its waiters', async () => {
        const graph = await lab.compile(twoSteps({ name: 'Cancelled elsewhere' }));
        const called = new Promise<void>((resolve) => {
          lab.behaviours.set('a', () => {
            resolve();
            return undefined;
          });
        });
        const other = await lab.engine();
        const { executionId } = await other.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          idempotency: { kind: 'key', hash: 'cancelled elsewhere' },
        });
        await called;
        await engine.cancel(lab.tenant.id, executionId);
        // Longer than the test may take: only the notification ends this wait.
        const end = await other.wait(lab.tenant.id, executionId, { timeoutMs: 600_000 });
        assert.equal(end.kind, 'cancelled');
      });
    });
  });
});

function outputsOf(lab: EngineLab, entries: readonly JournalEntry[]): (string | undefined)[] {
  return entries.flatMap((entry) =>
    entry.type === 'NODE_COMPLETED' && entry.output instanceof Uint8Array
      ? lab.decode(entry.output).text
      : [],
  );
}
