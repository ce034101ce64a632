import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '../../../../service/clock.ts';
import type { Engine } from '../../../../service/engine/engine.ts';
import { EventHub } from '../../../../service/engine/events/event-hub.ts';
import type { EngineProbe } from '../../../../service/engine/run/engine-probe.ts';
import type { ActiveRun } from '../../../../service/engine/run/active-run.ts';
import { RunRecovery } from '../../../../service/engine/run/run-recovery.ts';
import type { CompiledGraph } from '../../../../service/engine/graph/compiled-graph.ts';
import type { NodeCalls } from '../../../../service/nodes/call/node-calls.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import type { Database } from '../../../../service/store/database.ts';
import { findExecution } from '../../../../service/store/executions.ts';
import { beat } from '../../../../service/store/replicas.ts';
import { claimRun } from '../../../../service/store/run-claims.ts';
import { TransientMap } from '../../../../service/transient-map.ts';
import type { RunOperation } from '../../../../service/store/commit/run-operation.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { FairQueue } from '../../../../service/work/fair-queue.ts';
import { loopTurns } from '../../../../service/work/turn-budget.ts';
import { eachDatabase, migratedPostgresOptions } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { eventually } from '../../../support/eventually.ts';
import { step, twoSteps } from '../../../support/step-package.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';
import { until } from '../../../support/until.ts';

describe('a heartbeat while the end of a run is being committed', () => {
  eachDatabase((open) => {
    let db: Database;
    let lab: EngineLab;
    before(async () => {
      db = await open();
    });

    const endsRun = (operation: RunOperation): boolean =>
      operation.kind === 'append' && /"type":"FLOW_(COMPLETED|FAILED)"/.test(operation.body);
    /** An engine that learns that its end of a run is committed only after three heartbeats, which see that the run has no owner. */
    const lateEngine = (replicaId: string, events: EventHub, onCommit: () => void) => {
      const beat = async (): Promise<unknown> => {
        const [row] = await db
          .knex<{ id: string; heartbeat_at: number }>('replicas')
          .where({ id: replicaId });
        return row?.heartbeat_at;
      };
      const probe: EngineProbe = async (point, detail) => {
        const batch = Array.isArray(detail) ? (detail as readonly RunOperation[]) : [];
        if (point !== 'after_commit' || !batch.some(endsRun)) return;
        for (let beats = 0; beats < 3; beats += 1) {
          const before = await beat();
          while ((await beat()) === before) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        onCommit();
      };
      return lab.engine({ replicaId, events, beatMs: 20, probe });
    };

    describe('with its own container', () => {
      before(async () => {
        lab = await engineLab(db);
      });
      after(() => lab.close());

      it('leaves the run to the commit, which notifies the waiting callers', async () => {
        const happened: string[] = [];
        const events = new EventHub();
        const engine = await lateEngine('late', events, () => happened.push('committed'));
        const graph = await lab.compile(twoSteps());
        events.onStored(() => happened.push('announced'));
        const { executionId } = await engine.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          idempotency: { kind: 'key', hash: 'late' },
        });
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'completed');
        assert.deepEqual(happened.slice(-2), ['committed', 'announced']);
      });

      const stream = {
        name: 'Stream',
        mode: 'pipeline',
        entry: 'a',
        terminal: 'a',
        nodes: [step('a', { node_name: 'Flow', mock: { frames: [{ text: 'one' }] } })],
        edges: [],
      };

      it('precedes a stream if the last one is old, so that no other replica takes over the stream', async () => {
        const replica = { id: 'returned' };
        const engine = await lab.engine({ replicaId: replica.id, deadAfterMs: 60_000, beatMs: 60_000 });
        const graph = await lab.compile(stream);
        await db.knex('replicas').where(replica).update({ heartbeat_at: 0 });
        const later = performance.now() + 31_000;
        const time = mock.method(performance, 'now', () => later);
        try {
          const { frames } = await engine.stream(lab.tenant, {
            graphId: graph.graphId,
            input: lab.input({}),
            signal: new AbortController().signal,
            timeoutMs: 60_000,
          });
          const row = await db.knex<{ heartbeat_at: number | string }>('replicas').where(replica).first();
          assert.ok(Number(row?.heartbeat_at) > 0);
          await Array.fromAsync(frames);
        } finally {
          time.mock.restore();
        }
      });

      it('leaves a stream to the commit, whose last frame reports the end', async () => {
        const engine = await lateEngine('late stream', new EventHub(), () => undefined);
        const graph = await lab.compile(stream);
        const { frames } = await engine.stream(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          signal: new AbortController().signal,
          timeoutMs: 60_000,
        });
        const all: unknown[] = [];
        for await (const frame of frames) all.push(frame.kind === 'end' ? frame : frame.kind);
        assert.deepEqual(all, ['frame', { kind: 'end' }]);
      });
    });
  });
});

