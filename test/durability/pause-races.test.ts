import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { type Clock, systemClock } from '../../service/clock.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import type { Database } from '../../service/store/database.ts';
import { findExecution } from '../../service/store/executions.ts';
import { findPause } from '../../service/store/pauses.ts';
import { eachDatabase } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { eventually } from '../support/eventually.ts';
import { itSlow } from '../support/fast-run.ts';
import { step } from '../support/step-package.ts';
import { createIds } from '../../service/ids.ts';

const ids = createIds(systemClock);

/** A branch asks a human, and the result of the other one ends the run. */
const race = {
  name: 'Race',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('ask'), step('r'), step('z')],
  edges: [
    { from: 'a', to: 'ask' },
    { from: 'a', to: 'r' },
    { from: 'ask', to: 'z' },
    { from: 'r', to: 'z' },
  ],
};

const expiryMs = 3_600_000;

/** The response to a decision or a cancellation. */
type Resumed = { status: string; won: boolean } | undefined;

/** The observable state of a run. */
interface Model {
  decisions: number;
  cancels: number;
  completed: boolean;
  expired: boolean;
}

interface RealRun {
  executionId: string;
  pauseId: string;
  /** Actions under way. */
  pending: Promise<unknown>[];
  resumes: Resumed[];
  /** Whether each cancellation ended the run. */
  cancels: boolean[];
  replicas: Engine[];
  decide: (replica: Engine, text: string) => Promise<Resumed>;
  cancel: (replica: Engine) => Promise<boolean>;
  complete(): void;
  expire(): void;
  /** Ends a replica in the middle of its work, and starts another. */
  replace(index: number): Promise<void>;
}

type Command = fc.AsyncCommand<Model, RealRun>;

const command = (name: string, run: (model: Model, real: RealRun) => Promise<void> | void): Command => ({
  check: () => true,
  run: async (model, real) => run(model, real),
  toString: () => name,
});

const replicaIndex = fc.nat(1);

/** Actions start without waiting for those before them, except for `settle`. */
const commands = fc.commands(
  [
    replicaIndex.map((index) =>
      command(`decide on ${index}`, (model, { replicas, pending, resumes, decide }) => {
        const text = `d${model.decisions}`;
        model.decisions += 1;
        pending.push(decide(replicas[index]!, text).then((outcome) => resumes.push(outcome)));
      }),
    ),
    replicaIndex.map((index) =>
      command(`cancel on ${index}`, (model, { replicas, pending, cancels, cancel }) => {
        model.cancels += 1;
        pending.push(cancel(replicas[index]!).then((ended) => cancels.push(ended)));
      }),
    ),
    fc.constant(
      command('complete the other branch', (model, real) => {
        model.completed = true;
        real.complete();
      }),
    ),
    fc.constant(
      command('let the pause expire', (model, real) => {
        model.expired = true;
        real.expire();
      }),
    ),
    replicaIndex.map((index) => command(`replace ${index}`, (_model, real) => real.replace(index))),
    fc.nat(20).map((ms) => command(`wait ${ms} ms`, () => wait(ms))),
    fc.constant(
      command('settle', async (_model, real) => {
        await Promise.all(real.pending.splice(0));
      }),
    ),
  ],
  { maxCommands: 8 },
);

