import assert from 'node:assert/strict';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import type { JournalEntry } from '../../service/engine/journal/entry.ts';
import type { ProbePoint } from '../../service/engine/run/engine-probe.ts';
import type { Database } from '../../service/store/database.ts';
import { findPause } from '../../service/store/pauses.ts';
import { eachDatabase, optionsOfDatabase } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { step } from '../support/step-package.ts';
import { startReplica } from './replica.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';

const ids = createIds(systemClock);

/** Every commit and every call of the run. */
const points: [ProbePoint, number[]][] = [
  ['before_commit', [1, 2, 3]],
  ['after_commit', [1, 2, 3]],
  ['before_dispatch', [1, 2]],
  ['after_dispatch', [1, 2]],
];

const approval = {
  name: 'Approval',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('ask'), step('z')],
  edges: [
    { from: 'a', to: 'ask' },
    { from: 'ask', to: 'z' },
  ],
};

suiteNeeds('processes', 'a run that pauses, and whose process is killed', function () {
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
        graph = await lab.compile(approval);
        lab.behaviours.set('ask', (input, answer, { context }) => {
          if (context && context.resumedPauseId !== '') return { text: `${input.text ?? ''}!` };
          answer.say({ case: 'pause', value: { interruptPayloadJson: '"go?"' } as never });
          answer.end();
          return undefined;
        });
      });
      after(() => lab.close());

      const replicaDying = (point: ProbePoint, nth: number) =>
        startReplica({ database: optionsOfDatabase(db), blobsDir: lab.blobsDir, killAt: { point, nth } });
      const invoke = (key: string) =>
        engine.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({ text: '>' }),
          idempotency: { kind: 'key', hash: key },
        });
      const pausedAs = async (executionId: string): Promise<string> => {
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'paused', JSON.stringify(end));
        return end.pauseId;
      };
      const decide = (executionId: string, pauseId: string, text: string) =>
        engine.resume(
          { tenantId: lab.tenant.id, executionId },
          { pauseId, decisionId: ids.ulid(), resumedBy: 'engine', decision: { input: lab.encode({ text }) } },
        );

      for (const [point, cases] of points) {
        it(`pauses once when the process dies ${point.replace('_', ' ')} on its way to the pause`, async () => {
          await eachAtOnce(cases, async (nth) => {
            const key = `pause ${point} ${nth}`;
            const replica = await replicaDying(point, nth);
            const input = Buffer.from(lab.encode({ text: '>' })).toString('base64');
            replica.invoke({ tenantId: lab.tenant.id, graphId: graph.graphId, input, key });
            await replica.diedIn(db);
            const { executionId } = await invoke(key);
            const pauseId = await pausedAs(executionId);
            assert.equal((await decide(executionId, pauseId, 'go'))?.won, true, key);
            await assertWhole(executionId, 'go!z', key);
          });
        });

        it(`continues once with the decision when the process dies ${point.replace('_', ' ')} after the decision`, async () => {
          await eachAtOnce(cases, async (nth) => {
            const key = `resume ${point} ${nth}`;
            const { executionId } = await invoke(key);
            const pauseId = await pausedAs(executionId);
            const replica = await replicaDying(point, nth);
            const decision = Buffer.from(lab.encode({ text: 'theirs' })).toString('base64');
            replica.resume({ tenantId: lab.tenant.id, executionId, pauseId, decision });
            let answered: boolean | undefined;
            void replica.heard('resumed').then(
              ({ won }) => (answered = won),
              () => undefined,
            );
            await replica.diedIn(db);
            // The caller repeats the request, whether or not it received a response.
            const again = await decide(executionId, pauseId, 'ours');
            const isLost = point === 'before_commit' && nth === 1;
            assert.equal(again?.won, isLost, key);
            assert.equal(again.pause.resumedBy, isLost ? 'engine' : 'replica', key);
            assert.ok(!isLost || answered === undefined, key);
            await assertWhole(executionId, isLost ? 'ours!z' : 'theirs!z', key);
          });
        });
      }

      /** Asserts one pause, one decision, one terminal event, and one execution of each step. */
      async function assertWhole(executionId: string, output: string, key: string): Promise<void> {
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'completed', `${key}: ${JSON.stringify(end)}`);
        assert.equal(lab.decode(end.output).text, output, key);
        const entries = await lab.journal(executionId);
        const nodesOf = (type: JournalEntry['type']): string[] =>
          entries.flatMap((entry) => (entry.type === type && 'node' in entry ? entry.node : []));
        assert.deepEqual(nodesOf('NODE_STARTED'), ['a', 'ask', 'ask', 'z'], key);
        assert.deepEqual(nodesOf('NODE_COMPLETED'), ['a', 'ask', 'z'], key);
        assert.deepEqual([...nodesOf('HITL_PAUSED'), ...nodesOf('HITL_RESUMED')], ['ask', 'ask'], key);
        assert.equal(entries.filter(({ type }) => type.startsWith('FLOW_')).length, 1, key);
        const stored = (await db.knex('pauses').where({ execution_id: executionId }).pluck('id')) as string[];
        assert.equal(stored.length, 1, key);
        assert.equal((await findPause(db, lab.tenant.id, stored[0] ?? ''))?.status, 'RESUMED', key);
      }
    });
  });
});

/** Each case has a process; more at a time would only wait for the processor. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(work));
}
