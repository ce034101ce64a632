import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageNames } from '../../../../generator/languages/java/package-names.ts';
import { planNames } from '../../../../generator/languages/java/plan-names.ts';
import { reservedForTypes } from '../../../../generator/languages/java/reserved-names.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

const readme = path.resolve(import.meta.dirname, '../../../../templates/java/sdk/README.md.hbs');

describe('reserved names of a Java SDK', () => {
  it('include all types that the README programs use', async () => {
    const text = await readFile(readme, 'utf8');
    const programs = [...text.matchAll(/^```java\n(.*?)^```$/gms)].map(([, code = '']) => code);
    const types = programs.flatMap(
      (code) => code.replaceAll(/\/\/.*/g, '').match(/(?<![\w."{}-])[A-Z]\w+/g) ?? [],
    );
    assert.ok(types.includes('ClientOptions'));
    const free = types.filter((name) => !reservedForTypes.has(name));
    assert.deepEqual(free, []);
  });

  it('include all methods that every client has', async () => {
    const model = await loadSdkFixture('flows');
    const [member] = model.members;
    assert.ok(member);
    const aliases = ['execution', 'list-pauses', 'list-pauses-async', 'to-string', 'other'];
    const members = aliases.map((alias) => ({ ...member, alias }));
    const { calls } = planNames({ ...model, members }, packageNames(model));
    assert.deepEqual(
      [...calls.values()],
      ['executionCall', 'listPausesCall', 'listPausesAsyncCall', 'toStringCall', 'other'],
    );
  });
});