describe('runs that a replica owns', () => {
  eachDatabase((open) => {
    let db: Database;
    let lab: EngineLab;
    before(async () => {
      db = await open();
    });

    // The container is stopped before the database is closed.
    describe('of a tenant', () => {
      before(async () => {
        lab = await engineLab(db);
      });
      after(() => lab.close());

      /** Stores a run that the replica owns, as after a claim whose response was lost. */
      async function claimedBy(owner: string): Promise<string> {
        const full = await lab.engine({ replicaId: `for ${owner}`, maxActiveRuns: 0 });
        const graph = await lab.compile(twoSteps());
        const { executionId } = await full.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          idempotency: { kind: 'key', hash: owner },
        });
        await full.close();
        const claimed = await claimRun(db.knex, {
          tenantId: lab.tenant.id,
          executionId,
          replica: owner,
          from: '',
        });
        assert.ok(claimed);
        return executionId;
      }
      const isCompleted = async (executionId: string): Promise<boolean> =>
        (await findExecution(db, lab.tenant.id, executionId))?.status === 'COMPLETED';

      it('are not taken over by a replica that could not store its own heartbeat until now', async () => {
        const deadAfterMs = 600;
        const executionId = await claimedBy('silent');
        await beat(db.knex, 'silent');
        const taken: string[] = [];
        const recovery = new RunRecovery({
          db,
          replica: 'late',
          runs: new TransientMap<string, ActiveRun>(),
          maxActiveRuns: 10,
          deadAfterMs,
          takeUp: (run) => {
            taken.push(run.executionId);
            return Promise.resolve(undefined);
          },
          clock: systemClock,
          logger: pino({ level: 'silent' }),
        });
        // The time of this replica; for the database, the other one has been silent for long.
        let now = performance.now();
        const time = mock.method(performance, 'now', () => now);
        try {
          await db.knex('replicas').where({ id: 'silent' }).update({ heartbeat_at: 0 });
          recovery.hasBeaten();
          now += deadAfterMs + 50;
          await recovery.recover();
          assert.deepEqual(taken, []);
          recovery.hasBeaten();
          await recovery.recover();
          assert.deepEqual(taken, []);
          now += deadAfterMs / 3;
          recovery.hasBeaten();
          now += deadAfterMs / 3;
          const searching = recovery.recover();
          // The query of the heartbeats waits for the database.
          now += deadAfterMs + 50;
          await searching;
          assert.deepEqual(taken, []);
          recovery.hasBeaten();
          now += deadAfterMs / 3;
          recovery.hasBeaten();
          now += deadAfterMs / 3;
          await recovery.recover();
          assert.deepEqual(taken, [executionId]);
        } finally {
          time.mock.restore();
        }
      });

      it('are resumed if it has owned them for a while without working on them', async () => {
        const executionId = await claimedBy('forgetful');
        const deadAfterMs = 400;
        const startedAt = performance.now();
        await lab.engine({ replicaId: 'forgetful', deadAfterMs, beatMs: 20, pollMs: 20 });
        await eventually(async () => (await isCompleted(executionId)) || undefined);
        // Timers may fire a millisecond early.
        assert.ok(performance.now() - startedAt >= deadAfterMs - 1);
      });
    });
  });
});

suiteNeeds('postgres', 'a replica whose requests use every connection', function () {
  this.timeout(180_000);
  let db: Database;
  let lab: EngineLab;

  before(async () => {
    db = await openDatabase(await migratedPostgresOptions());
    lab = await engineLab(db);
  });
  after(async () => {
    await lab.close();
    await db.close();
  });

  it('continues to store heartbeats', async () => {
    await lab.engine({ replicaId: 'busy', beatMs: 20 });
    const { heartbeats } = db;
    assert.ok(heartbeats);
    const beatAt = async (): Promise<number> => {
      const [row] = await heartbeats<{ id: string; heartbeat_at: string }>('replicas').where({ id: 'busy' });
      return Number(row?.heartbeat_at);
    };
    const held = await Promise.all(Array.from({ length: 10 }, () => db.knex.transaction()));
    try {
      let isServed = false;
      const request = db.knex.raw('select 1').then(() => (isServed = true));
      const before = await beatAt();
      await eventually(async () => ((await beatAt()) > before + 100 ? true : undefined));
      assert.equal(isServed, false, 'no connection of the pool is free');
      await Promise.all(held.map((tx) => tx.rollback()));
      await request;
    } finally {
      for (const tx of held) if (!tx.isCompleted()) await tx.rollback();
    }
  });
});

