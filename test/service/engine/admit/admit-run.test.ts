import assert from 'node:assert/strict';
import { ApiError } from '../../../../service/errors/api-error.ts';
import type { Engine } from '../../../../service/engine/engine.ts';
import type { CompiledGraph } from '../../../../service/engine/graph/compiled-graph.ts';
import type { Database } from '../../../../service/store/database.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { twoSteps } from '../../../support/step-package.ts';

eachDatabase((open) => {
  describe('a run whose admission loses its response', function () {
    this.timeout(60_000);
    let db: Database;
    let lab: EngineLab;
    let engine: Engine;
    let graph: CompiledGraph;
    /** The number of responses that are still to be lost. */
    let lost = 0;
    /** Runs before a response is lost. */
    let meanwhile: () => Promise<unknown>;
    before(async () => {
      db = await open();
      lab = await engineLab(db);
      engine = await lab.engine({
        probe: async (point, detail) => {
          if (point !== 'after_commit' || lost === 0 || !('some' in detail)) return;
          if (!detail.some(({ kind }) => kind === 'admit')) return;
          lost -= 1;
          await meanwhile();
          throw new Error('the connection is lost');
        },
      });
      graph = await lab.compile(twoSteps());
    });
    after(() => lab.close());
    beforeEach(() => {
      meanwhile = () => Promise.resolve();
    });

    const invoke = (key: string) =>
      engine.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({ text: '>' }),
        idempotency: { kind: 'key', hash: key },
      });
    const completes = async (executionId: string): Promise<void> => {
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 30_000 });
      assert.equal(end.kind, 'completed', JSON.stringify(end));
    };
    const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.status === 503;

    it('is found by its idempotency key', async () => {
      lost = 1;
      const { executionId, duplicate } = await invoke('once');
      assert.deepEqual([lost, duplicate], [0, false]);
      await completes(executionId);
    });

    it('continues even if the retry of its admission loses its response too', async () => {
      lost = 2;
      await assert.rejects(invoke('twice'), isUnavailable);
      assert.equal(lost, 0);
      const { executionId, duplicate } = await invoke('twice');
      assert.equal(duplicate, true);
      await completes(executionId);
    });

    it('continues even if its idempotency key expires before the retry', async () => {
      lost = 1;
      const known = new Set((await lab.executions()).map(({ id }) => id));
      meanwhile = () => db.knex('idempotency').where({ tenant_id: lab.tenant.id }).delete();
      await assert.rejects(invoke('expired'), isUnavailable);
      assert.equal(lost, 0);
      const run = (await lab.executions()).find(({ id }) => !known.has(id));
      assert.ok(run);
      await completes(run.id);
    });
  });

  describe('a run that exceeds the daily quota', () => {
    it('is rejected with the time left in the day of its quota, even if midnight passes meanwhile', async () => {
      const dayMs = 86_400_000;
      const clock = manualClock();
      clock.advance(dayMs - (clock.now() % dayMs) - 5_000);
      const lab = await engineLab(await open(), clock);
      try {
        const graph = await lab.compile(twoSteps());
        const engine = await lab.engine({
          probe: (point) => {
            if (point === 'before_commit') clock.advance(10_000);
          },
        });
        const refused = engine.invoke(
          { ...lab.tenant, limits: { dailyInvocations: 0 } },
          { graphId: graph.graphId, input: lab.input({}), idempotency: { kind: 'key', hash: 'late' } },
        );
        await assert.rejects(refused, ({ status, headers }: ApiError) => {
          assert.deepEqual([status, headers['Retry-After']], [429, '5']);
          return true;
        });
      } finally {
        await lab.close();
      }
    });
  });
});
