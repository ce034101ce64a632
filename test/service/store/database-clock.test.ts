import assert from 'node:assert/strict';
import { DatabaseClock } from '../../../service/store/database-clock.ts';
import type { Database } from '../../../service/store/database.ts';
import { openDatabase } from '../../../service/store/open-database.ts';
import { postgresOptions } from '../../support/databases.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const dayMs = 86_400_000;
const closeMs = 2_000;

suiteNeeds('postgres', "the database's clock", function () {
  // The first suite of the process waits for the server to start.
  this.timeout(300_000);
  let db: Database;
  before(async () => {
    db = await openDatabase(await postgresOptions());
  });
  after(() => db.close());

  /** A clock on a machine whose clock differs from that of the database by the given time. */
  const start = async (differenceMs: number) => {
    const state = { differenceMs, sleptMs: 0 };
    const logged: unknown[] = [];
    const clock = await DatabaseClock.start({
      tx: db.knex,
      logger: { warn: (fields: unknown) => void logged.push(fields) },
      elapsed: () => performance.now() + state.sleptMs,
      system: { now: () => Date.now() + state.differenceMs },
    });
    return { clock, state, logged };
  };
  const isNow = (clock: DatabaseClock): void => {
    const differenceMs = Math.abs(clock.now() - Date.now());
    assert.ok(differenceMs < closeMs, `differs by ${differenceMs} ms`);
  };

  it('is independent of the clock of the machine, and logs the difference', async () => {
    const { clock, state, logged } = await start(92 * dayMs);
    isNow(clock);
    assert.deepEqual(logged, [{ seconds: 92 * 86_400 }]);
    await clock.compare();
    assert.equal(logged.length, 1);
    state.differenceMs = -dayMs;
    isNow(clock);
    await clock.compare();
    assert.deepEqual(logged[1], { seconds: -86_400 });
    state.differenceMs = 0;
    await clock.compare();
    state.differenceMs = -dayMs;
    await clock.compare();
    assert.equal(logged.length, 3);
  });

  it('does not log small differences', async () => {
    assert.deepEqual((await start(4_000)).logged, []);
    assert.equal((await start(-6_000)).logged.length, 1);
  });

  it('resynchronizes with the database after the machine has slept', async () => {
    const { clock, state } = await start(0);
    state.sleptMs = dayMs;
    assert.ok(clock.now() > Date.now() + dayMs / 2);
    await clock.compare();
    isNow(clock);
  });

  it('does not go backwards for a small difference', async () => {
    const { clock, state } = await start(0);
    state.sleptMs = 100;
    const before = clock.now();
    await clock.compare();
    assert.ok(clock.now() >= before);
  });
});
