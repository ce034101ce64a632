import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { reservedForTypes } from '../../../../generator/languages/java/reserved-names.ts';

const readme = path.resolve(import.meta.dirname, '../../../../templates/java/sdk/README.md.hbs');

describe('reserved names of a Java SDK', () => {
  it('are those of all types that programs of the README name', async () => {
    const text = await readFile(readme, 'utf8');
    const programs = [...text.matchAll(/^```java\n(.*?)^```$/gms)].map(([, code = '']) => code);
    const types = programs.flatMap(
      (code) => code.replaceAll(/\/\/.*/g, '').match(/(?<![\w."{}-])[A-Z]\w+/g) ?? [],
    );
    assert.ok(types.includes('ClientOptions'));
    const free = types.filter((name) => !reservedForTypes.has(name));
    assert.deepEqual(free, []);
  });
});
