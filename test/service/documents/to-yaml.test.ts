import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { toYaml } from '../../../service/documents/to-yaml.ts';

describe('YAML documents', () => {
  const value = {
    example: '2026-01-31T09:30:00Z',
    texts: [
      '2026-01-31',
      'no',
      'Yes',
      'on',
      'y',
      '12:30:45',
      '0o17',
      '017',
      '1_000',
      '0b1',
      '~',
      '.inf',
      '=',
    ],
    null: { on: 'off', deep: [1, 1.5, true, null, '', ' ', '- a', '# b', 'a: b'] },
    long: `${'word '.repeat(60)}\n  two`,
  };

  for (const version of ['1.1', '1.2'] as const) {
    it(`preserve their values in YAML ${version}`, async () => {
      assert.deepEqual(parse(await toYaml(value), { version }), value);
    });
  }

  it('quote dates', async () => {
    assert.match(await toYaml(value), /^example: "2026-01-31T09:30:00Z"$/m);
  });
});
