import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createReadiness } from '../../service/readiness.ts';
import { until } from '../support/until.ts';

describe('readiness', () => {
  let log: { level: number; check?: string; reason?: string }[];
  let failure: Error | undefined;
  let checks: number;
  let open: { close(): Promise<void> }[];
  beforeEach(() => {
    log = [];
    failure = undefined;
    checks = 0;
    open = [];
  });
  afterEach(() => Promise.all(open.map((each) => each.close())));

  const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line) as (typeof log)[0]) });
  const disk = (): Promise<void> => {
    checks += 1;
    return failure ? Promise.reject(failure) : Promise.resolve();
  };
  const watch = (times: { everyMs?: number; timeoutMs?: number }, check = disk) => {
    const readiness = createReadiness({ checks: { disk: check }, logger, ...times });
    open.push(readiness);
    return readiness;
  };
  const rounds = async (count: number): Promise<void> => {
    const enough = checks + count;
    await until(() => checks >= enough);
  };

  it('has results as soon as it has started', async () => {
    failure = new Error('full');
    const readiness = watch({});
    assert.deepEqual(readiness.results(), { disk: 'not checked yet' });
    await readiness.start();
    assert.deepEqual(readiness.results(), { disk: 'full' });
  });

  it('reflects its checks, and logs each change once with the reason', async () => {
    const readiness = watch({ everyMs: 1 });
    await readiness.start();
    await rounds(3);
    assert.deepEqual(log, []);
    failure = new Error('full');
    await rounds(4);
    assert.deepEqual(readiness.results(), { disk: 'full' });
    failure = undefined;
    await rounds(4);
    assert.deepEqual(readiness.results(), { disk: 'ok' });
    assert.deepEqual(
      log.map(({ level, check, reason }) => [level, check, reason]),
      [
        [50, 'disk', 'full'],
        [30, 'disk', undefined],
      ],
    );
  });

  it('returns results without running a check', async () => {
    const readiness = watch({ everyMs: 60_000 });
    await readiness.start();
    for (let question = 0; question < 1_000; question += 1) readiness.results();
    assert.equal(checks, 1);
  });

  it('fails a check that times out, does not start it twice, and recovers when it ends', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const readiness = watch({ everyMs: 1, timeoutMs: 5 }, async () => {
      checks += 1;
      await held;
    });
    await readiness.start();
    assert.deepEqual(readiness.results(), { disk: 'no result within 0.005 s' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(checks, 1);
    release();
    await until(() => readiness.results().disk === 'ok');
  });

  it('stops checking when closed', async () => {
    const readiness = watch({ everyMs: 1 });
    await readiness.start();
    await readiness.close();
    const before = checks;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(checks, before);
  });
});
