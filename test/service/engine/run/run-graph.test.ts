import assert from 'node:assert/strict';
import type { Engine } from '../../../../service/engine/engine.ts';
import type { RunEnd } from '../../../../service/engine/wait/run-end.ts';
import type { Database } from '../../../../service/store/database.ts';
import type { Tenant } from '../../../../service/store/tenants.ts';
import { limits } from '../../../../specs/limits.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type Behaviour, type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { step, twoSteps } from '../../../support/step-package.ts';

describe('a node that mutates the graph of its run', function () {
  this.timeout(180_000);

  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });
    describe('with its own container', () => suite(() => db));
  });

  function suite(database: () => Database): void {
    let lab: EngineLab;
    let engine: Engine;
    before(async () => {
      lab = await engineLab(database());
      engine = await lab.engine();
    });
    after(() => lab.close());
    afterEach(() => lab.behaviours.clear());

    const own = (id: string, fields: Record<string, unknown> = {}): Record<string, unknown> =>
      step(id, { package: `${lab.tenant.handle}/steps`, ...fields });

    /** The usual output of a placement, preceded by mutations. */
    const growing =
      (...fragments: unknown[]): Behaviour =>
      (input, answer, request) => {
        for (const fragment of fragments) {
          const fragmentJson = typeof fragment === 'string' ? fragment : JSON.stringify(fragment);
          answer.say({ case: 'mutation', value: { fragmentJson } as never });
        }
        return { text: `${input.text ?? ''}${request.context?.placementId}` };
      };
    const compile = (changes: Record<string, unknown> = {}) =>
      lab.compile(twoSteps({ mutation_enabled: true, ...changes }));
    const textOf = (end: RunEnd): string | undefined =>
      end.kind === 'completed' ? lab.decode(end.output).text : undefined;
    const messageOf = (end: RunEnd): string | undefined => ('message' in end ? end.message : undefined);
    const closed = { edges: [{ from: 'a', to: 'b', condition: 'text == "never"' }] };

    it('continues the run along the added nodes, and records the mutations', async () => {
      const graph = await compile({ name: 'Grown', ...closed });
      lab.behaviours.set(
        'a',
        growing(
          { nodes: [own('x')], edges: [{ from: 'a', to: 'x' }] },
          { nodes: [own('y')], edges: [{ from: 'x', to: 'y', adapter: { text: 'text | upper' } }] },
          { edges: [{ id: 'last', from: 'y', to: 'b', condition: 'text.contains("X")' }] },
        ),
      );
      const before = await lab.usage();
      const { executionId, end } = await lab.run(engine, graph, { text: '>' });
      assert.equal(textOf(end), '>AXyb');
      const execution = (await lab.executions()).find(({ id }) => id === executionId);
      assert.deepEqual([execution?.mutationEnabled, execution?.mutationSeq], [true, 3]);
      const journal = await lab.journal(executionId);
      assert.deepEqual(
        journal.slice(0, 8).map(({ type }) => type),
        [
          'admitted',
          'NODE_STARTED',
          'NODE_COMPLETED',
          'GRAPH_MUTATED',
          'GRAPH_MUTATED',
          'GRAPH_MUTATED',
          'EDGE_EVALUATED',
          'EDGE_EVALUATED',
        ],
      );
      const mutations = journal.flatMap((entry) => (entry.type === 'GRAPH_MUTATED' ? entry : []));
      assert.deepEqual(
        mutations.map(({ node, mutation, nodes, edges }) => [node, mutation, nodes.length, edges[0]?.id]),
        [
          ['a', 1, 1, 'a_x'],
          ['a', 2, 1, 'x_y'],
          ['a', 3, 0, 'last'],
        ],
      );
      assert.equal(mutations[0]?.nodes[0]?.version, '1.0.0', 'what it placed is pinned');
      const used = await lab.usage();
      assert.deepEqual([used.invocations - before.invocations, used.executions - before.executions], [1, 4]);
    });

    it('does not change the flow itself', async () => {
      const graph = await compile({ name: 'Unchanged' });
      lab.behaviours.set(
        'a',
        growing({
          nodes: [own('x')],
          edges: [
            { from: 'b', to: 'x' },
            { from: 'x', to: 'b', condition: 'text == ">abx"' },
          ],
        }),
      );
      assert.equal(textOf((await lab.run(engine, graph, { text: '>' })).end), '>abxb');
      lab.behaviours.clear();
      assert.equal(textOf((await lab.run(engine, graph, { text: '>' })).end), '>ab');
    });

    it('adds branches to an existing join, from concurrent branches', async () => {
      const graph = await compile({
        name: 'At once',
        nodes: [step('a'), step('l'), step('r'), step('b', { join: { policy: 'all' } })],
        edges: [
          { from: 'a', to: 'l' },
          { from: 'a', to: 'r' },
          { id: 'lb', from: 'l', to: 'b' },
          { id: 'rb', from: 'r', to: 'b' },
        ],
        compose: { b: { text: 'lb:text', words: 'rb:words' } },
      });
      for (const id of ['l', 'r']) {
        lab.behaviours.set(id, growing({ nodes: [own(`${id}x`)], edges: [{ from: id, to: `${id}x` }] }));
      }
      const { executionId, end } = await lab.run(engine, graph, { text: '>' });
      assert.equal(textOf(end), '>alb');
      const mutations = (await lab.journal(executionId)).flatMap((entry) =>
        entry.type === 'GRAPH_MUTATED' ? entry.mutation : [],
      );
      assert.deepEqual(mutations, [1, 2]);
    });

    it('adds nothing in a failed attempt', async () => {
      const retry = { max_attempts: 3, initial_ms: 1, factor: 1 };
      const graph = await compile({ name: 'Again', nodes: [step('a', { retry }), step('b')], ...closed });
      const fragment = {
        nodes: [own('x')],
        edges: [
          { from: 'a', to: 'x' },
          { from: 'x', to: 'b' },
        ],
      };
      lab.behaviours.set('a', (input, answer, request) => {
        const output = growing(fragment)(input, answer, request);
        if (request.context?.attempt === 3) return output;
        answer.say({ case: 'error', value: { message: 'busy', retryable: true } as never });
        answer.end();
        return undefined;
      });
      const { executionId, end } = await lab.run(engine, graph);
      assert.equal(textOf(end), 'axb');
      const journal = await lab.journal(executionId);
      assert.equal(journal.filter(({ type }) => type === 'GRAPH_MUTATED').length, 1);
    });

    it('fails if the flow does not allow mutations', async () => {
      const graph = await lab.compile(twoSteps({ name: 'Fixed' }));
      lab.behaviours.set('a', growing({ nodes: [] }));
      const { executionId, end } = await lab.run(engine, graph);
      assert.equal(
        messageOf(end),
        'node "a" sent a mutation that does not compile: the flow was compiled without mutation_enabled: compile it with mutation_enabled: true',
      );
      assert.ok((await lab.journal(executionId)).some(({ type }) => type === 'NODE_FAILED'));
    });

    it('fails with every problem of an invalid fragment', async () => {
      const graph = await compile({ name: 'Misfits' });
      const cases: [unknown, RegExp][] = [
        ['{"nodes": [', /the mutation is not valid JSON: /],
        [[], /expected object/],
        [{ nodes: [{ id: 'x y' }] }, /nodes\.0\.id: must be 1 to 64 letters/],
        [{ nodes: [own('a')] }, /node id "a" is used more than once/],
        [{ edges: [{ id: 'a_b', from: 'b', to: 'a' }] }, /edge id "a_b" is used more than once/],
        [{ edges: [{ from: 'a', to: 'nowhere' }] }, /target "nowhere" is not a node of the flow/],
        [{ nodes: [own('x', { node_name: 'Nope' })] }, /has no node "Nope"/],
        [{ nodes: [own('x', { node_name: 'Flow' })] }, /only a flow of mode "pipeline" can contain it/],
        [{ nodes: [own('x', { node_name: 'Sealed' })] }, /needs the secret "API_TOKEN"/],
        [{ nodes: [own('x', { mock: { output: {} } })] }, /a mutation cannot add a mocked node/],
        [
          {
            nodes: [own('x', { timeout_seconds: 0 })],
            edges: [{ from: 'a', to: 'x', adapter: { text: 'nope' } }],
          },
          /timeout_seconds must be .*; edge "a" → "x": EvaluateEdge adapter: .*nope/,
        ],
        [{ nodes: [], padding: 1 }, /padding/],
      ];
      for (const [fragment, text] of cases) {
        lab.behaviours.set('a', growing(fragment));
        const { end } = await lab.run(engine, graph);
        assert.match(messageOf(end) ?? '', /^node "a" sent a mutation that does not compile: /);
        assert.match(messageOf(end) ?? '', text);
      }
    });

    it('adds nodes up to the limit of a flow', async () => {
      const graph = await compile({ name: 'Full' });
      const nodes = (count: number) => Array.from({ length: count }, (_, index) => own(`x${index}`));
      lab.behaviours.set('a', growing({ nodes: nodes(limits.nodesPerGraph - 2) }));
      assert.equal(textOf((await lab.run(engine, graph)).end), 'ab');
      lab.behaviours.set('a', growing({ nodes: nodes(limits.nodesPerGraph - 1) }));
      assert.match(messageOf((await lab.run(engine, graph)).end) ?? '', /a flow has at most 500 nodes$/);
    });

    it('sends up to 100 mutations per call', async () => {
      const graph = await compile({ name: 'Many' });
      const empty = (count: number) => Array.from({ length: count }, () => ({}));
      lab.behaviours.set('a', growing(...empty(limits.mutationsPerCall)));
      assert.equal(textOf((await lab.run(engine, graph)).end), 'ab');
      lab.behaviours.set('a', growing(...empty(limits.mutationsPerCall + 1)));
      assert.match(messageOf((await lab.run(engine, graph)).end) ?? '', /at most 100 mutations/);
    });

    it('sends fragments of up to 1 MiB', async () => {
      const graph = await compile({ name: 'Large' });
      const sized = (bytes: number) => '{}'.padEnd(bytes);
      lab.behaviours.set('a', growing(sized(limits.mutationBytes)));
      assert.equal(textOf((await lab.run(engine, graph)).end), 'ab');
      lab.behaviours.set('a', growing(sized(limits.mutationBytes + 1)));
      assert.match(messageOf((await lab.run(engine, graph)).end) ?? '', /larger than 1048576 bytes/);
    });

    it('sends up to 4 MiB of fragments per call', async () => {
      const graph = await compile({ name: 'Larger' });
      const sized = (bytes: number) => '{}'.padEnd(bytes);
      const most = Array.from({ length: 4 }, () => sized(limits.mutationsBytesPerCall / 4));
      lab.behaviours.set('a', growing(...most));
      assert.equal(textOf((await lab.run(engine, graph)).end), 'ab');
      lab.behaviours.set('a', growing(...most, ' '));
      assert.match(messageOf((await lab.run(engine, graph)).end) ?? '', /more than 4194304 bytes: extend/);
    });

    itSlow('fails the run after a thousand steps if it adds a loop', async () => {
      const graph = await compile({ name: 'Endless', ...closed });
      lab.behaviours.set(
        'a',
        growing({
          edges: [
            { from: 'b', to: 'a' },
            { id: 'on', from: 'a', to: 'b' },
          ],
        }),
      );
      lab.behaviours.set('b', () => ({ text: '' }));
      let first = true;
      const grow = lab.behaviours.get('a')!;
      lab.behaviours.set('a', (...call) => {
        if (!first) return { text: '' };
        first = false;
        return grow(...call);
      });
      const { end } = await lab.run(engine, graph);
      assert.equal(messageOf(end), 'exceeded max steps (1000)');
    });

    it('fails the flow if a mutation exceeds the executions quota', async () => {
      const other = await engineLab(lab.db);
      try {
        const graph = await other.compile(twoSteps({ name: 'Quota', mutation_enabled: true }));
        const tenant: Tenant = { ...other.tenant, limits: { dailyExecutions: 2 } };
        const replica = await other.engine();
        other.behaviours.set('a', growing({}));
        const run = async (hash: string): Promise<RunEnd> => {
          const { executionId } = await replica.invoke(tenant, {
            graphId: graph.graphId,
            input: other.input({}),
            idempotency: { kind: 'key', hash },
          });
          return replica.wait(tenant.id, executionId, { timeoutMs: 60_000 });
        };
        assert.equal((await run('first')).kind, 'completed');
        assert.deepEqual(await other.usage(), { invocations: 1, executions: 2 });
        tenant.limits.dailyExecutions = 3;
        assert.equal(
          messageOf(await run('second')),
          'graph mutation: daily executions quota exceeded (cap 3)',
        );
        assert.deepEqual(await other.usage(), { invocations: 2, executions: 3 });
        const [, second] = await other.executions();
        assert.deepEqual([second?.status, second?.mutationSeq], ['FAILED', 0]);
      } finally {
        await other.close();
      }
    });

    it('keeps its mutations when another replica takes over the run', async () => {
      const graph = await compile({ name: 'Taken up', ...closed });
      lab.behaviours.set(
        'a',
        growing({
          nodes: [own('x')],
          edges: [
            { from: 'a', to: 'x' },
            { from: 'x', to: 'b' },
          ],
        }),
      );
      const called = new Promise<void>((resolve) => {
        lab.behaviours.set('x', () => {
          resolve();
          return undefined;
        });
      });
      const first = await lab.engine();
      const { executionId } = await first.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({ text: '>' }),
        idempotency: { kind: 'key', hash: `taken up ${lab.tenant.id}` },
      });
      await called;
      lab.behaviours.delete('x');
      await first.close(0);
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      assert.equal(textOf(end), '>axb');
      const journal = await lab.journal(executionId);
      assert.equal(journal.filter(({ type }) => type === 'GRAPH_MUTATED').length, 1);
      assert.ok(journal.some(({ type }) => type === 'taken_over'));
    });
  }
});
