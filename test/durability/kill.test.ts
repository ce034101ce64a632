import assert from 'node:assert/strict';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import type { JournalEntry } from '../../service/engine/journal/entry.ts';
import type { ProbePoint } from '../../service/engine/run/engine-probe.ts';
import type { Database } from '../../service/store/database.ts';
import { eachDatabase, optionsOfDatabase } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { step } from '../support/step-package.ts';
import { startReplica } from './replica.ts';
import { suiteNeeds } from '../support/toolchains.ts';

/** Processes killed at the same time; more would only wait for the processor. */
const atOnce = 3;

suiteNeeds('processes', 'a run whose process is killed', function () {
  this.timeout(300_000);

  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('taken over by another replica', () => {
      let lab: EngineLab;
      let engine: Engine;
      let graph: CompiledGraph;
      before(async () => {
        lab = await engineLab(db);
        engine = await lab.engine();
        graph = await lab.compile(everything);
        scriptContainer(lab);
      });
      after(() => lab.close());

      // Of every kind the first, one amid the branches, the retry, the mutation and the last; each costs a process.
      for (const [point, cases] of [
        ['before_commit', [1, 2, 4, 6, 8]],
        ['after_commit', [1, 3, 5, 7]],
        ['before_dispatch', [1, 3, 4, 6]],
        ['after_dispatch', [1, 2, 5, 7]],
      ] as [ProbePoint, number[]][]) {
        it(`ends like an undisturbed run when the process dies ${point.replace('_', ' ')}`, async () => {
          const killed: number[] = [];
          await eachOf(cases, atOnce, async (nth) => {
            if (await runKilled(point, nth)) killed.push(nth);
          });
          // The first points are always reached; their number depends on what is committed together.
          assert.ok(killed.length >= 3, `only ${killed.join(', ')} died`);
        });
      }

      it('consumes exactly the quota of what it started', async () => {
        const executions = await lab.executions();
        const usage = await lab.usage();
        const mutations = executions.reduce((sum, each) => sum + each.mutationSeq, 0);
        assert.equal(usage.executions, executions.length + mutations);
        assert.equal(
          usage.invocations,
          executions.filter((each) => each.lineageRootExecutionId === null).length,
        );
        assert.deepEqual([...new Set(executions.map(({ status }) => status))], ['COMPLETED']);
      });

      it('ends even if the mocked steps before its branches were not committed', async () => {
        const fixtures = await lab.compile(branchingFixtures);
        for (const [point, nth] of [
          ['after_commit', 1],
          ['before_commit', 2],
        ] as const) {
          const { key, executionId, ended } = await invokeKilled(fixtures, point, nth);
          assert.equal(ended, false, key);
          const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
          assert.equal(end.kind, 'completed', `${key}: ${JSON.stringify(end)}`);
          assert.equal(lab.decode(end.output).text, 'fixedpfixedqm', key);
          const started = (await lab.journal(executionId)).flatMap((entry) =>
            entry.type === 'NODE_STARTED' ? entry.node : [],
          );
          assert.deepEqual(started.sort(), ['a', 'm', 'p', 'q'], key);
        }
      });

      /** @returns whether the process died on the way */
      async function runKilled(point: ProbePoint, nth: number): Promise<boolean> {
        const { key, executionId, ended } = await invokeKilled(graph, point, nth);
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'completed', `${key}: ${JSON.stringify(end)}`);
        assert.equal(lab.decode(end.output).text, '>abdxe', key);
        assertWhole(await lab.journal(executionId), key);
        return !ended;
      }

      /** Invokes a flow in a process that dies at a point, and repeats the request in this one. */
      async function invokeKilled(
        { graphId }: CompiledGraph,
        point: ProbePoint,
        nth: number,
      ): Promise<{ key: string; executionId: string; ended: boolean }> {
        const key = `${graphId} ${point} ${nth}`;
        const replica = await startReplica({
          database: optionsOfDatabase(db),
          blobsDir: lab.blobsDir,
          killAt: { point, nth },
        });
        const input = lab.encode({ text: '>' });
        replica.invoke({
          tenantId: lab.tenant.id,
          graphId,
          input: Buffer.from(input).toString('base64'),
          key,
        });
        const ended = await replica.heard('stopped').then(
          () => true,
          () => false,
        );
        replica.kill();
        await replica.diedIn(db);
        // A caller without an answer repeats the request; a caller with one gets the same run.
        const { executionId } = await engine.invoke(lab.tenant, {
          graphId,
          input: { form: 'bytes', bytes: input },
          idempotency: { kind: 'key', hash: key },
        });
        return { key, executionId, ended };
      }
    });
  });
});