describe('wide runs of a stopped replica', () => {
  eachDatabase((open) => {
    let db: Database;
    let lab: EngineLab;
    before(async () => {
      db = await open();
    });

    describe('with its own container', () => {
      before(async () => {
        lab = await engineLab(db);
      });
      after(() => lab.close());

      it('repeat no call if they are cancelled while they wait for a turn', async () => {
        const graph = await lab.compile(wideFlow(20));
        const calls = { first: 0, second: 0 };
        const invoke = (replica: keyof typeof calls) => (): Promise<never> => {
          calls[replica] += 1;
          return new Promise(() => undefined);
        };
        const first = await lab.engine({ replicaId: 'one', invoke: invoke('first') });
        const { executionId } = await first.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          idempotency: { kind: 'key', hash: 'cancelled' },
        });
        await until(() => calls.first === 20);
        const second = await lab.engine({ replicaId: 'two', invoke: invoke('second') });
        const waiting: (() => void)[] = [];
        const line = mock.method(loopTurns, 'queue', () => new Promise<void>((go) => waiting.push(go)));
        try {
          await first.close(0);
          await until(() => waiting.length > 0);
        } finally {
          line.mock.restore();
        }
        await second.cancel(lab.tenant.id, executionId);
        for (const go of waiting) go();
        // Longer than it would take to repeat them.
        await new Promise((resolve) => setTimeout(resolve, 200));
        assert.equal(calls.second, 0);
        assert.equal((await findExecution(db, lab.tenant.id, executionId))?.status, 'CANCELLED');
        await second.close(0);
      });

      it('are taken over again if the database fails while they wait for a turn', async () => {
        const graph = await lab.compile(wideFlow(20));
        const calls = { first: 0, second: 0 };
        const invoke = (replica: keyof typeof calls) => (): Promise<InvokeOutcome> => {
          calls[replica] += 1;
          if (replica === 'first' && calls.first === 1) return Promise.resolve(question);
          return new Promise(() => undefined);
        };
        const first = await lab.engine({ replicaId: 'asks', invoke: invoke('first') });
        const { executionId, end } = await lab.run(first, graph);
        assert.equal(end.kind, 'paused');
        await until(() => calls.first === 20);
        const second = await lab.engine({ replicaId: 'decides', invoke: invoke('second') });
        const line = mock.method(loopTurns, 'queue', () => Promise.reject(new Error('the database is away')));
        let decided: Awaited<ReturnType<typeof second.resume>>;
        try {
          decided = await second.resume(
            { tenantId: lab.tenant.id, executionId },
            {
              pauseId: end.pauseId,
              decisionId: 'one',
              resumedBy: '',
              decision: { input: lab.encode({ text: 'yes' }) },
            },
          );
        } finally {
          line.mock.restore();
        }
        assert.equal(decided?.won, true, 'the decision is committed');
        // Far sooner than the replica looks for runs that it does not work on.
        await eventually(() => Promise.resolve(calls.second === 20 || undefined));
        await second.cancel(lab.tenant.id, executionId);
        for (const engine of [first, second]) await engine.close(0);
      });

      it('are taken over in turns, regardless of the number of calls', async function () {
        this.timeout(60_000);
        const graph = await lab.compile(wideFlow(490));
        let calls = 0;
        const invoke = (): Promise<never> => {
          calls += 1;
          return new Promise(() => undefined);
        };
        const allAreOpen = (): Promise<true | undefined> =>
          Promise.resolve(calls === 50 * 490 ? true : undefined);
        const first = await lab.engine({ replicaId: 'first', invoke });
        const runs: string[] = [];
        for (let run = 0; run < 50; run += 1) {
          const idempotency = { kind: 'key', hash: randomUUID() } as const;
          const { executionId } = await first.invoke(lab.tenant, {
            graphId: graph.graphId,
            input: lab.input({}),
            idempotency,
          });
          runs.push(executionId);
        }
        await eventually(allAreOpen);
        await first.close(0);
        calls = 0;
        const watch = watchTurns();
        const second = await lab.engine({ replicaId: 'second', invoke });
        await eventually(allAreOpen);
        const longest = watch.stop();
        for (const run of runs) await second.cancel(lab.tenant.id, run);
        await second.close(0);
        // It took 150 to 470.
        assertTurn(longest, 100);
      });
    });
  });
});

