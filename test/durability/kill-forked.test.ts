import assert from 'node:assert/strict';
import { systemClock } from '../../service/clock.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import type { ProbePoint } from '../../service/engine/run/engine-probe.ts';
import { createIds } from '../../service/ids.ts';
import type { Database } from '../../service/store/database.ts';
import { findExecution } from '../../service/store/executions.ts';
import { eachDatabase, optionsOfDatabase } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { step } from '../support/step-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { startReplica } from './replica.ts';

const ids = createIds(systemClock);

/** Every commit of a fork and of its run, and the calls of that run. The copied history is a separate commit. */
const points: [ProbePoint, number[]][] = [
  ['before_copy', [1]],
  ['after_copy', [1]],
  ['before_commit', [1, 2, 3]],
  ['after_commit', [1, 2, 3]],
  ['before_dispatch', [1]],
  ['after_dispatch', [1]],
];

/** The points at which the admission of the fork is not committed. */
const isBefore = (point: ProbePoint, nth: number): boolean =>
  point.endsWith('_copy') || (point === 'before_commit' && nth === 1);

const flow = {
  name: 'Forked',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('ask'), step('z')],
  edges: [
    { from: 'a', to: 'ask' },
    { from: 'ask', to: 'z' },
  ],
};

suiteNeeds('processes', 'a fork whose process is killed', function () {
  this.timeout(300_000);

  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('continued by another replica', () => {
      let lab: EngineLab;
      let engine: Engine;
      let graph: CompiledGraph;
      before(async () => {
        lab = await engineLab(db);
        engine = await lab.engine();
        graph = await lab.compile(flow);
        lab.behaviours.set('ask', ({ text = '' }, answer) => {
          // The parent waits for a decision, its fork gets an answer.
          if (waiting.has(text)) return { text: `${text}!` };
          waiting.add(text);
          answer.say({ case: 'pause', value: { interruptPayloadJson: '"go?"' } as never });
          answer.end();
          return undefined;
        });
      });
      after(() => lab.close());

      const waiting = new Set<string>();
      const input = (text: string) => ({ input: lab.input({ text }) });

      for (const [point, cases] of points) {
        it(`remains one fork when the process dies ${point.replace('_', ' ')}`, async () => {
          await Promise.all(cases.map((nth) => killed(point, nth)));
        });
      }

      async function killed(point: ProbePoint, nth: number): Promise<void> {
        const key = `${point} ${nth}`;
        const { executionId } = await engine.invoke(lab.tenant, {
          graphId: graph.graphId,
          ...input(`${key} `),
          idempotency: { kind: 'key', hash: key },
        });
        const parent = { tenantId: lab.tenant.id, executionId };
        const paused = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(paused.kind, 'paused', key);

        const hash = `fork ${key}`;
        const replica = await startReplica({
          database: optionsOfDatabase(db),
          blobsDir: lab.blobsDir,
          killAt: { point, nth },
        });
        // Forks the checkpoint before the question, so that the node is called again.
        replica.fork({ ...parent, key: hash, checkpointId: `${executionId}-1` });
        await replica.diedIn(db);

        const lost = isBefore(point, nth);
        const record = await findExecution(db, lab.tenant.id, executionId);
        assert.equal(record?.status, lost ? 'RUNNING' : 'FORKED', key);
        const forks = async () =>
          (await lab.executions()).filter((each) => each.forkedFromExecutionId === executionId);
        assert.equal((await forks()).length, lost ? 0 : 1, key);
        const { executionId: child } = await engine.fork(lab.tenant, {
          executionId,
          checkpointId: `${executionId}-1`,
          idempotency: { kind: 'key', hash },
        });
        assert.deepEqual(
          (await forks()).map(({ id }) => id),
          [child],
          key,
        );
        const end = await engine.wait(lab.tenant.id, child, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'completed', `${key}: ${JSON.stringify(end)}`);
        assert.equal(lab.decode(end.output).text, `${key} a!z`);
        const started = (await lab.journal(child)).flatMap((entry) =>
          entry.type === 'NODE_STARTED' ? entry.node : [],
        );
        assert.deepEqual(started, ['a', 'ask', 'z'], key);
        const ends = (await lab.journal(executionId)).filter(({ type }) => type === 'FORKED');
        assert.equal(ends.length, 1, key);
        const decision = { input: lab.encode({ text: 'late' }) };
        const made = { pauseId: paused.pauseId, decisionId: ids.ulid(), resumedBy: '', decision };
        assert.equal((await engine.resume(parent, made))?.pause.status, 'CANCELLED', key);
      }
    });
  });
});
