import assert from 'node:assert/strict';
import { layerGraph } from '../../../../../service/engine/graph/diagram/layers.ts';
import { drawnGraph } from '../../../../support/drawn-graph.ts';

describe('the rows of a diagram', () => {
  const rowsOf = (ids: string[], lines: string[]) => {
    const { rows, back, chains } = layerGraph(drawnGraph(ids, lines));
    return {
      rows: rows.map((row) => row.map((slot) => slot.node ?? '|').join(' ')),
      back: back.map(({ from, to }) => `${from}>${to}`),
      chains,
    };
  };

  it('follow the longest paths from the entry', () => {
    const { rows, back } = rowsOf(['a', 'b', 'c', 'd'], ['a>b', 'b>c', 'a>c', 'c>d']);
    assert.deepEqual(
      rows.map((row) => row.replace(/[| ]/g, '')),
      ['a', 'b', 'c', 'd'],
    );
    assert.deepEqual(back, []);
  });

  it('leave room where a long edge passes', () => {
    const { rows, chains } = rowsOf(['a', 'b', 'c', 'd'], ['a>b', 'b>c', 'c>d', 'a>d']);
    assert.deepEqual(
      rows.map((row) => row.split(' ').length),
      [1, 2, 2, 1],
    );
    assert.deepEqual(
      chains.get('e3')?.map((slot) => slot.row),
      [0, 1, 2, 3],
    );
  });

  it('exclude edges that close a loop, including self loops', () => {
    const { rows, back } = rowsOf(['a', 'b', 'c'], ['a>b', 'b>a', 'b>b', 'b>c']);
    assert.deepEqual(rows, ['a', 'b', 'c']);
    assert.deepEqual(back, ['b>a', 'b>b']);
  });

  it('order nodes so that edges do not cross', () => {
    const { rows } = rowsOf(['a', 'l', 'r', 'x', 'y', 'z'], ['a>l', 'a>r', 'r>x', 'l>y', 'x>z', 'y>z']);
    const [, middle, lower] = rows;
    const crossed = (middle === 'l r') !== (lower === 'y x');
    assert.ok(!crossed, `${middle} over ${lower}`);
  });

  it('take time proportional to the size of the flow, not the width of its rows', () => {
    const ids = Array.from({ length: 500 }, (_, index) => `n${index}`);
    const chain = ids.slice(1).map((id, index) => `${ids[index]}>${id}`);
    const long = Array.from({ length: 1500 }, (_, index) => `n0>n${499 - (index % 400)}`);
    const { rows } = layerGraph(drawnGraph(ids, [...chain, ...long]));
    const slots = rows.reduce((sum, row) => sum + row.length, 0);
    assert.equal(rows.length, 500);
    assert.ok(slots < 500 + 6_000, `${slots} slots`);
  });
});
