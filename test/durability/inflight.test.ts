import assert from 'node:assert/strict';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import { ApiError } from '../../service/errors/api-error.ts';
import type { Database } from '../../service/store/database.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import { eachDatabase, openAgain } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { twoSteps } from '../support/step-package.ts';

describe('the cap on concurrent executions', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('under concurrent invocations on two replicas', () => {
      let lab: EngineLab;
      let engines: Engine[];
      let graph: CompiledGraph;
      /** Lets the first nodes of all runs answer. */
      let release: () => void;
      let keys = 0;
      beforeEach(async () => {
        lab = await engineLab(db);
        engines = [await lab.engine(), await lab.engine({ db: await openAgain(db) })];
        graph = await lab.compile(twoSteps());
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        lab.behaviours.set('a', async () => {
          await released;
          return { text: 'a' };
        });
      });
      afterEach(() => lab.close());

      const capped = (inflight: number | undefined): Tenant => ({
        ...lab.tenant,
        limits: { ...lab.tenant.limits, ...(inflight !== undefined && { inflight }) },
      });
      const invoke = (tenant: Tenant, hash = `run ${(keys += 1)}`) =>
        engines[keys % 2]!.invoke(tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          idempotency: { kind: 'key', hash },
        });
      const invokeMany = async (
        tenant: Tenant,
        count: number,
      ): Promise<{ accepted: string[]; refused: ApiError[] }> => {
        const settled = await Promise.allSettled(Array.from({ length: count }, () => invoke(tenant)));
        return {
          accepted: settled.flatMap((each) => (each.status === 'fulfilled' ? each.value.executionId : [])),
          refused: settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as ApiError] : [])),
        };
      };
      const wait = async (ids: readonly string[]): Promise<void> => {
        for (const id of ids) {
          const end = await engines[0]!.wait(lab.tenant.id, id, { timeoutMs: 60_000 });
          assert.equal(end.kind, 'completed');
        }
      };

      it('admits exactly the cap of runs, and refuses the rest without consuming quota', async () => {
        const { accepted, refused } = await invokeMany(capped(7), 60);
        assert.equal(accepted.length, 7);
        assert.equal(refused.length, 53);
        for (const error of refused) {
          assert.ok(error instanceof ApiError);
          assert.equal(error.status, 429);
          assert.deepEqual(error.body, {
            error: 'inflight_exceeded',
            message:
              'too many concurrent executions (cap 7): wait for one to end, or ask the operator to raise the cap with svc tenant limits --inflight',
            retry_after_seconds: 1,
          });
          assert.equal(error.headers['Retry-After'], '1');
        }
        assert.deepEqual(await lab.usage(), { invocations: 7, executions: 7 });
        assert.equal((await lab.executions()).length, 7);
        release();
        await wait(accepted);
      });

      it('admits another run as soon as one has ended', async () => {
        const { accepted } = await invokeMany(capped(2), 3);
        assert.equal(accepted.length, 2);
        release();
        await wait(accepted);
        const again = await invokeMany(capped(2), 3);
        assert.equal(again.accepted.length, 2);
        await wait(again.accepted);
      });

      it('admits a repeated request for an existing run, and leaves refused keys available', async () => {
        const tenant = capped(1);
        const first = await invoke(tenant, 'same');
        assert.equal((await invoke(tenant, 'same')).executionId, first.executionId);
        await assert.rejects(invoke(tenant, 'refused'), /too many concurrent executions/);
        release();
        await wait([first.executionId]);
        const second = await invoke(tenant, 'refused');
        assert.equal(second.duplicate, false);
        await wait([second.executionId]);
      });

      it('counts runs, but not their branches', async () => {
        assert.equal((await invokeMany(capped(0), 1)).accepted.length, 0);
        const { accepted, refused } = await invokeMany(capped(undefined), 20);
        assert.deepEqual([accepted.length, refused.length], [20, 0]);
        // All runs of the tenant count, from every route.
        assert.equal((await invokeMany(capped(20), 1)).accepted.length, 0);
        const more = await invokeMany(capped(21), 2);
        assert.equal(more.accepted.length, 1);
        release();
        await wait([...accepted, ...more.accepted]);
      });
    });
  });
});
