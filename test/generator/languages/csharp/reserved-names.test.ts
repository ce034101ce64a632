import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  reservedForCalls,
  reservedForFields,
  reservedForNamespaces,
  reservedForTypes,
  reservedForValues,
} from '../../../../generator/languages/csharp/reserved-names.ts';

const templates = path.resolve(import.meta.dirname, '../../../../templates/csharp/sdk');
const readme = path.join(templates, 'README.md.hbs');
const client = path.join(templates, 'src/Client.cs.hbs');

describe('reserved names of a C# SDK', () => {
  it('include all types that the README programs use', async () => {
    const text = await readFile(readme, 'utf8');
    const programs = [...text.matchAll(/^```csharp\n(.*?)^```$/gms)].map(([, code = '']) => code);
    const types = programs.flatMap(
      (code) => code.match(/(?<=\b(?:new|catch) ?\(?)[A-Z]\w*|(?<![.\w])[A-Z]\w*(?=\.\w+\()/g) ?? [],
    );
    for (const known of ['ClientOptions', 'CallOptions', 'Console', 'TimeSpan', 'SvcException'])
      assert.ok(types.includes(known), `${known} is not found in ${types.join(' ')}`);
    assert.deepEqual(
      types.filter((name) => !reservedForTypes.has(name)),
      [],
    );
  });

  it('include types that every new program sees, for types and namespaces', () => {
    for (const name of [
      'Program',
      'TaskStatus',
      'TimeZone',
      'KeyValuePair',
      'ExecutionContext',
      'IDisposable',
    ]) {
      assert.ok(reservedForTypes.has(name), name);
      assert.ok(reservedForNamespaces.has(name), name);
    }
  });

  it('include all methods that every client has', async () => {
    const text = await readFile(client, 'utf8');
    const methods = Array.from(
      text.matchAll(/^ {4}public virtual .+ (\w+?)(?:Async)?\(/gm),
      ([, name = '']) => name,
    );
    assert.deepEqual(methods, ['ListPauses', 'Execution']);
    for (const name of methods) assert.ok(reservedForCalls.has(name), name);
  });

  it('include members that the compiler forbids in records', () => {
    assert.ok(reservedForFields.has('Clone'));
    assert.ok(reservedForValues.has('Clone'));
  });
});
