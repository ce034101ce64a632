import assert from 'node:assert/strict';
import { drawSvg } from '../../../../../service/engine/graph/diagram/draw-svg.ts';
import { drawnGraph } from '../../../../support/drawn-graph.ts';

describe('a flow as SVG', () => {
  it('is well-formed for any text', () => {
    const hostile = `</title><script>alert(1)</script>]]> & "quotes" 'too' \u0000\u001b\u202e`;
    const svg = drawSvg(drawnGraph(['a', 'b'], [`a>b:${hostile}`], { name: hostile }));
    assert.deepEqual(unbalanced(svg), []);
    assert.doesNotMatch(svg, /<script/);
    assert.doesNotMatch(svg, /[\u0000-\u0008\u000b-\u001f\u202e]/);
    assert.doesNotMatch(svg.replace(/&(amp|lt|gt|quot|#39);/g, ''), /&/);
  });

  it('shows every node and every edge once', () => {
    const svg = drawSvg(drawnGraph(['a', 'b', 'c'], ['a>b:x > 1', 'b>a', 'b>b', 'a>c', 'b>c']));
    assert.deepEqual(
      [...svg.matchAll(/class="id"[^>]*>(\w)</g)].map(([, id]) => id),
      ['a', 'b', 'c'],
    );
    assert.equal(svg.match(/marker-end/g)?.length, 5);
    assert.match(svg, /class="condition"[^>]*>x &gt; 1</);
  });

  it('keeps everything inside its frame, without overlapping boxes', () => {
    const lines = ['a>b', 'a>c', 'a>d', 'b>e', 'c>e', 'd>e', 'e>a', 'e>e', 'a>e'];
    const svg = drawSvg(drawnGraph(['a', 'b', 'c', 'd', 'e'], lines));
    const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
    const boxes = [
      ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g),
    ].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
    assert.equal(boxes.length, 5);
    for (const [x, y, w, h] of boxes) assert.ok(x >= 0 && y >= 0 && x + w <= width && y + h <= height);
    const overlaps = boxes.flatMap(([x, y, w], index) =>
      boxes.slice(index + 1).filter(([x2, y2, w2]) => y === y2 && x < x2 + w2 && x2 < x + w),
    );
    assert.deepEqual(overlaps, []);
    for (const [, path = ''] of svg.matchAll(/<path d="([^"]+)" marker/g)) {
      const numbers = path.match(/[\d.]+/g)!.map(Number);
      assert.ok(
        numbers.every((one) => Number.isFinite(one) && one <= Math.max(width, height)),
        path,
      );
    }
  });

  it('leaves room for captions, also at the sides', () => {
    const long = 'x'.repeat(40);
    const svg = drawSvg(drawnGraph(['a', 'b'], [`a>b:${long}`, `b>a:${long}`, `b>b:${long}`]));
    const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const captions = [...svg.matchAll(/class="condition( back)?" x="([\d.]+)"/g)];
    assert.equal(captions.length, 3);
    for (const [, back, x] of captions) {
      const left = Number(x) - (back ? 0 : 20 * 7);
      assert.ok(left >= 0 && left + 40 * 7 <= width, `${left} of ${width}`);
    }
  });

  it('marks the entry, the terminal, mocks and joins, and truncates long conditions', () => {
    const graph = drawnGraph(['a', 'b'], [`a>b:${'x'.repeat(100)}`]);
    graph.nodes[1]!.mock = { error: 'x' };
    graph.nodes[1]!.join = { policy: 'all', onError: 'abort' };
    const svg = drawSvg(graph);
    assert.match(svg, /<g class="entry">/);
    assert.match(svg, /<g class="terminal mocked join">/);
    assert.match(svg, />x{39}…</);
  });
});

/** Unbalanced tags. */
function unbalanced(xml: string): string[] {
  const open: string[] = [];
  for (const [, close, name = '', , empty] of xml.matchAll(/<(\/?)([a-z]+)((?:\s[^<>]*?)?)(\/?)>/g)) {
    if (close) {
      if (open.pop() !== name) return [...open, `/${name}`];
    } else if (!empty) open.push(name);
  }
  return open;
}
