import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkStreams } from '../../../../../service/engine/graph/compile/check-streams.ts';
import { reachableNodes } from '../../../../../service/engine/graph/compile/reachable-nodes.ts';
import { randomCases } from '../../../../support/fast-run.ts';

const nodeIds = Array.from({ length: 8 }, (_, n) => `n${n}`);
const anyNode = fc.constantFrom(...nodeIds);
const anyEdges = fc.array(fc.record({ from: anyNode, to: anyNode }), { maxLength: 14 });

describe('loops of a pipeline flow', () => {
  it('are reported for each node on a loop, in document order', () => {
    fc.assert(
      fc.property(anyEdges, (ends) => {
        const edges = ends.map((edge, n) => ({ ...edge, id: `e${n}` }));
        const nodes = nodeIds.map((id) => ({ id }));
        const found = checkStreams({ nodes, edges, compose: {}, mutation_enabled: false }, edges);
        const expected = nodeIds.filter((id) =>
          edges.some(({ from, to }) => from === id && reachableNodes(to, edges, 'forward').has(id)),
        );
        assert.deepEqual(
          found.map(({ code, node }) => [code, node]),
          expected.map((id) => ['loop_of_streams', id]),
        );
      }),
      { numRuns: randomCases(2_000) },
    );
  });
});
