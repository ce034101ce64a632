import assert from 'node:assert/strict';
import { pino } from 'pino';
import { systemClock } from '../../../../service/clock.ts';
import { EventHub } from '../../../../service/engine/events/event-hub.ts';
import { Feeds } from '../../../../service/engine/follow/feeds.ts';
import type { Follower } from '../../../../service/engine/follow/feed.ts';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { createIds } from '../../../../service/ids.ts';
import type { Database } from '../../../../service/store/database.ts';
import { type Execution, executions } from '../../../../service/store/executions.ts';
import { toRow } from '../../../../service/store/table.ts';
import type { Tenant } from '../../../../service/store/tenants.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant } from '../../../support/sample-records.ts';

const ids = createIds(systemClock);

describe('the followers of a tenant', () => {
  eachDatabase((open) => {
    let db: Database;
    let feeds: Feeds<string>;
    let tenant: Tenant;
    let followers: Follower<string>[];
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      tenant = await storedTenant(db.knex);
      followers = [];
      feeds = new Feeds<string>({
        db,
        blobs: { read: () => Promise.reject(new Error('there are no files')) },
        hub: new EventHub(),
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        announce: () => undefined,
        encode: ({ type }) => ({ message: type, bytes: type.length }),
      });
    });
    afterEach(() => {
      for (const follower of followers) follower.leave();
    });

    async function storedRun({ id: tenantId } = tenant): Promise<string> {
      const id = ids.executionId();
      const execution: Execution = {
        tenantId,
        id,
        graphId: 'graph',
        graphArtifactId: 'artifact',
        nodeId: null,
        nodeFqn: null,
        status: 'RUNNING',
        errorMessage: null,
        failureKind: null,
        failedNode: null,
        createdAt: 1,
        updatedAt: 1,
        completedAt: null,
        lineageRootExecutionId: null,
        forkedFromExecutionId: null,
        mutationEnabled: false,
        mutationSeq: 0,
        mockedNodeCount: 0,
      };
      await db.knex(executions.name).insert(toRow(executions, execution));
      return id;
    }
    async function follow(executionId: string, { id } = tenant): Promise<Follower<string>> {
      const join = await feeds.execution({ tenantId: id, decode: false }, executionId);
      assert.ok(join);
      const follower = join();
      followers.push(follower);
      return follower;
    }
    const refusal = (executionId: string): Promise<unknown> =>
      feeds.execution({ tenantId: tenant.id, decode: false }, executionId).then(
        () => undefined,
        (error: unknown) => error instanceof ApiError && [error.status, error.body],
      );

    it('are limited to 1,000', async () => {
      const id = await storedRun();
      for (let count = 0; count < 1_000; count += 1) await follow(id);
      const tooMany = [
        429,
        {
          error: 'too_many_followers',
          message: 'the tenant has 1000 open debug streams: close some',
        },
      ];
      assert.deepEqual(await refusal(id), tooMany);
      assert.deepEqual(await refusal(await storedRun()), tooMany);
      // Other tenants are not concerned.
      const other = await storedTenant(db.knex);
      await follow(await storedRun(other), other);
      followers[0]?.leave();
      followers[0]?.leave();
      await follow(id);
      assert.deepEqual(await refusal(id), tooMany);
    });

    it('are limited to 100 distinct runs', async () => {
      const runs: string[] = [];
      for (let count = 0; count < 101; count += 1) runs.push(await storedRun());
      const last = runs.pop()!;
      for (const id of runs) await follow(id);
      const tooMany = [
        429,
        {
          error: 'too_many_followers',
          message: 'the tenant follows 100 runs and topics: close the debug streams of some',
        },
      ];
      assert.deepEqual(await refusal(last), tooMany);
      // A run that is followed already may have further followers.
      await follow(runs[0]!);
      followers[0]?.leave();
      assert.deepEqual(await refusal(last), tooMany);
      followers.at(-1)?.leave();
      await follow(last);
    });

    it('find only executions of the tenant', async () => {
      const other = await storedTenant(db.knex);
      assert.equal(
        await feeds.execution({ tenantId: tenant.id, decode: false }, await storedRun(other)),
        undefined,
      );
      assert.equal(await feeds.execution({ tenantId: tenant.id, decode: true }, '0'.repeat(32)), undefined);
    });
  });
});
