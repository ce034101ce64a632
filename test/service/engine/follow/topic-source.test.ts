import assert from 'node:assert/strict';
import { EventHub, type HubListener } from '../../../../service/engine/events/event-hub.ts';
import { runsOfTopic, TopicSource } from '../../../../service/engine/follow/topic-source.ts';
import { topicSession } from '../../../../service/engine/follow/topic-session.ts';
import { createIds } from '../../../../service/ids.ts';
import type { Database } from '../../../../service/store/database.ts';
import type { Tenant } from '../../../../service/store/tenants.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';
import { storedTenant } from '../../../support/sample-records.ts';

const hour = 3_600_000;

describe('the runs of a topic', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenant: Tenant;
    let clock: ManualClock;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      tenant = await storedTenant(db.knex);
      clock = manualClock();
    });

    /** Stores executions, oldest first, with the debug session that each names. */
    async function store(sessions: readonly (string | undefined)[], appKey?: string): Promise<string[]> {
      const ids = createIds(clock);
      const common = { tenant_id: tenant.id, status: 'RUNNING', created_at: 1, updated_at: 1, graph_id: 'g' };
      const stored = sessions.map((session) => ({
        ...common,
        id: ids.executionId(),
        topic: session === undefined ? null : topicSession(tenant.id, session),
        topic_app_key: session === undefined ? null : appKey,
      }));
      await db.knex.batchInsert('executions', stored, 50);
      return stored.map(({ id }) => id);
    }
    const find = (name: string, appKey?: string): Promise<string[]> =>
      runsOfTopic(db, { tenantId: tenant.id, name, appKey }, clock.now());

    it('are exactly the runs that name the topic', async () => {
      const names = ['a', 'A', 'a"', '%', '_', '!', '\\', 'ü', undefined];
      const stored = await store(names);
      for (const [index, name] of names.entries()) {
        if (name !== undefined) assert.deepEqual(await find(name), [stored[index]], name);
      }
      assert.deepEqual(await find('elsewhere'), []);
      assert.deepEqual(await find('b'), []);
    });

    it('are limited to the runs of the app key when read with an app key', async () => {
      const [mine] = await store(['a'], 'one');
      const [theirs] = await store(['a'], 'two');
      const [full] = await store(['a']);
      assert.deepEqual(await find('a', 'one'), [mine]);
      assert.deepEqual(await find('a'), [mine, theirs, full].sort());
    });

    it('are at most an hour old', async () => {
      const stored = await store(['a']);
      clock.advance(hour);
      assert.deepEqual(await find('a'), stored);
      clock.advance(1);
      assert.deepEqual(await find('a'), []);
    });

    it('are limited to the latest hundred', async () => {
      const stored = await store(Array.from({ length: 100 }, () => 'a'));
      assert.deepEqual(await find('a'), stored);
      clock.advance(1);
      const [latest] = await store(['a']);
      assert.deepEqual(await find('a'), [...stored.slice(1), latest]);
    });

    it('are found by an index', async () => {
      const stored = await store(['a', ...Array.from({ length: 2_000 }, () => undefined)]);
      assert.deepEqual(await find('a'), stored.slice(0, 1));
      if (db.dialect !== 'sqlite') return;
      const plan = await db.knex.raw<{ detail: string }[]>(
        'explain query plan select id from executions where tenant_id = ? and topic = ? and id >= ? order by id desc limit 100',
        [tenant.id, 'a', ''],
      );
      assert.deepEqual(
        plan.map(({ detail }) => detail),
        ['SEARCH executions USING COVERING INDEX executions_topic_index (tenant_id=? AND topic=? AND id>?)'],
      );
    });

    it('yield to the event loop while their journals are read', async () => {
      const stored = await store(Array.from({ length: 100 }, () => 'a'));
      const line = { type: 'NODE_LOG', step: 0, node: 'n', level: 'info', message: 'x', at: 1 };
      for (const id of stored) {
        const entries = Array.from({ length: 1_000 }, (_, n) => ({ ...line, branch: id, id: `${id}${n}` }));
        const row = { tenant_id: tenant.id, execution_id: id, seq: 0, body: JSON.stringify(entries), at: 1 };
        await db.knex('journal').insert(row);
      }
      const topic = { tenantId: tenant.id, name: 'a', appKey: undefined };
      const source = new TopicSource({ db, hub: new EventHub(), clock, wake: () => undefined }, topic);
      const watch = watchTurns();
      const { events } = await source.read();
      assertTurn(watch.stop(), 50);
      assert.equal(events.length, 100_000);
      source.close();
    });

    it('have no listeners once the topic is closed, at any point of the read', async () => {
      await store(['a', 'a']);
      /** Reads the topic, and closes it as a query begins. */
      const readUntil = async (closeAt: number): Promise<{ queries: number; listeners: number }> => {
        const hub = new CountingHub();
        let queries = 0;
        const watched = watchQueries(db, () => {
          queries += 1;
          if (queries === closeAt) source.close();
        });
        const topic = { tenantId: tenant.id, name: 'a', appKey: undefined };
        const source = new TopicSource({ db: watched, hub, clock, wake: () => undefined }, topic);
        await source.read();
        return { queries, listeners: hub.listeners };
      };
      const { queries, listeners } = await readUntil(Infinity);
      assert.equal(listeners, 3);
      for (let closeAt = 1; closeAt <= queries; closeAt += 1) {
        assert.equal((await readUntil(closeAt)).listeners, 0, `closed at query ${closeAt}`);
      }
    });
  });
});

class CountingHub extends EventHub {
  listeners = 0;

  override subscribe(session: string, listener: HubListener): ReturnType<EventHub['subscribe']> {
    const { kept, unsubscribe } = super.subscribe(session, listener);
    this.listeners += 1;
    return {
      kept,
      unsubscribe: () => {
        this.listeners -= 1;
        unsubscribe();
      },
    };
  }
}

/** A database that reports each query of the call path as it begins, some of them twice. */
function watchQueries(db: Database, onQuery: () => void): Database {
  const onRead = (): Database['reader'] => {
    onQuery();
    return db.reader;
  };
  return Object.defineProperty({ ...db }, 'reader', { get: onRead });
}
