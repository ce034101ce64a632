import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { format } from 'prettier';
import { mockMessage } from '../../../../fixtures/packages/acme-generic/mock-message.ts';
import { language } from '../../../../generator/languages/typescript/language.ts';
import { readPackageFolder } from '../../../../service/nodes/package-folder.ts';
import { type CompiledPackage, compilePackage } from '../../../../service/nodes/serve/compile-package.ts';
import { packageTypes } from '../../../../service/nodes/serve/package-types.ts';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { typeErrors } from '../../../support/checked-types.ts';
import { type FixturePackage, fixturePackageFolder } from '../../../support/fixture-containers.ts';
import { sdkFixturesDir } from '../../../support/sdk-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const packages: FixturePackage[] = [
  'acme-echo',
  'acme-generic',
  'acme-orders',
  'acme-planner',
  'acme-streams',
  'acme-text',
];

const textOf = async (compiled: CompiledPackage): Promise<string> => {
  const [file] = await language.handlerTypes!(packageTypes(compiled));
  assert.equal(file!.path, 'messages.ts');
  return file!.content as string;
};

/** Returns a package with a node for each message of the protos of an SDK fixture. */
async function packageOf(name: string): Promise<CompiledPackage> {
  const folder = path.join(sdkFixturesDir, name, 'protos');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.proto'));
  const protos = Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(path.join(folder, file), 'utf8')])),
  ) as Record<string, string>;
  const registry = createRegistry(await compileProtos(protos));
  const messages = [...registry].filter((type) => type.kind === 'message');
  const nodes = messages.map(({ typeName }, index) => ({
    name: `Node-${index}`,
    mode: 'unary',
    kind: 'standard',
    generic: [],
    description: 'Ends */ a comment.',
    required_secrets: [],
    input: typeName,
    output: typeName,
  }));
  const body = { name: 'acme/all', version: '1.0.0', protos, nodes } as unknown as CompiledPackage['body'];
  return { body, registry };
}

describe('the TypeScript types of a package', () => {
  for (const name of packages) {
    it(`match the messages.ts of ${name}`, async () => {
      const folder = fixturePackageFolder(name);
      assert.equal(
        await readFile(path.join(folder, 'messages.ts'), 'utf8'),
        await textOf(await compilePackage(folder)),
        `run: npx svc node types fixtures/packages/${name}`,
      );
    });
  }

  it('include only the proto files that nodes use', async () => {
    const folder = fixturePackageFolder('acme-planner');
    const body = await readPackageFolder(folder);
    const protos = { ...body.protos, 'other.proto': 'syntax = "proto3"; message Other { string text = 1; }' };
    const registry = createRegistry(await compileProtos(protos));
    const text = await textOf({ body: { ...body, protos }, registry });
    assert.doesNotMatch(text, /Other/);
    assert.match(text, /interface Task/);
  });
});

suiteNeeds('typescript', 'the TypeScript types of any package', () => {
  for (const name of ['hostile-names', 'hostile-text', 'enums', 'maps-oneofs-optional', 'well-known']) {
    it(`are strict and formatted: ${name}`, async () => {
      const text = await textOf(await packageOf(name));
      assert.deepEqual(typeErrors({ 'messages.ts': text }), []);
      assert.equal(text, await format(text, { parser: 'typescript' }));
    });
  }

  it('match the messages that svc node serve passes to handlers', async () => {
    const compiled = await compilePackage(fixturePackageFolder('acme-echo'));
    const text = await textOf(compiled);
    const samples = ['Everything', 'Kinds'].flatMap((name) => {
      const type = compiled.registry.getMessage(`acme.echo.v1.${name}`)!;
      return [1n, 2n, 3n, 4n, 5n, 6n].map((seed, index) => {
        const filled = seed === 1n ? create(type) : mockMessage(type, { seed, entries: 2, depth: 3 });
        const decoded = fromBinary(type, toBinary(type, filled));
        return `export const of${name}${index}: ${name} = ${literal(decoded)};`;
      });
    });
    const module = `import type { Everything, Kinds } from './messages.ts';\n${samples.join('\n')}\n`;
    assert.deepEqual(typeErrors({ 'messages.ts': text, 'samples.ts': module }), []);
  });

  it('accept valid return values of handlers and reject invalid ones', async () => {
    const text = await textOf(await compilePackage(fixturePackageFolder('acme-orders')));
    const good = [
      '{ ...order }',
      "{ state: 'ORDER_STATE_PAID' }",
      "{ state: order?.state ?? 5, history: [{ at: { seconds: 5 }, note: undefined, from: 'ORDER_STATE_PAID' }] }",
    ];
    const bad = ["{ state: 'PAID' }", '{ status: 1 }', '{ id: 5 }', "{ history: [{ from: 'PAID' }] }"];
    const modules = [...good, ...bad].map((order, index): [string, string] => [
      `handlers-${index}.ts`,
      "import type { Handlers } from './messages.ts';\n" +
        `export const advance: Handlers['AdvanceOrder'] = ({ order }) => (${order});\n`,
    ]);
    const errors = typeErrors({ 'messages.ts': text, ...Object.fromEntries(modules) });
    assert.deepEqual(
      [...new Set(errors.map((error) => error.split(':')[0]))],
      bad.map((_, index) => `handlers-${good.length + index}.ts`),
    );
  });
});

/** Returns a message as a TypeScript literal, without the library's own properties. */
function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint8Array) return `Uint8Array.of(${value.join(', ')})`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([key]) => key !== '$typeName' && key !== '$unknown');
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${literal(item)}`).join(', ')}}`;
}
