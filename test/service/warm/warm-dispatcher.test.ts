import assert from 'node:assert/strict';
import { pino } from 'pino';
import { systemClock } from '../../../service/clock.ts';
import { ApiError } from '../../../service/errors/api-error.ts';
import { NodeTargets } from '../../../service/nodes/call/target.ts';
import type { WarmOutcome } from '../../../service/nodes/container/call-warm.ts';
import type { Database } from '../../../service/store/database.ts';
import { migrateDatabase } from '../../../service/store/migrate.ts';
import { openDatabase } from '../../../service/store/open-database.ts';
import { insertTenant, type Tenant } from '../../../service/store/tenants.ts';
import { createWarmDispatcher, type WarmDispatcher } from '../../../service/warm/warm-dispatcher.ts';
import { createWarmPlans, packagesOf, type WarmPackage } from '../../../service/warm/warm-plan.ts';
import { flowCompiler, publishStepsOf } from '../../support/compiled-flow.ts';
import { sqliteOptions } from '../../support/databases.ts';
import { noTokens } from '../../support/no-secrets.ts';
import { sampleTenant } from '../../support/sample-records.ts';
import { step, twoSteps } from '../../support/step-package.ts';
import { until } from '../../support/until.ts';

describe('the warm dispatcher', () => {
  let db: Database;
  let acme: Tenant;
  let packages: WarmPackage[];
  let dispatcher: WarmDispatcher;
  /** Calls sent to containers, each with a function that ends it. */
  let calls: { endpoint: string; end: (outcome: WarmOutcome) => void }[];

  before(async () => {
    db = await openDatabase(await sqliteOptions());
    await migrateDatabase(db);
    acme = sampleTenant({ handle: 'acme' });
    await insertTenant(db.knex, acme);
    const names = ['acme/one', 'acme/two', 'acme/three'];
    for (const [index, name] of names.entries()) {
      await publishStepsOf(db, acme, { name, endpoint: `grpc://127.0.0.1:${index + 1}` });
    }
    const nodes = names.map((name, index) => step(`n${index}`, { package: name }));
    const edges = [0, 1].map((index) => ({ from: `n${index}`, to: `n${index + 1}` }));
    const flow = twoSteps({ nodes, edges, entry: 'n0', terminal: 'n2' });
    const { graphId } = await flowCompiler(db).compile(acme, flow);
    packages = packagesOf([(await createWarmPlans(db).nodesOf(acme.id, graphId)) ?? []], 48).packages;
    assert.equal(packages.length, 3);
  });
  after(() => db.close());
  afterEach(async () => {
    const closing = dispatcher.close();
    for (const { end } of calls) end({ kind: 'warm' });
    await closing;
  });

  const dispatch = (limits: { atOnce?: number; mostWaiting?: number }): void => {
    calls = [];
    dispatcher = createWarmDispatcher({
      targets: new NodeTargets({ db, clock: systemClock, tokens: noTokens }),
      // The tests decide when each call ends.
      containers: {
        warm: (endpoint, _call, { signal }) =>
          new Promise((resolve) => {
            calls.push({ endpoint, end: resolve });
            signal?.addEventListener('abort', () => resolve({ kind: 'failed', message: 'CANCELLED' }));
          }),
      },
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      ...limits,
    });
    dispatcher.dispatch(acme.id, packages);
  };

  it('limits concurrent calls, and starts the next one when a call ends or fails', async () => {
    dispatch({ atOnce: 2 });
    await until(() => calls.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(calls.length, 2);
    calls[0]?.end({ kind: 'failed', message: 'UNAVAILABLE' });
    await until(() => calls.length === 3);
    assert.deepEqual(
      calls.map(({ endpoint }) => endpoint),
      [1, 2, 3].map((port) => `grpc://127.0.0.1:${port}`),
    );
  });

  it('queues a package once, and limits the queue', async () => {
    dispatch({ atOnce: 1, mostWaiting: 1 });
    for (let again = 0; again < 5; again += 1) dispatcher.dispatch(acme.id, packages);
    await until(() => calls.length === 1);
    calls[0]?.end({ kind: 'warm' });
    await until(() => calls.length === 2);
    calls[1]?.end({ kind: 'warm' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(calls.length, 2);
  });

  it('cancels its calls, drops its queue and rejects packages on close', async () => {
    dispatch({ atOnce: 1 });
    await until(() => calls.length === 1);
    await dispatcher.close();
    assert.equal(calls.length, 1);
    assert.throws(
      () => dispatcher.dispatch(acme.id, packages),
      (error) => error instanceof ApiError && error.status === 503,
    );
  });
});
