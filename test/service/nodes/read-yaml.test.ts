import assert from 'node:assert/strict';
import { readYaml } from '../../../service/nodes/read-yaml.ts';

describe('reading YAML', () => {
  it('returns the value, and the line of a path or of its nearest parent', () => {
    const read = readYaml('a: 1\nb:\n  - c: 2\n');
    assert.ok(!('problems' in read));
    assert.deepEqual(read.value, { a: 1, b: [{ c: 2 }] });
    assert.deepEqual([read.lineOf(['b', 0, 'c']), read.lineOf(['b', 0, 'd']), read.lineOf(['d'])], [3, 3, 1]);
  });

  it('reports every problem with its line, including aliases', () => {
    assert.deepEqual(Object.keys(readYaml('a: [\nb: {\n')), ['problems']);
    const unknown = readYaml('a: *nobody\n');
    assert.ok('problems' in unknown);
    assert.match(unknown.problems[0]!, /^1: .*nobody/);
  });
});