describe('wide runs of a tenant whose replica has stopped', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    // The containers are stopped before the database is closed.
    describe('and runs of another tenant', () => {
      let lab: EngineLab;
      let neighbour: EngineLab;
      let runs = 0;
      before(async () => {
        lab = await engineLab(db);
        neighbour = await engineLab(db);
      });
      after(async () => {
        await lab.close();
        await neighbour.close();
      });
      // The next test has the database for itself.
      afterEach(() => db.knex('executions').delete());

      /** Invokes wide runs, then one run of the other tenant, and stops the replica once it has made all calls. */
      async function leave(wide: number, last: CompiledGraph, lastCalls: number): Promise<string> {
        const graph = await lab.compile(wideFlow(20));
        let calls = 0;
        const invoke = (): Promise<never> => {
          calls += 1;
          return new Promise(() => undefined);
        };
        const first = await lab.engine({ invoke });
        const start = ({ tenant }: EngineLab, { graphId }: CompiledGraph) =>
          first.invoke(tenant, {
            graphId,
            input: lab.input({}),
            idempotency: { kind: 'key', hash: `run ${(runs += 1)}` },
          });
        for (let run = 0; run < wide; run += 1) await start(lab, graph);
        const { executionId } = await start(neighbour, last);
        await eventually(() => Promise.resolve(calls === wide * 20 + lastCalls || undefined));
        await first.close(0);
        return executionId;
      }

      /** Runs a test that controls when wide runs get their turn. */
      async function holdingLine(test: (waiting: (() => void)[]) => Promise<void>): Promise<void> {
        const waiting: (() => void)[] = [];
        const queue = mock.method(loopTurns, 'queue', () => new Promise<void>((go) => waiting.push(go)));
        const isSpent = mock.method(loopTurns, 'isSpent', () => false);
        try {
          await test(waiting);
        } finally {
          queue.mock.restore();
          isSpent.mock.restore();
          for (const go of waiting) go();
        }
      }

      it('do not delay a small run while they wait for a turn', async function () {
        this.timeout(60_000);
        // More than a replica claims at once.
        const executionId = await leave(60, await neighbour.compile(twoSteps()), 1);
        const bytes = lab.encode({});
        let second: Promise<Engine> | undefined;
        await holdingLine(async () => {
          second = lab.engine({ invoke: () => Promise.resolve({ kind: 'output', bytes }) });
          await eventually(async () => {
            const run = await findExecution(db, neighbour.tenant.id, executionId);
            return run?.status === 'COMPLETED' || undefined;
          });
        });
        await (await second)?.close(0);
      });

      it('count as runs in memory while they wait', async () => {
        await leave(8, await neighbour.compile(twoSteps()), 1);
        let taken = 0;
        const recovery = new RunRecovery({
          db,
          replica: 'almost full',
          runs: new TransientMap<string, ActiveRun>(),
          maxActiveRuns: 5,
          deadAfterMs: 60_000,
          takeUp: (_run, onWait) => {
            taken += 1;
            onWait();
            return new Promise(() => undefined);
          },
          clock: systemClock,
          logger: pino({ level: 'silent' }),
        });
        await recovery.recover();
        await recovery.recover();
        assert.equal(taken, 5);
      });

      it('leave no room for further runs while they wait', async () => {
        await leave(3, await neighbour.compile(twoSteps()), 1);
        let second: Engine | undefined;
        await holdingLine(async () => {
          second = await lab.engine({ invoke: () => new Promise(() => undefined), maxActiveRuns: 4 });
          const graph = await lab.compile(twoSteps());
          const { executionId } = await second.invoke(lab.tenant, {
            graphId: graph.graphId,
            input: lab.input({}),
            idempotency: { kind: 'key', hash: 'no room' },
          });
          assert.equal((await findExecution(db, lab.tenant.id, executionId))?.status, 'QUEUED');
        });
        await second?.close(0);
      });

      it('are left to other replicas when the replica closes', async () => {
        await leave(3, await neighbour.compile(twoSteps()), 1);
        const calls = { second: 0, third: 0 };
        const invoke =
          (replica: keyof typeof calls): NodeCalls['invoke'] =>
          () => {
            calls[replica] += 1;
            return new Promise(() => undefined);
          };
        await holdingLine(async (waiting) => {
          const second = await lab.engine({ invoke: invoke('second') });
          await until(() => waiting.length === 1 && calls.second === 1);
          let closed = false;
          const closing = second.close(0).then(() => (closed = true));
          await new Promise((resolve) => setTimeout(resolve, 50));
          assert.equal(closed, false, 'the run whose turn it is might still continue');
          waiting[0]?.();
          await closing;
          // Only the first one needed its turn.
          assert.deepEqual([waiting.length, calls.second], [1, 1]);
        });
        const third = await lab.engine({ invoke: invoke('third') });
        await eventually(() => Promise.resolve(calls.third === 3 * 20 + 1 || undefined));
        await third.close(0);
      });

      it('do not delay a decision on another run', async () => {
        const graph = await lab.compile(wideFlow(20));
        let calls = 0;
        const first = await lab.engine({
          invoke: () => {
            calls += 1;
            return calls === 1 ? Promise.resolve(question) : new Promise(() => undefined);
          },
        });
        const { executionId, end } = await lab.run(first, graph);
        assert.equal(end.kind, 'paused');
        for (let run = 0; run < 5; run += 1) {
          await first.invoke(lab.tenant, {
            graphId: graph.graphId,
            input: lab.input({}),
            idempotency: { kind: 'key', hash: `before ${run}` },
          });
        }
        await eventually(() => Promise.resolve(calls === 6 * 20 || undefined));
        await first.close(0);
        let second: Engine | undefined;
        /** Runs in the order in which their calls are repeated. */
        const repeated = new Set<string>();
        const lines = mock.method(FairQueue.prototype, 'run');
        await holdingLine(async (waiting) => {
          second = await lab.engine({
            invoke: ({ origin }) => {
              repeated.add(origin.executionId);
              return new Promise(() => undefined);
            },
          });
          const decided: boolean[] = [];
          const made = {
            pauseId: end.pauseId,
            decisionId: 'first',
            resumedBy: '',
            decision: { input: lab.encode({ text: 'yes' }) },
          };
          const deciding = second
            .resume({ tenantId: lab.tenant.id, executionId }, made)
            .then((outcome) => decided.push(outcome?.won === true));
          const isInLine = (): boolean =>
            lines.mock.calls.some(({ arguments: [group] }) => group.startsWith('decisions of'));
          await until(isInLine);
          while (decided.length === 0) {
            await until(() => waiting.length > 0 || decided.length > 0);
            waiting.shift()?.();
          }
          await deciding;
          assert.deepEqual(decided, [true]);
        });
        lines.mock.restore();
        await second?.close(0);
        const place = [...repeated].indexOf(executionId);
        assert.ok(place >= 0 && place < 3, `${place} runs came before it`);
      });

      it('take turns with wide runs of the other tenant', async () => {
        await leave(5, await neighbour.compile(wideFlow(20)), 20);
        const called: string[] = [];
        const invoke: NodeCalls['invoke'] = ({ origin }) => {
          called.push(origin.tenantId);
          return new Promise(() => undefined);
        };
        let second: Engine | undefined;
        await holdingLine(async (waiting) => {
          // Once it has started, all of them are in the line.
          second = await lab.engine({ invoke });
          for (let turn = 1; turn <= 2; turn += 1) {
            await until(() => waiting.length > 0);
            waiting.shift()?.();
            await until(() => called.length === 20 * turn);
          }
        });
        assert.ok(called.slice(0, 40).includes(neighbour.tenant.id));
        await second?.close(0);
      });
    });
  });
});

/** A mocked node, followed by the given number of nodes. */
function wideFlow(width: number): Record<string, unknown> {
  const ids = Array.from({ length: width }, (_, n) => `n${n}`);
  return {
    name: 'Wide',
    entry: 'a',
    terminal: 'z',
    nodes: [step('a', { mock: { output: { text: 'a' } } }), ...ids.map((id) => step(id)), step('z')],
    edges: ids.flatMap((id) => [
      { from: 'a', to: id },
      { from: id, to: 'z' },
    ]),
  };
}

const question: InvokeOutcome = {
  kind: 'pause',
  interruptPayloadJson: '{}',
  resumeSchema: '',
  timeoutSeconds: 3_600,
  escalateAfterSeconds: 0,
  timeoutPolicy: '',
};