/** Two branches that join, one of them after a retry, followed by what the joining node adds. */
const everything = {
  name: 'Everything',
  entry: 'a',
  terminal: 'e',
  mutation_enabled: true,
  nodes: [
    step('a'),
    step('b'),
    step('c', { retry: { max_attempts: 3, initial_ms: 30, factor: 1, max_ms: 100 } }),
    step('d', { join: { policy: 'all' } }),
    step('e'),
  ],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { id: 'x', from: 'b', to: 'd' },
    { id: 'y', from: 'c', to: 'd' },
    { from: 'd', to: 'e', condition: 'text == "never"' },
  ],
  compose: { d: { text: 'x:text', words: 'y:words' } },
};

/** A mocked step followed by two branches, which have not started when the run is accepted. */
const branchingFixtures = {
  name: 'Branching fixtures',
  entry: 'a',
  terminal: 'm',
  nodes: [
    step('a', { mock: { output: { text: 'fixed' } } }),
    step('p'),
    step('q'),
    step('m', { join: { policy: 'all' } }),
  ],
  edges: [
    { from: 'a', to: 'p' },
    { from: 'a', to: 'q' },
    { id: 'x', from: 'p', to: 'm' },
    { id: 'y', from: 'q', to: 'm' },
  ],
  compose: { m: { text: 'cel("x.text + y.text")' } },
};

function scriptContainer(lab: EngineLab): void {
  lab.behaviours.set('c', (_input, answer, request) => {
    if (request.context && request.context.attempt > 1) return { words: ['c'] };
    answer.say({ case: 'error', value: { message: 'busy', retryable: true } as never });
    answer.end();
    return undefined;
  });
  lab.behaviours.set('d', ({ text = '' }, answer) => {
    const fragment = {
      nodes: [step('x', { package: `${lab.tenant.handle}/steps` })],
      edges: [
        { from: 'd', to: 'x' },
        { from: 'x', to: 'e' },
      ],
    };
    answer.say({ case: 'mutation', value: { fragmentJson: JSON.stringify(fragment) } as never });
    return { text: `${text}d` };
  });
}

/** Asserts that each step started and committed once, with one terminal event. */
function assertWhole(entries: readonly JournalEntry[], key: string): void {
  const steps = (type: JournalEntry['type']): string[] =>
    entries
      .filter((entry) => entry.type === type)
      .map((entry) => ('node' in entry ? entry.node : ''))
      .sort();
  assert.deepEqual(steps('NODE_STARTED'), ['a', 'b', 'c', 'd', 'e', 'x'], key);
  assert.deepEqual(steps('NODE_COMPLETED'), ['a', 'b', 'c', 'd', 'e', 'x'], key);
  assert.deepEqual(steps('EDGE_EVALUATED'), ['a', 'a', 'b', 'c', 'd', 'd', 'x'], key);
  assert.deepEqual(steps('GRAPH_MUTATED'), ['d'], key);
  assert.equal(entries.filter(({ type }) => type.startsWith('FLOW_')).length, 1, key);
  assert.equal(entries.at(-1)?.type, 'FLOW_COMPLETED', key);
}

async function eachOf<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: most }, lane));
}
