import assert from 'node:assert/strict';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { LoadedEdge, LoadedGraph } from '../../../../../service/engine/graph/loaded-graph.ts';
import { NodeOutput } from '../../../../../service/engine/graph/node-output.ts';
import { bytesFromJson } from '../../../../../service/messages/json/message-from-json.ts';
import type { Database } from '../../../../../service/store/database.ts';
import type { Tenant } from '../../../../../service/store/tenants.ts';
import { type FlowCompiler, flowCompiler, publishStepsOf } from '../../../../support/compiled-flow.ts';
import { WorkMeter } from '../../../../../service/engine/work/work-meter.ts';
import { eachDatabase } from '../../../../support/databases.ts';
import { storedTenant } from '../../../../support/sample-records.ts';
import { step, twoSteps } from '../../../../support/step-package.ts';

describe('a loaded graph', () => {
  eachDatabase((open) => {
    let db: Database;
    let flows: FlowCompiler;
    let tenant: Tenant;
    before(async () => {
      db = await open();
      flows = flowCompiler(db);
      tenant = await storedTenant(db.knex, { handle: 'acme' });
      await publishStepsOf(db, tenant);
    });

    async function load(changes: Record<string, unknown>): Promise<LoadedGraph> {
      const { graphId } = await flows.compile(tenant, twoSteps(changes));
      const loaded = await flows.loader.load(tenant.id, graphId);
      assert.ok(loaded);
      return loaded;
    }

    function bytes(loaded: LoadedGraph, json: object): Uint8Array {
      const made = bytesFromJson(loaded.node('a').registry, 'acme.steps.v1.Step', JSON.stringify(json));
      assert.ok(made.ok);
      return made.value;
    }

    const outputOf = (message: Uint8Array): NodeOutput => new NodeOutput(message, new WorkMeter());
    const only = (loaded: LoadedGraph): LoadedEdge => loaded.outgoing('a')[0]!;

    it('is loaded once, and only for its tenant', async () => {
      const { graphId } = await flows.compile(tenant, twoSteps({ name: 'Once' }));
      const [one, two] = await Promise.all([
        flows.loader.load(tenant.id, graphId),
        flows.loader.load(tenant.id, graphId),
      ]);
      assert.ok(one);
      assert.equal(one, two);
      assert.equal(await flows.loader.load('another tenant', graphId), undefined);
      assert.equal(await flows.loader.load(tenant.id, 'unknown'), undefined);
    });

    it('is found after compilation even if an earlier lookup failed', async () => {
      const other = flowCompiler(db);
      const { graphId } = await other.compile(tenant, twoSteps({ name: 'Later' }));
      await db.knex('graph_versions').where({ graph_id: graphId }).delete();
      await db.knex('graphs').where({ id: graphId }).delete();
      assert.equal(await flows.loader.load(tenant.id, graphId), undefined);
      await other.compile(tenant, twoSteps({ name: 'Later' }));
      assert.equal((await flows.loader.load(tenant.id, graphId))?.graph.graphId, graphId);
    });

    it('has nodes with their types and mocks', async () => {
      const nodes = [
        step('a', { mock: { output: { count: '7' } }, timeout_seconds: 5, config: { x: 1 } }),
        step('b', { mock: { error: 'always' }, retry: { max_attempts: 3, initial_ms: 90_000 } }),
      ];
      const loaded = await load({ nodes });
      const a = loaded.node('a');
      assert.equal(a.output.typeName, 'acme.steps.v1.Step');
      assert.equal(a.origin, 'acme/steps 1.0.0');
      assert.deepEqual([a.compiled.timeoutMs, a.compiled.config], [5000, { x: 1 }]);
      assert.ok(a.mock?.kind === 'output');
      assert.deepEqual(Object.entries(fromBinary(a.output, a.mock.output)).slice(1), [
        ['text', ''],
        ['count', 7n],
        ['words', []],
        ['parts', []],
        ['color', 0],
      ]);
      const b = loaded.node('b');
      assert.deepEqual(b.mock, { kind: 'error', error: 'always' });
      assert.deepEqual(b.compiled.retry, { maxAttempts: 3, initialMs: 90_000, factor: 2, maxMs: 90_000 });
      assert.equal(b.compiled.timeoutMs, 30_000);
      assert.throws(() => loaded.node('z'), /has no node z/);
    });

    it('returns edges by node, in document order', async () => {
      const edges = [
        { id: 'z', from: 'a', to: 'b', condition: 'count > 1' },
        { id: 'a', from: 'a', to: 'a', condition: 'count < 1' },
        { id: 'm', from: 'b', to: 'b', condition: 'count == 1' },
      ];
      const loaded = await load({ edges });
      const ids = (list: readonly LoadedEdge[]) => list.map((edge) => edge.compiled.id);
      assert.deepEqual(ids(loaded.outgoing('a')), ['z', 'a']);
      assert.deepEqual(ids(loaded.incoming('b')), ['z', 'm']);
      assert.deepEqual(loaded.outgoing('nothing'), []);
    });

    it('passes a whole message unchanged, including unknown fields', async () => {
      const loaded = await load({});
      const { output } = loaded.node('a');
      const unknown = Uint8Array.of(0x9a, 0x06, 0x01, 0x58);
      const sent = Buffer.concat([toBinary(output, create(output)), unknown]);
      assert.deepEqual(only(loaded).evaluate(outputOf(sent)), {
        pass: true,
        input: sent,
        adapterApplied: false,
      });
    });

    it('evaluates conditions over the output of the source', async () => {
      const condition = 'count > 2 && words.exists(w, w == "go") && color != acme.steps.v1.Color.COLOR_RED';
      const loaded = await load({ edges: [{ from: 'a', to: 'b', condition }] });
      const holds = bytes(loaded, { count: 3, words: ['stay', 'go'] });
      assert.deepEqual(only(loaded).evaluate(outputOf(holds)), {
        pass: true,
        input: holds,
        adapterApplied: false,
      });
      const fails = bytes(loaded, { count: 3, words: ['go'], color: 'COLOR_RED' });
      assert.deepEqual(only(loaded).evaluate(outputOf(fails)), { pass: false, adapterApplied: false });
    });

    it('reports why a condition failed', async () => {
      const loaded = await load({ edges: [{ from: 'a', to: 'b', condition: 'words[count] == "x"' }] });
      const outcome = only(loaded).evaluate(outputOf(bytes(loaded, { count: 1 })));
      assert.ok('error' in outcome);
      assert.match(outcome.error, /^edge "a" → "b": EvaluateEdge condition: CEL evaluation failed: /);
    });

    it('builds the input of the target with the adapter', async () => {
      const loaded = await load({
        nodes: [step('a'), step('b')],
        edges: [
          {
            from: 'a',
            to: 'b',
            condition: 'count > 0',
            adapter: { text: 'text | upper', count: 'count | mult(2)' },
          },
        ],
      });
      const max = '4611686018427387903';
      assert.deepEqual(
        only(loaded).evaluate(outputOf(bytes(loaded, { text: 'x', count: max, words: ['lost'] }))),
        {
          pass: true,
          input: bytes(loaded, { text: 'X', count: '9223372036854775806' }),
          adapterApplied: true,
        },
      );
      assert.deepEqual(only(loaded).evaluate(outputOf(bytes(loaded, {}))), {
        pass: false,
        adapterApplied: false,
      });
    });

    it('reports which transform of an adapter failed', async () => {
      const edges = [{ from: 'a', to: 'b', adapter: { text: 'text | split(",", 3)' } }];
      const loaded = await load({ edges });
      const outcome = only(loaded).evaluate(outputOf(bytes(loaded, { text: 'a,b' })));
      assert.deepEqual(outcome, {
        pass: true,
        error:
          'edge "a" → "b": EvaluateEdge adapter: transform TRANSFORM_SPLIT failed: split: index 3 out of range',
        kind: 'EDGE_ADAPTER',
      });
    });

    it('rejects an output with too many values for its expressions, and passes it through edges without any', async () => {
      const condition = await load({ edges: [{ from: 'a', to: 'b', condition: 'count == 0' }] });
      const words = (count: number) => bytes(condition, { words: Array.from({ length: count }, () => '') });
      const evaluate = (graph: LoadedGraph, count: number) => only(graph).evaluate(outputOf(words(count)));
      const few = evaluate(condition, 300_000);
      assert.deepEqual(['error' in few, few.pass], [false, true]);
      const text =
        'the acme.steps.v1.Step has too many values for expressions to read: move such work into a node, or pass the message on without a condition and an adapter';
      assert.deepEqual(evaluate(condition, 350_000), {
        pass: false,
        error: `edge "a" → "b": EvaluateEdge condition: ${text}`,
        kind: 'EDGE_CONDITION',
      });
      const adapter = await load({ edges: [{ from: 'a', to: 'b', adapter: { text: 'text' } }] });
      assert.deepEqual(evaluate(adapter, 350_000), {
        pass: true,
        error: `edge "a" → "b": EvaluateEdge adapter: ${text}`,
        kind: 'EDGE_ADAPTER',
      });
      assert.equal(evaluate(await load({}), 350_000).pass, true);
    });

    it('decodes an output once for all edges of a step, which share one budget', async () => {
      const ends = ['b', 'c', 'd'].map((to) => ({ from: 'a', to, condition: 'count == 0' }));
      const nodes = ['a', 'b', 'c', 'd'].map((id) => step(id));
      const loaded = await load({ nodes, edges: ends });
      const output = outputOf(bytes(loaded, { words: Array.from({ length: 300_000 }, () => '') }));
      const [first, ...others] = loaded.outgoing('a');
      first?.evaluate(output);
      const spent = output.meter.spent;
      for (const edge of others) assert.equal(edge.evaluate(output).pass, true);
      assert.ok(output.meter.spent < 1.01 * spent);

      const costly = ends.map((edge) => ({
        ...edge,
        condition: `text${'.replace("a", "aa")'.repeat(17)} != ""`,
      }));
      const bound = outputOf(bytes(loaded, { text: 'a' }));
      const outcomes = (await load({ nodes, edges: costly }))
        .outgoing('a')
        .map((edge) => edge.evaluate(bound));
      assert.deepEqual(
        outcomes.map((outcome) => 'error' in outcome),
        [false, false, true],
      );
    });

    it('picks a text of 16 MB, but rejects transforming it', async () => {
      const large = (graph: LoadedGraph) => bytes(graph, { text: 'x'.repeat(16_000_000) });
      const picked = await load({ edges: [{ from: 'a', to: 'b', adapter: { text: 'text' } }] });
      assert.ok('input' in only(picked).evaluate(outputOf(large(picked))));
      const changed = await load({ edges: [{ from: 'a', to: 'b', adapter: { text: 'text | upper' } }] });
      const outcome = only(changed).evaluate(outputOf(large(changed)));
      assert.ok('error' in outcome);
      assert.match(outcome.error, /field "text": the expression is too expensive/);
    });

    it('composes an input from its edges, and leaves fields of missing edges unset', async () => {
      const loaded = await load({
        nodes: [step('a'), step('l'), step('b', { join: {} })],
        edges: [
          { from: 'a', to: 'l' },
          { id: 'one', from: 'a', to: 'b' },
          { id: 'two', from: 'l', to: 'b' },
        ],
        compose: { b: { text: 'one:text', count: 'two:count', words: 'two:words' } },
      });
      const [first, second] = [bytes(loaded, { text: 'x' }), bytes(loaded, { count: 2, words: ['w'] })];
      assert.deepEqual(loaded.incoming('b')[0]?.evaluate(outputOf(first)), {
        pass: true,
        adapterApplied: false,
      });
      const both = new Map([
        ['one', first],
        ['two', second],
      ]);
      const whole = { input: bytes(loaded, { text: 'x', count: 2, words: ['w'] }) };
      assert.deepEqual(loaded.compose('b', both, new WorkMeter()), whole);
      assert.deepEqual(loaded.compose('b', new Map([['one', first]]), new WorkMeter()), {
        input: bytes(loaded, { text: 'x' }),
      });
      assert.throws(() => loaded.compose('l', both, new WorkMeter()), /node l .* has no compose plan/);
      const broken = loaded.compose('b', new Map([['one', Uint8Array.of(0x0a, 0x7f)]]), new WorkMeter());
      assert.ok('error' in broken);
      assert.match(broken.error, /^node "b": EvaluateCompose adapter: cannot read the bytes/);
    });

    it('reports bytes that are not a valid message of their node', async () => {
      const loaded = await load({ edges: [{ from: 'a', to: 'b', condition: 'count > 2' }] });
      const outcome = only(loaded).evaluate(outputOf(Uint8Array.of(0x0a, 0x7f)));
      assert.ok('error' in outcome);
      assert.match(outcome.error, /cannot read the bytes as acme\.steps\.v1\.Step/);
    });
  });
});
