import assert from 'node:assert/strict';
import type { Engine } from '../../../service/engine/engine.ts';
import type { EngineProbe } from '../../../service/engine/run/engine-probe.ts';
import type { RunOperation } from '../../../service/store/commit/run-operation.ts';
import { eachDatabase } from '../../support/databases.ts';
import { type EngineLab, engineLab } from '../../support/engine-lab.ts';
import { eventually } from '../../support/eventually.ts';
import { twoSteps } from '../../support/step-package.ts';

describe('closing an engine during a commit', () => {
  eachDatabase((open) => {
    let lab: EngineLab;
    let calls: number;
    /** Only operations of this kind wait. */
    let gated: RunOperation['kind'];
    /** Whether the database rejects rows. */
    let refusing: boolean;
    let takingUp: PromiseWithResolvers<undefined>;
    /** Rows wait for this promise. */
    let gate: Promise<undefined>;
    let closing: Engine;
    let executionId: string;
    beforeEach(async () => {
      lab = await engineLab(await open());
      calls = 0;
      gated = 'append';
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
      const waits = Array.isArray(detail) && (detail as RunOperation[]).some(({ kind }) => kind === gated);
      if (point !== 'before_commit' || !waits) return;
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
    const ownerOf = async (id: string): Promise<string | null | undefined> => {
      const row = await lab.db.knex<{ id: string; owner: string | null }>('executions').where({ id }).first();
      return row?.owner;
    };
    const endElsewhere = async (): Promise<string> => {
      const other = await lab.engine();
      const end = await other.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      return end.kind;
    };

    /** Closes the engine while a row waits, and commits the row once the engine has stopped making calls. */
    const closeBefore = async (row: Promise<unknown>, commit: (value: undefined) => void): Promise<void> => {
      await takingUp.promise;
      const released = closing.close(0);
      // Each wait of the engine ends with a timer of 0 ms, so it is done by then even on a machine that stalls.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
      commit(undefined);
      await Promise.all([row, released]);
    };

    it('succeeds if the database rejects the row, and leaves the run to other replicas', async () => {
      refusing = true;
      await queueRun();
      await closing.close(100);
      assert.equal(calls, 0);
      assert.equal(await endElsewhere(), 'completed');
      assert.equal(calls, 1);
    });

    it('starts no step of a run whose takeover is committed meanwhile', async () => {
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

    it('starts no step of a run that is admitted after the engine stops making calls', async () => {
      const graph = await lab.compile(twoSteps());
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gated = 'admit';
      gate = promise;
      const invoked = closing.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'admitted' },
      });
      await closeBefore(invoked, resolve);
      ({ executionId } = await invoked);
      assert.equal(await endElsewhere(), 'completed');
      assert.equal(calls, 1, 'only the other replica calls the node');
    });

    it('starts no step of a run whose decision is committed after the engine stops making calls', async () => {
      lab.behaviours.set('b', (input, answer, { context }) => {
        if (context && context.resumedPauseId !== '') {
          calls += 1;
          return input;
        }
        answer.say({ case: 'pause', value: { interruptPayloadJson: '{}', timeoutSeconds: 3_600 } as never });
        answer.end();
        return undefined;
      });
      const { executionId: paused, end } = await lab.run(closing, await lab.compile(twoSteps()));
      executionId = paused;
      assert.equal(end.kind, 'paused');
      await eventually(async () => (await ownerOf(paused)) === '' || undefined);
      calls = 0;
      takingUp = Promise.withResolvers();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      gate = promise;
      const decision = { input: lab.encode({ text: 'yes' }) };
      const decided = closing.resume(
        { tenantId: lab.tenant.id, executionId },
        { pauseId: end.pauseId, decisionId: 'one', resumedBy: '', decision },
      );
      await closeBefore(decided, resolve);
      assert.equal((await decided)?.won, true);
      assert.equal(await endElsewhere(), 'completed');
      assert.equal(calls, 1, 'only the other replica calls the node');
    });
  });
});
