import assert from 'node:assert/strict';
import { limits } from '../../specs/limits.ts';
import { ApiError } from '../../service/errors/api-error.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import type { Database } from '../../service/store/database.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import { eachDatabase, openAgain } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { manualClock } from '../support/manual-clock.ts';
import { step, twoSteps } from '../support/step-package.ts';

describe('daily quotas and idempotency', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('under concurrent invocations', () => {
      let lab: EngineLab;
      let engines: Engine[];
      const clock = manualClock();
      beforeEach(async () => {
        lab = await engineLab(db, clock);
        engines = [await lab.engine(), await lab.engine({ db: await openAgain(db) })];
      });
      afterEach(() => lab.close());

      const capped = (own: Tenant['limits']): Tenant => ({ ...lab.tenant, limits: own });

      /** Ids of accepted runs, and the refusals. */
      async function invokeMany(
        tenant: Tenant,
        graph: CompiledGraph,
        keys: readonly string[],
      ): Promise<{ accepted: Set<string>; refused: ApiError[] }> {
        const settled = await Promise.allSettled(
          keys.map((hash, index) =>
            engines[index % engines.length]!.invoke(tenant, {
              graphId: graph.graphId,
              input: lab.input({}),
              idempotency: { kind: 'key', hash },
            }),
          ),
        );
        const accepted = settled.flatMap((each) =>
          each.status === 'fulfilled' ? each.value.executionId : [],
        );
        const refused = settled.flatMap((each) =>
          each.status === 'rejected' ? [each.reason as ApiError] : [],
        );
        for (const id of new Set(accepted)) await engines[0]!.wait(tenant.id, id, { timeoutMs: 60_000 });
        return { accepted: new Set(accepted), refused };
      }

      const hundred = Array.from({ length: 100 }, (_, index) => `key ${index}`);

      for (const quota of ['invocations', 'executions'] as const) {
        it(`admit exactly 10 of 100 under a cap of 10 ${quota}`, async () => {
          const graph = await lab.compile(twoSteps());
          const own = quota === 'invocations' ? { dailyInvocations: 10 } : { dailyExecutions: 10 };
          const { accepted, refused } = await invokeMany(capped(own), graph, hundred);
          assert.equal(accepted.size, 10);
          assert.equal(refused.length, 90);
          const seconds = Math.ceil((86_400_000 - (clock.now() % 86_400_000)) / 1000);
          for (const error of refused) {
            assert.ok(error instanceof ApiError);
            assert.equal(error.status, 429);
            assert.deepEqual(error.body, {
              error: 'quota_exceeded',
              message: `daily ${quota} quota exceeded (cap 10)`,
              retry_after_seconds: seconds,
            });
            assert.equal(error.headers['Retry-After'], String(seconds));
          }
          assert.deepEqual(await lab.usage(), { invocations: 10, executions: 10 });
          assert.equal((await lab.executions()).length, 10);
        });
      }

      it('reset at midnight UTC', async () => {
        const graph = await lab.compile(twoSteps());
        const tenant = capped({ dailyInvocations: 1 });
        assert.equal((await invokeMany(tenant, graph, ['one', 'two'])).accepted.size, 1);
        clock.advance(86_400_000);
        assert.equal((await invokeMany(tenant, graph, ['three', 'four'])).accepted.size, 1);
      });

      it('leave the key of a refused request available', async () => {
        const graph = await lab.compile(twoSteps());
        const refused = await invokeMany(capped({ dailyExecutions: 0 }), graph, ['again', 'again']);
        assert.equal(refused.refused.length, 2);
        const accepted = await invokeMany(capped({ dailyExecutions: 1 }), graph, ['again', 'again']);
        assert.equal(accepted.accepted.size, 1);
        assert.deepEqual(accepted.refused, []);
      });

      it('create one execution for 100 requests with one key on two replicas', async () => {
        const graph = await lab.compile(twoSteps());
        const { accepted, refused } = await invokeMany(
          lab.tenant,
          graph,
          hundred.map(() => 'same'),
        );
        assert.equal(accepted.size, 1);
        assert.deepEqual(refused, []);
        assert.deepEqual(await lab.usage(), { invocations: 1, executions: 1 });
      });

      it('forget a key after its window, to the millisecond', async () => {
        const graph = await lab.compile(twoSteps());
        const [first] = (await invokeMany(lab.tenant, graph, ['window'])).accepted;
        clock.advance(limits.idempotencyWindowMs - 1);
        assert.deepEqual([...(await invokeMany(lab.tenant, graph, ['window'])).accepted], [first]);
        clock.advance(1);
        assert.notDeepEqual([...(await invokeMany(lab.tenant, graph, ['window'])).accepted], [first]);
      });

      it('fail a run whose branches exceed the executions quota', async () => {
        const graph = await lab.compile(fan);
        const tenant = capped({ dailyExecutions: 3 });
        const run = async (hash: string): Promise<string> => {
          const { executionId } = await engines[0]!.invoke(tenant, {
            graphId: graph.graphId,
            input: lab.input({}),
            idempotency: { kind: 'key', hash },
          });
          const end = await engines[0]!.wait(tenant.id, executionId, { timeoutMs: 60_000 });
          assert.equal(end.kind, 'failed');
          return end.message;
        };
        assert.match(await run('fan'), / daily executions quota exceeded \(cap 3\)$/);
        // The run itself was started, none of its three branches.
        assert.deepEqual(await lab.usage(), { invocations: 1, executions: 1 });
        assert.equal((await lab.executions()).length, 1);
      });
    });
  });
});

/** One node with three outgoing edges. */
const fan = twoSteps({
  name: 'Fan',
  nodes: [step('a'), step('b'), step('c'), step('d'), step('e', { join: { policy: 'all' } })],
  terminal: 'e',
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { from: 'a', to: 'd' },
    { from: 'b', to: 'e' },
    { from: 'c', to: 'e' },
    { from: 'd', to: 'e' },
  ],
});
