import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../service/clock.ts';
import { ApiError } from '../../../service/errors/api-error.ts';
import { FairQueue } from '../../../service/work/fair-queue.ts';

const clock = systemClock;

/** A job that ends when the test ends it. */
function openJob(): { job: () => Promise<void>; started: Promise<void>; end: () => void } {
  const started = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  const job = (): Promise<void> => {
    started.resolve(undefined);
    return ended.promise;
  };
  return { job, started: started.promise, end: () => ended.resolve(undefined) };
}

/**
 * Sets the time that jobs take: each job of `work` holds its slot until so many milliseconds have passed, and nothing else takes any.
 * Otherwise a moment in which the machine leaves one job without the processor would count as time that its tenant has used.
 */
function timedWork(): { work: (ms: number) => () => Promise<void>; restore: () => void } {
  let now = performance.now();
  const time = mock.method(performance, 'now', () => now);
  const work = (ms: number) => async (): Promise<void> => {
    await new Promise(setImmediate);
    now += ms;
  };
  return { work, restore: () => time.mock.restore() };
}

function isRefusal(status: number, text: string) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status, status);
    assert.match(error.message, new RegExp(text));
    return true;
  };
}

describe('a fair queue', () => {
  it('returns the result or the error of a job', async () => {
    const queue = new FairQueue({ clock });
    assert.equal(await queue.run('a', () => Promise.resolve(1)), 1);
    await assert.rejects(
      queue.run('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    const thrown = queue.run('a', () => {
      throw new Error('thrown');
    });
    await assert.rejects(thrown, /thrown/);
    assert.equal(await queue.run('a', () => Promise.resolve(2)), 2);
  });

  describe('measuring the time of its jobs', () => {
    let work: ReturnType<typeof timedWork>['work'];
    let restore: () => void;
    beforeEach(() => {
      ({ work, restore } = timedWork());
    });
    afterEach(() => restore());

    it('alternates between a busy tenant and others', async () => {
      const queue = new FairQueue({ clock, slots: 1 });
      const order: string[] = [];
      const run = (tenant: string) => queue.run(tenant, work(5)).then(() => order.push(tenant));
      const jobs = [run('busy'), run('busy'), run('busy'), run('busy'), run('calm'), run('other')];
      await Promise.all(jobs);
      assert.deepEqual(order, ['busy', 'calm', 'other', 'busy', 'busy', 'busy']);
    });

    it('allocates equal time per tenant, not equal numbers of jobs', async () => {
      const queue = new FairQueue({ clock, slots: 1 });
      const order: string[] = [];
      const run = (tenant: string, ms: number) => queue.run(tenant, work(ms)).then(() => order.push(tenant));
      const long = Array.from({ length: 3 }, () => run('long', 100));
      const short = Array.from({ length: 6 }, () => run('short', 2));
      await Promise.all([...long, ...short]);
      assert.deepEqual(order, ['long', ...Array.from({ length: 6 }, () => 'short'), 'long', 'long']);
    });

    it('does not let an idle tenant accumulate time', async () => {
      const queue = new FairQueue({ clock, slots: 1 });
      const order: string[] = [];
      const run = (tenant: string, ms: number) => queue.run(tenant, work(ms)).then(() => order.push(tenant));
      const early = Array.from({ length: 3 }, () => run('early', 100));
      await early[1];
      // The last job of "early" would come last if "late" could spend the 300 ms that "early" has used before.
      const late = Array.from({ length: 20 }, () => run('late', 11));
      await Promise.all([...early, ...late, run('early', 1)]);
      assert.deepEqual(order.slice(0, 3), ['early', 'early', 'early']);
      assert.equal(order.length, 24);
      assert.notEqual(order.at(-1), 'early', order.join(' '));
    });
  });

  it('never assigns all slots to one tenant', async () => {
    const queue = new FairQueue({ clock, slots: 2 });
    const [first, second, other] = [openJob(), openJob(), openJob()];
    const runs = [queue.run('a', first.job), queue.run('a', second.job), queue.run('b', other.job)];
    await Promise.all([first.started, other.started]);
    let secondStarted = false;
    void second.started.then(() => (secondStarted = true));
    other.end();
    await runs[2];
    assert.equal(secondStarted, false);
    first.end();
    await second.started;
    second.end();
    await Promise.all(runs);
  });

  it('limits concurrent jobs of a kind, and runs other jobs meanwhile', async () => {
    const queue = new FairQueue({ clock, slots: 4, slotsPerTenant: 4, caps: { compile: 2 } });
    let [running, most] = [0, 0];
    const compile = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    const compiles = Array.from({ length: 6 }, (_, i) =>
      queue.run(`t${i % 3}`, compile, { kind: 'compile' }),
    );
    await queue.run('t0', () => Promise.resolve());
    assert.ok(running > 0);
    await Promise.all(compiles);
    assert.equal(most, 2);
  });

  it('rejects jobs beyond the limit per tenant, and accepts those of others', async () => {
    const queue = new FairQueue({ clock, slots: 2, maxJobsPerTenant: 3 });
    const blocker = openJob();
    const running = queue.run('a', blocker.job);
    const queued = [1, 2, 3].map((n) => queue.run('a', () => Promise.resolve(n)));
    const refusal = queue.run('a', () => Promise.resolve(4));
    await assert.rejects(refusal, isRefusal(429, '"error":"work_queue_full"'));
    await assert.rejects(refusal, { headers: { 'Retry-After': '1' } });
    assert.equal(await queue.run('b', () => Promise.resolve(5)), 5);
    blocker.end();
    await running;
    assert.deepEqual(await Promise.all(queued), [1, 2, 3]);
    assert.equal(await queue.run('a', () => Promise.resolve(6)), 6);
  });

  it('applies the limit that a job specifies instead', async () => {
    const queue = new FairQueue({ clock, slots: 2, maxJobsPerTenant: 1 });
    const blocker = openJob();
    const running = queue.run('a', blocker.job);
    const light = (n: number): Promise<number> => queue.run('a', () => Promise.resolve(n), { maxQueued: 3 });
    const queued = [1, 2, 3].map(light);
    await assert.rejects(light(4), isRefusal(429, 'work_queue_full'));
    await assert.rejects(
      queue.run('a', () => Promise.resolve()),
      isRefusal(429, 'work_queue_full'),
    );
    blocker.end();
    await running;
    assert.deepEqual(await Promise.all(queued), [1, 2, 3]);
  });

  it('rejects jobs beyond the byte limit per tenant, but never a single job', async () => {
    const queue = new FairQueue({ clock, slots: 2, maxBytesPerTenant: 100 });
    const blocker = openJob();
    const running = queue.run('a', blocker.job, { bytes: 1_000 });
    const large = queue.run('a', () => Promise.resolve('large'), { bytes: 101 });
    await assert.rejects(
      queue.run('a', () => Promise.resolve(), { bytes: 1 }),
      isRefusal(429, 'work_queue_full'),
    );
    blocker.end();
    await running;
    assert.equal(await large, 'large');

    const again = openJob();
    const second = queue.run('a', again.job);
    const halves = [50, 50].map((bytes) => queue.run('a', () => Promise.resolve(bytes), { bytes }));
    await assert.rejects(
      queue.run('a', () => Promise.resolve(), { bytes: 1 }),
      isRefusal(429, 'work_queue_full'),
    );
    again.end();
    await second;
    assert.deepEqual(await Promise.all(halves), [50, 50]);
  });

  it('rejects jobs beyond the limits across all tenants', async () => {
    for (const bound of [{ maxJobs: 2 }, { maxBytes: 100 }]) {
      const queue = new FairQueue({ clock, slots: 1, ...bound });
      const blocker = openJob();
      const running = queue.run('a', blocker.job);
      const queued = ['a', 'b'].map((tenant) =>
        queue.run(tenant, () => Promise.resolve(tenant), { bytes: 50 }),
      );
      const refusal = queue.run('c', () => Promise.resolve(), { bytes: 1 });
      await assert.rejects(refusal, isRefusal(503, '"error":"work_overloaded"'));
      await assert.rejects(refusal, { headers: { 'Retry-After': '5' } });
      const accepted = queue.run('c', () => Promise.resolve('accepted'), { accepted: true });
      blocker.end();
      await running;
      assert.deepEqual(await Promise.all([...queued, accepted]), ['a', 'b', 'accepted']);
      assert.equal(await queue.run('c', () => Promise.resolve('c'), { bytes: 1_000 }), 'c');
    }
  });

  it('starts each main-thread job in its own turn of the event loop', async () => {
    const queue = new FairQueue({ clock, slots: 1, onMainThread: true });
    let turn = 0;
    let over = false;
    const count = (): void => {
      turn += 1;
      if (!over) setImmediate(count);
    };
    count();
    const turns = await Promise.all([1, 2, 3].map(() => queue.run('a', () => Promise.resolve(turn))));
    over = true;
    assert.equal(new Set(turns).size, 3);
  });

  it('rests after each main-thread job for as long as the job ran', async () => {
    const queue = new FairQueue({ clock, slots: 1, onMainThread: true });
    const spans = await Promise.all(
      ['a', 'b', 'a'].map((tenant) =>
        queue.run(tenant, () => {
          const since = performance.now();
          while (performance.now() - since < 20);
          return Promise.resolve({ since, until: performance.now() });
        }),
      ),
    );
    const ordered = spans.toSorted((one, other) => one.since - other.since);
    for (const [index, { since }] of ordered.slice(1).entries()) {
      // Timers may be early by a millisecond.
      assert.ok(since - (ordered[index]?.until ?? Infinity) >= 19);
    }
  });

  it('excludes waiting time of a main-thread job from the rest', async () => {
    const queue = new FairQueue({ clock, slots: 1, onMainThread: true });
    const waited = queue.run('a', async () => {
      await pause(500);
      return performance.now();
    });
    const next = queue.run('a', () => Promise.resolve(performance.now()));
    const rested = (await next) - (await waited);
    assert.ok(rested < 400, `rested for ${rested} ms`);
  });

  it('accepts jobs of accepted calls beyond the limit', async () => {
    const queue = new FairQueue({ clock, slots: 2, maxJobsPerTenant: 1 });
    const blocker = openJob();
    const running = queue.run('a', blocker.job);
    const queued = queue.run('a', () => Promise.resolve('queued'));
    const accepted = queue.run('a', () => Promise.resolve('accepted'), { accepted: true });
    blocker.end();
    await running;
    assert.deepEqual(await Promise.all([queued, accepted]), ['queued', 'accepted']);
  });

  it('never starts a queued job whose caller has aborted, and frees its place', async () => {
    const queue = new FairQueue({ clock, slots: 2, maxJobsPerTenant: 1 });
    const [blocker, gone] = [openJob(), new AbortController()];
    const running = queue.run('a', blocker.job);
    let started = false;
    const left = queue.run('a', () => Promise.resolve((started = true)), { signal: gone.signal, bytes: 7 });
    gone.abort();
    await assert.rejects(left, isRefusal(503, 'the caller left'));
    const next = queue.run('a', () => Promise.resolve('next'));
    blocker.end();
    await running;
    assert.equal(await next, 'next');
    assert.equal(started, false);
    const late = queue.run('a', () => Promise.resolve(), { signal: gone.signal });
    await assert.rejects(late, isRefusal(503, 'the caller left'));
  });

  it('aborts a running job when the caller aborts, and keeps its slot until it stops', async () => {
    const queue = new FairQueue({ clock, slots: 1 });
    const [gone, stopped] = [new AbortController(), openJob()];
    let aborted = false;
    const job = (signal: AbortSignal): Promise<void> => {
      signal.addEventListener('abort', () => (aborted = true));
      return stopped.job();
    };
    const left = queue.run('a', job, { signal: gone.signal });
    let nextStarted = false;
    const next = queue.run('b', () => Promise.resolve((nextStarted = true)));
    gone.abort();
    await assert.rejects(left, isRefusal(503, 'the caller left'));
    assert.equal(aborted, true);
    assert.equal(nextStarted, false);
    stopped.end();
    await next;
  });

  it('abandons queued and running jobs at their deadline', async () => {
    const queue = new FairQueue({ clock, slots: 1 });
    const blocker = openJob();
    const running = queue.run('a', blocker.job, { deadlineMs: clock.now() + 20 });
    const queued = queue.run('a', () => Promise.resolve(), { deadlineMs: clock.now() + 20 });
    const text = 'the request was not processed before its deadline';
    await Promise.all([running, queued].map((job) => assert.rejects(job, isRefusal(503, text))));
    blocker.end();
    const late = queue.run('a', () => Promise.resolve(), { deadlineMs: clock.now() });
    await assert.rejects(late, isRefusal(503, text));
  });

  it('aborts all jobs on close, and rejects later ones', async () => {
    const queue = new FairQueue({ clock, slots: 1 });
    const blocker = openJob();
    const jobs = [queue.run('a', blocker.job), queue.run('a', () => Promise.resolve())];
    const refusals = jobs.map((job) => assert.rejects(job, /the work queue is closed/));
    queue.close();
    await Promise.all(refusals);
    blocker.end();
    await assert.rejects(
      queue.run('a', () => Promise.resolve()),
      /the work queue is closed/,
    );
  });
});
