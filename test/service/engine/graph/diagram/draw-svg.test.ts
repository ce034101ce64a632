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

  it('leaves room for labels, including at the sides', () => {
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

  it('shows a condition only on its own edge, with a background above every line', () => {
    const condition = "currency.trim() != 'EUR'";
    const svg = drawSvg(drawnGraph(['a', 'b', 'c'], [`a>b:${condition}`, 'a>c', 'b>c']));
    const [, ...numbers] =
      /marker-end="[^"]+"\/>\n<rect class="paper" x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)"\/><text class="condition" x="([\d.]+)"/.exec(
        svg,
      ) ?? assert.fail(svg);
    const [x = 0, y = 0, width = 0, height = 0, middle] = numbers.map(Number);
    assert.ok(svg.lastIndexOf('<path d=') < svg.indexOf('class="condition"'));
    assert.ok(width >= condition.length * 7.2);
    assert.equal(middle, x + width / 2);
    const [own = [], other = []] = [...svg.matchAll(/<path d="(M[^"]+)" marker/g)].map(([, line = '']) =>
      curve(line),
    );
    const isCovered = (point: { x: number; y: number }): boolean =>
      point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
    assert.ok(own.some(isCovered));
    assert.ok(!other.some(isCovered));
  });

  it('shows conditions without overlap', () => {
    const condition = "currency.trim() != 'EUR'";
    const lines = ['b', 'c', 'd'].flatMap((id) => [`a>${id}:${condition}`, `${id}>e:${condition}`]);
    const svg = drawSvg(drawnGraph(['a', 'b', 'c', 'd', 'e'], lines));
    const places = [...svg.matchAll(/<rect class="paper" x="([\d.]+)" y="([\d.]+)" width="(\d+)"/g)].map(
      ([, ...numbers]) => numbers.map(Number) as [number, number, number],
    );
    assert.equal(places.length, 6);
    const overlaps = places.flatMap(([x, y, w], index) =>
      places.slice(index + 1).filter(([x2, y2, w2]) => Math.abs(y - y2) < 16 && x < x2 + w2 && x2 < x + w),
    );
    assert.deepEqual(overlaps, []);
  });

  it('is drawn with the labels of many edges within 2 s', () => {
    const ids = Array.from({ length: 400 }, (_, index) => `n${index}`);
    const lines = ids.slice(1, -1).flatMap((id) => [`n0>${id}:x > ${id}`, `${id}>n399:y > ${id}`]);
    const graph = drawnGraph(ids, lines);
    const used = process.cpuUsage();
    assert.equal(drawSvg(graph).match(/class="condition"/g)?.length, lines.length);
    assert.ok(process.cpuUsage(used).user < 2_000_000);
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

/** Points of the first curve of a path: `M x y C x y x y x y`. */
function curve(path: string): { x: number; y: number }[] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = path.match(/[\d.]+/g)!.map(Number);
  const at = (t: number, [a, b, c, d]: [number, number, number, number]): number =>
    (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
  return Array.from({ length: 101 }, (_, index) => ({
    x: at(index / 100, [x0, x1, x2, x3]),
    y: at(index / 100, [y0, y1, y2, y3]),
  }));
}

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