describe('decisions, expiry, cancellation, completion and lost replicas', function () {
  this.timeout(300_000);

  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('on two replicas', () => {
      let lab: EngineLab;
      let graph: CompiledGraph;
      let ahead = 0;
      const clock: Clock = { now: () => systemClock.now() + ahead };
      const replicas: Engine[] = [];
      let finish = new Map<string, () => void>();
      before(async () => {
        lab = await engineLab(db, clock);
        graph = await lab.compile(race);
        const startEngine = () => lab.engine({ pollMs: 20, parkAfterMs: 0 });
        replicas.push(await startEngine(), await startEngine());
        lab.behaviours.set('ask', (input, answer, { context }) => {
          if (context && context.resumedPauseId !== '') return { text: `${input.text ?? ''}!` };
          answer.say({ case: 'pause', value: { timeoutSeconds: expiryMs / 1_000 } as never });
          answer.end();
          return undefined;
        });
        lab.behaviours.set('r', async (_input, answer, { context }) => {
          // A lost replica repeats the call.
          const id = context?.executionId ?? '';
          const before = finish.get(id);
          await Promise.race([
            new Promise<void>((done) => {
              finish.set(id, () => {
                before?.();
                done();
              });
            }),
            new Promise<void>((gone) => answer.onCancelled(gone)),
          ]);
          return { text: 'r' };
        });
      });
      after(() => lab.close());

      async function startRun(key: string): Promise<RealRun> {
        const [engine] = replicas;
        assert.ok(engine);
        const { executionId } = await engine.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({ text: '>' }),
          idempotency: { kind: 'key', hash: key },
        });
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'paused');
        await eventually(() => Promise.resolve(finish.has(executionId) ? true : undefined));
        const run = { tenantId: lab.tenant.id, executionId };
        const { pauseId } = end;
        return {
          executionId,
          pauseId,
          pending: [],
          resumes: [],
          cancels: [],
          replicas,
          decide: async (replica, text) => {
            const decision = { input: lab.encode({ text }) };
            const outcome = await replica.resume(run, {
              pauseId,
              decisionId: ids.ulid(),
              resumedBy: text,
              decision,
            });
            return outcome && { status: outcome.pause.status, won: outcome.won };
          },
          cancel: (replica) =>
            replica.cancel(lab.tenant.id, executionId).then(
              () => true,
              // Refused because the run is over, or lost with its replica.
              () => false,
            ),
          complete: () => finish.get(executionId)?.(),
          expire: () => (ahead += expiryMs + 1_000),
          replace: async (index) => {
            await replicas[index]?.close(0);
            replicas[index] = await lab.engine({ pollMs: 20, parkAfterMs: 0 });
          },
        };
      }

      itSlow('give one outcome and one terminal event in every order', async () => {
        let runs = 0;
        const setup = async () => {
          finish = new Map();
          runs += 1;
          const model = { decisions: 0, cancels: 0, completed: false, expired: false };
          return { model, real: await startRun(`race ${runs}`) };
        };
        await fc.assert(
          fc.asyncProperty(commands, async (all) => {
            const { model, real } = await setup();
            await fc.asyncModelRun(() => ({ model, real }), all);
            await Promise.all(real.pending.splice(0));
            const { executionId, pauseId, resumes, cancels } = real;
            // Decides what is still open, and completes the other branch.
            await real.decide(replicas[0]!, 'last');
            real.complete();
            const ended = await eventually(async () => {
              const now = await replicas[1]!.wait(lab.tenant.id, executionId, { timeoutMs: 100 });
              if (now.kind === 'running' || now.kind === 'paused') real.complete();
              return now.kind === 'running' || now.kind === 'paused' ? undefined : now;
            });
            const entries = await lab.journal(executionId);
            const of = (type: string) => entries.filter((entry) => entry.type === type);
            const outcomes = ['HITL_RESUMED', 'HITL_TIMEOUT', 'pause_cancelled'].filter(
              (type) => of(type).length > 0,
            );
            assert.equal(of('FLOW_COMPLETED').length + of('FLOW_FAILED').length, 1);
            assert.equal(entries.at(-1)?.type.startsWith('FLOW_'), true);
            assert.equal(of('HITL_PAUSED').length, 1);
            assert.equal(outcomes.length, 1, outcomes.join());
            assert.equal(of(outcomes[0]!).length, 1);
            const pause = await findPause(db, lab.tenant.id, pauseId);
            const status = { HITL_RESUMED: 'RESUMED', HITL_TIMEOUT: 'EXPIRED', pause_cancelled: 'CANCELLED' };
            assert.equal(pause?.status, status[outcomes[0] as keyof typeof status]);
            // Responses match the outcome: at most one caller won, and only if the run was resumed.
            const winners = resumes.filter((each) => each?.won).length;
            assert.ok(winners <= 1, `${winners} decisions won`);
            if (pause.status !== 'RESUMED') assert.equal(winners, 0);
            else assert.ok(winners === 1 || pause.resumedBy === 'last' || resumes.includes(undefined));
            for (const each of resumes) {
              const isLate = each?.status === 'WAITING' && model.expired;
              assert.ok(each === undefined || isLate || each.status === pause.status);
            }
            const record = await findExecution(db, lab.tenant.id, executionId);
            assert.equal(record?.status, ended.kind === 'completed' ? 'COMPLETED' : 'CANCELLED');
            assert.ok(cancels.filter(Boolean).length === 0 || record.status === 'CANCELLED');
            if (!model.expired) assert.notEqual(pause.status, 'EXPIRED');
            if (model.cancels === 0 && !model.expired) assert.equal(record.status, 'COMPLETED');
          }),
          { numRuns: 60 },
        );
      });
    });
  });
});
