import assert from 'node:assert/strict';
import type { Engine } from '../../../service/engine/engine.ts';
import type { EngineProbe } from '../../../service/engine/run/engine-probe.ts';
import type { RunOperation } from '../../../service/store/commit/run-operation.ts';
import { eachDatabase } from '../../support/databases.ts';
import { type EngineLab, engineLab } from '../../support/engine-lab.ts';
import { twoSteps } from '../../support/step-package.ts';

describe('an engine that closes while it picks up a run', () => {
  eachDatabase((open) => {
    let lab: EngineLab;
    let calls: number;
    /** The database refuses rows. */
    let refusing: boolean;
    let takingUp: PromiseWithResolvers<undefined>;
    /** Rows wait for it. */
    let gate: Promise<undefined>;
    let closing: Engine;
    let executionId: string;
    beforeEach(async () => {
      lab = await engineLab(await open());
      calls = 0;
      refusing = false;
      takingUp = Promise.withResolvers();
      gate = Promise.resolve(undefined);
      lab.behaviours.set('a', () => {
        calls += 1;
        return { text: 'a' };
      });
      closing = await lab.engine({ probe });
    });
    afterEach(async () => {
      refusing = false;
      await lab.close();
    });

    const probe: EngineProbe = async (point, detail) => {
      const appends =
        Array.isArray(detail) && (detail as RunOperation[]).some(({ kind }) => kind === 'append');
      if (point !== 'before_commit' || !appends) return;
      takingUp.resolve(undefined);
      await gate;
      if (refusing) throw new Error('the database is not available');
    };
    /** Stores a run for which its own replica has no room. Resolves once the other one takes it up. */
    const queueRun = async (): Promise<void> => {
      const full = await lab.engine({ maxActiveRuns: 0 });
      const graph = await lab.compile(twoSteps());
      const invoked = await full.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'queued' },
      });
      executionId = invoked.executionId;
      await takingUp.promise;
    };
    const endElsewhere = async (): Promise<string> => {
      const other = await lab.engine();
      const end = await other.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      return end.kind;
    };

    it('closes although the database refuses the row, and leaves the run to other replicas', async () => {
      refusing = true;
      await queueRun();
      await closing.close(100);
      assert.equal(calls, 0);
      assert.equal(await endElsewhere(), 'completed');
      assert.equal(calls, 1);
    });

    it('starts no step of a run whose row is committed meanwhile', async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gate = promise;
      await queueRun();
      const closed = closing.close();
      resolve(undefined);
      await closed;
      assert.equal(calls, 0);
      assert.equal(await endElsewhere(), 'completed');
      assert.equal(calls, 1);
    });
  });
});
