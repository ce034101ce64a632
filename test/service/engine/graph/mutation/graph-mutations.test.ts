import assert from 'node:assert/strict';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import type { CompiledEdge, GraphFragment } from '../../../../../service/engine/graph/compiled-graph.ts';
import type { LoadedGraph } from '../../../../../service/engine/graph/loaded-graph.ts';
import { NodeOutput } from '../../../../../service/engine/graph/node-output.ts';
import { shapeOf } from '../../../../../service/engine/journal/graph-shape.ts';
import { WorkMeter } from '../../../../../service/engine/work/work-meter.ts';
import type { Tenant } from '../../../../../service/store/tenants.ts';
import { type FlowCompiler, flowCompiler, publishStepsOf } from '../../../../support/compiled-flow.ts';
import { eachDatabase } from '../../../../support/databases.ts';
import { storedTenant } from '../../../../support/sample-records.ts';
import { step } from '../../../../support/step-package.ts';

/** A mutation adds nodes of its own, and edges between any nodes. Its names are indexes, so that random ones meet. */
interface Addition {
  nodes: { node: 'Step' | 'Turn'; join: boolean }[];
  edges: { from: number; to: number; id: boolean; condition: number; adapter: number }[];
}

const index = fc.nat(40);
const addition: fc.Arbitrary<Addition> = fc.record({
  nodes: fc.array(
    fc.record({
      node: fc.constantFrom('Step' as const, 'Step' as const, 'Turn' as const),
      join: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  edges: fc.array(fc.record({ from: index, to: index, id: fc.boolean(), condition: index, adapter: index }), {
    maxLength: 4,
  }),
});

const conditions = ['text == "x"', 'text != ""', 'size(text) / (size(text) - 1) > 1'];
const adapters = [{ text: 'text' }, { text: 'text | upper' }];

describe('the mutations of a run', function () {
  this.timeout(120_000);
  eachDatabase((open) => {
    let tenant: Tenant;
    let flows: FlowCompiler;
    before(async () => {
      const db = await open();
      tenant = await storedTenant(db.knex, { handle: 'acme' });
      await publishStepsOf(db, tenant);
      flows = flowCompiler(db);
    });

    it('produce the same graph when replayed together, one by one, or in two parts', async () => {
      const document = {
        name: 'Growing',
        entry: 'a',
        terminal: 'z',
        mutation_enabled: true,
        nodes: [step('a'), step('b'), step('j', { join: { policy: 'all' } }), step('z')],
        edges: [
          { from: 'a', to: 'b' },
          { id: 'aj', from: 'a', to: 'j' },
          { id: 'bj', from: 'b', to: 'j' },
          { from: 'j', to: 'z' },
        ],
        compose: { j: { text: 'aj:text' } },
      };
      const { graphId } = await flows.compile(tenant, document);
      const base = await flows.loader.load(tenant.id, graphId);
      assert.ok(base);
      const { mutations } = flows;
      let grown = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(addition, { maxLength: 6 }), fc.nat(6), async (additions, split) => {
          let running = base;
          const fragments: GraphFragment[] = [];
          for (const each of additions) {
            // As for a step that fails, a refused mutation leaves the graph as it was.
            const compiled = await mutations.compile(
              tenant.id,
              running,
              JSON.stringify(documentOf(each, running)),
            );
            if (!compiled.ok) continue;
            running = compiled.graph;
            fragments.push(compiled.fragment);
          }
          grown += fragments.length;
          // As the journal holds them.
          const stored = JSON.parse(JSON.stringify(fragments)) as GraphFragment[];
          const expected = describeGraph(running);
          assert.deepEqual(describeGraph(await mutations.apply(base, stored)), expected);
          let oneByOne = base;
          for (const fragment of stored) oneByOne = await mutations.apply(oneByOne, [fragment]);
          assert.deepEqual(describeGraph(oneByOne), expected);
          const early = await mutations.apply(base, stored.slice(0, split));
          assert.deepEqual(describeGraph(await mutations.apply(early, stored.slice(split))), expected);
        }),
        { numRuns: 80 },
      );
      assert.ok(grown > 80, `only ${grown} mutations were accepted`);
    });
  });
});

/** The mutation as a node sends it. Most are valid. */
function documentOf({ nodes, edges }: Addition, { graph }: LoadedGraph): object {
  const own = nodes.map(({ node, join }, at) =>
    step(`n${graph.nodes.length + at}`, {
      node_name: node,
      ...(join && { join: { policy: 'all' } }),
    }),
  );
  const ids = [...graph.nodes.map(({ id }) => id), ...own.map(({ id }) => String(id))];
  const idOf = (at: number): string => ids[at % ids.length] ?? '';
  return {
    nodes: own,
    edges: edges.map(({ from, to, id, condition, adapter }, at) => ({
      from: idOf(from),
      to: idOf(to),
      ...(id && { id: `e${graph.edges.length + at}` }),
      ...(conditions[condition] !== undefined && { condition: conditions[condition] }),
      ...(idOf(to) !== 'j' && adapter < 30 && { adapter: adapters[adapter % 2] }),
    })),
  };
}

/** All that a run can see of a graph. */
function describeGraph(loaded: LoadedGraph): object {
  const { graph } = loaded;
  const shape = shapeOf(loaded);
  const ids = graph.nodes.map(({ id }) => id);
  return {
    graph,
    nodes: ids.map((id) => {
      const node = loaded.node(id);
      return {
        compiled: node.compiled,
        types: [node.input.typeName, node.output.typeName],
        nextJoin: shape.nextJoin(id)?.id,
        reaches: ids.filter((other) => shape.reaches(id, other)),
        incoming: loaded.incoming(id).map(({ compiled }) => compiled),
        outgoing: loaded.outgoing(id).map(({ compiled, evaluate }): [CompiledEdge, unknown[]] => [
          compiled,
          ['', 'x', 'xyz'].map((text) => {
            const bytes = toBinary(node.output, create(node.output, { text }));
            return evaluate(new NodeOutput(bytes, new WorkMeter()));
          }),
        ]),
      };
    }),
    targets: graph.edges.map(({ id }) => shape.targetOf(id)),
  };
}
