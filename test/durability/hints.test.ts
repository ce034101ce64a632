import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { systemClock } from '../../service/clock.ts';
import type { Engine } from '../../service/engine/engine.ts';
import { EventHub } from '../../service/engine/events/event-hub.ts';
import { Feeds } from '../../service/engine/follow/feeds.ts';
import type { Database } from '../../service/store/database.ts';
import { createHints, type Hints, type HintTopic } from '../../service/store/hints.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { migrateDatabase } from '../../service/store/migrate.ts';
import { postgresOptions } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { twoSteps } from '../support/step-package.ts';
import { eventually } from '../support/eventually.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { until } from '../support/until.ts';

const listeners =
  "from pg_stat_activity where application_name = 'svc hints' and datname = current_database()";

suiteNeeds('postgres', 'hints between replicas', function () {
  // The first suite of the process waits for the server to be made.
  this.timeout(300_000);
  let db: Database;
  before(async () => {
    db = await openDatabase(await postgresOptions());
    await migrateDatabase(db);
  });
  after(() => db.close());

  describe('about finished runs', () => {
    let lab: EngineLab;
    let first: Engine;
    let second: Engine;
    // The poll interval. With hints the wait is less than half of it, however busy the machine is.
    const pollMs = 10_000;
    const soonMs = pollMs / 2;
    before(async () => {
      lab = await engineLab(db);
      first = await lab.engine({ pollMs });
      second = await lab.engine({ pollMs });
    });
    after(() => lab.close());
    afterEach(() => lab.behaviours.clear());

    it('reach a waiter on another replica well before its next poll', async () => {
      await connected(2);
      const late: number[] = [];
      for (let round = 0; round < 10; round += 1) late.push(await lateness(`round ${round}`));
      const median = late.toSorted((one, other) => one - other)[5] ?? Infinity;
      assert.ok(median < soonMs, `heard ${late.map((ms) => ms.toFixed(0)).join(', ')} ms after the end`);
    });

    it('arrive again after the connections were dropped', async () => {
      await connected(2);
      const before = await pids();
      await db.knex.raw(`select pg_terminate_backend(pid) ${listeners}`);
      await eventually(async () => {
        const now = await pids();
        return now.length === 2 && !now.some((pid) => before.includes(pid)) ? true : undefined;
      });
      const late: number[] = [];
      // A hint may be lost until their owners know that they are connected again.
      for (let round = 0; round < 3 && (late.at(-1) ?? Infinity) >= soonMs; round += 1) {
        late.push(await lateness(`cut ${round}`));
      }
      assert.ok((late.at(-1) ?? Infinity) < soonMs, `heard ${late.join(', ')} ms after the end`);
    });

    it('may be lost, because polling finds the end', async () => {
      const polling = await lab.engine({ pollMs: 300 });
      await connected(3);
      let answer: () => void = () => assert.fail('the callback was not called');
      const graph = await lab.compile(twoSteps({ name: 'Lost hints' }));
      const called = new Promise<void>((resolve) => {
        lab.behaviours.set('b', async () => {
          resolve();
          await new Promise<void>((answered) => (answer = answered));
          return { text: 'late' };
        });
      });
      const executionId = await start(first, graph.graphId, 'lost');
      await called;
      // Longer than the test may take: only polling ends this wait.
      const waited = polling.wait(lab.tenant.id, executionId, { timeoutMs: 600_000 });
      await db.knex.raw(`select pg_terminate_backend(pid) ${listeners}`);
      answer();
      assert.equal((await waited).kind, 'completed');
    });

    /** Milliseconds from the end of a run until a waiter on the other replica is notified. */
    async function lateness(key: string): Promise<number> {
      const graph = await lab.compile(twoSteps({ name: 'Told of' }));
      let answer: () => void = () => assert.fail('the callback was not called');
      const called = new Promise<void>((resolve) => {
        lab.behaviours.set('b', async () => {
          resolve();
          await new Promise<void>((answered) => (answer = answered));
          return { text: 'done' };
        });
      });
      const executionId = await start(first, graph.graphId, key);
      await called;
      const elsewhere = second.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      const here = first.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      answer();
      await here;
      const endedAt = performance.now();
      assert.equal((await elsewhere).kind, 'completed');
      return performance.now() - endedAt;
    }

    async function start(engine: Engine, graphId: string, key: string): Promise<string> {
      const { executionId } = await engine.invoke(lab.tenant, {
        graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: key },
      });
      return executionId;
    }
  });

  describe('about followed runs', () => {
    let lab: EngineLab;
    before(async () => {
      lab = await engineLab(db);
    });
    after(() => lab.close());

    it('reach a follower on another replica well before its next poll', async () => {
      // Longer than the test may take: only hints wake the follower.
      const pollMs = 600_000;
      const hub = new EventHub();
      const first = await lab.engine();
      const second = await lab.engine({ events: hub });
      const feeds = new Feeds<string>({
        db,
        blobs: { read: () => Promise.reject(new Error('there are no files')) },
        hub,
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        announce: (session) => second.announceFollowed(session),
        encode: ({ type }) => ({ message: type, bytes: type.length }),
        pollMs,
      });
      await areHeard([first, second]);
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      let heard = false;
      // Hints are sent once the announcement of the follower has arrived, so there is something to hear until one is.
      lab.behaviours.set('a', async () => {
        await answered;
        await pause(20);
        return { text: heard ? 'late' : 'again' };
      });
      const graph = await lab.compile(
        twoSteps({
          name: 'Followed',
          edges: [
            { from: 'a', to: 'a', condition: 'text == "again"' },
            { from: 'a', to: 'b', condition: 'text != "again"' },
          ],
        }),
      );
      const { executionId } = await first.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'followed' },
      });
      const join = await feeds.execution({ tenantId: lab.tenant.id, decode: false }, executionId);
      const follower = join!();
      assert.deepEqual(await follower.next(), { kind: 'messages', messages: ['NODE_STARTED'] });
      answer();
      const types: string[] = [];
      for (let step = await follower.next(); step.kind === 'messages'; step = await follower.next()) {
        heard = true;
        types.push(...step.messages);
      }
      assert.deepEqual(types.at(-1), 'FLOW_COMPLETED');
      follower.leave();
    });
  });

  describe('on their channel', () => {
    const open: Hints[] = [];
    afterEach(async () => {
      for (const hints of open.splice(0)) await hints.close();
    });

    it('reach every replica, even thousands at once', async () => {
      const heard: Set<string>[] = [new Set(), new Set()];
      const [sender] = heard.map((ids) => listen((topic, id) => ids.add(`${topic} ${id}`)));
      // Hints that are sent before both know that they listen are lost.
      const greeting = 'f'.repeat(32);
      await eventually(() => {
        sender?.send('watched', greeting);
        return Promise.resolve(heard.every((each) => each.has(`watched ${greeting}`)) || undefined);
      });
      const ids = Array.from({ length: 3_000 }, (_, index) => index.toString(16).padStart(32, '0'));
      for (const id of ids) sender?.send(Number.parseInt(id, 16) % 2 === 0 ? 'ended' : 'watched', id);
      await until(() => heard.every(({ size }) => size === ids.length + 1));
      assert.ok(heard.every((each) => each.has(`ended ${ids[0]}`) && each.has(`watched ${ids[1]}`)));
    });

    it('stop when the channel is closed, even while it connects', async () => {
      const hints = listen(() => undefined);
      await hints.close();
      await connected(0);
      hints.send('ended', '0'.repeat(32));
    });

    function listen(onHint: (topic: HintTopic, executionId: string) => void): Hints {
      const hints = createHints({ db, logger: pino({ level: 'silent' }), onHint });
      assert.ok(hints);
      open.push(hints);
      hints.start();
      return hints;
    }
  });

  /** Resolves once the hints of engines arrive, which are lost before. */
  async function areHeard(engines: readonly Engine[]): Promise<void> {
    const heard = new Set<string>();
    const hints = createHints({
      db,
      logger: pino({ level: 'silent' }),
      onHint: (_topic, id) => heard.add(id),
    });
    hints?.start();
    const sessionOf = (index: number): string => `${index}`.padStart(32, '0');
    await eventually(() => {
      for (const [index, engine] of engines.entries()) engine.announceFollowed(sessionOf(index));
      return Promise.resolve(engines.every((_, index) => heard.has(sessionOf(index))) || undefined);
    });
    await hints?.close();
  }

  /** Backends of connections that listen. */
  async function pids(): Promise<number[]> {
    const { rows } = await db.knex.raw<{ rows: { pid: number }[] }>(
      `select pid ${listeners} and state = 'idle' and query <> ''`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Resolves when so many connections listen, and their owners know. */
  async function connected(count: number): Promise<void> {
    await eventually(async () => ((await pids()).length === count ? true : undefined));
    await pause(20);
  }
});
