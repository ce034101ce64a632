import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { convertInline } from '../../../../service/messages/convert/convert.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { ProtoCompileError, type ProtoDiagnostic } from '../../../../service/errors/proto-compile-error.ts';
import { itSlow } from '../../../support/fast-run.ts';

async function complaints(
  protos: Record<string, string>,
  options?: { timeoutMs: number },
): Promise<readonly ProtoDiagnostic[]> {
  try {
    await compileProtos(protos, options);
  } catch (error) {
    assert.ok(error instanceof ProtoCompileError, String(error));
    return error.diagnostics;
  }
  return assert.fail('the sources compiled');
}

const header = 'syntax = "proto3";\npackage acme.v1;\n';

describe('compiling protos', () => {
  it('returns descriptors with comments, imports first', async () => {
    const bytes = await compileProtos({
      'acme/b.proto': `${header}import "acme/a.proto";\n// Holds an A.\nmessage B { A a = 1; }`,
      'acme/a.proto': `${header}import "google/protobuf/timestamp.proto";\nmessage A { google.protobuf.Timestamp at = 1; }`,
    });
    const { file } = fromBinary(FileDescriptorSetSchema, bytes);
    assert.deepEqual(
      file.map(({ name }) => name),
      ['google/protobuf/timestamp.proto', 'acme/a.proto', 'acme/b.proto'],
    );
    const comments = file[2]!.sourceCodeInfo!.location.map((location) => location.leadingComments);
    assert.ok(comments.includes(' Holds an A.\n'));
  });

  it('returns the same bytes for any order of the sources', async () => {
    const a = `${header}message A {}`;
    const b = `${header}message B {}`;
    assert.deepEqual(
      await compileProtos({ 'a.proto': a, 'b.proto': b }),
      await compileProtos({ 'b.proto': b, 'a.proto': a }),
    );
  });

  it('reports the file, line and column of every diagnostic', async () => {
    const found = await complaints({
      'acme/a.proto': `${header}message A {\n  string a = 1;\n  Missing b = 2;\n}`,
      'acme/b.proto': `${header}import "acme/none.proto";\n`,
    });
    assert.deepEqual(
      found.map(({ file, line, column }) => ({ file, line, column })),
      [
        { file: 'acme/a.proto', line: 5, column: 3 },
        { file: 'acme/b.proto', line: 3, column: 1 },
      ],
    );
    assert.match(found[0]!.message, /Missing/);
  });

  it('formats its diagnostics in the error message', async () => {
    await assert.rejects(compileProtos({ 'a.proto': 'nonsense' }), /^ProtoCompileError: a\.proto:1:1: /);
  });

  it('removes its temporary folder after success and failure, and omits its path from diagnostics', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'compile-protos-test-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      await compileProtos({ 'a.proto': header });
      const found = await complaints({ 'a.proto': 'import "/etc/passwd"; import "../../x.proto";' });
      assert.doesNotMatch(JSON.stringify(found), /svc-protos-/);
      await complaints({ 'a.proto': header }, { timeoutMs: 1 });
      assert.deepEqual(await readdir(folder), []);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      await rm(folder, { recursive: true });
    }
  });

  it('fails after the timeout', async () => {
    assert.match(
      (await complaints({ 'a.proto': header }, { timeoutMs: 1 }))[0]!.message,
      /took longer than 0.001 s/,
    );
  });

  it('rejects invalid paths before writing any file', async () => {
    assert.match((await complaints({ '../a.proto': header }))[0]!.message, /"\.\." segment/);
    assert.match((await complaints({ ['__proto__']: header }))[0]!.message, /does not end in/);
  });

  it('rejects messages with more than 200 fields, including nested messages, with their position', async () => {
    const fields = (count: number): string =>
      Array.from({ length: count }, (_, i) => `int32 f${i} = ${i + 1};`).join(' ');
    await compileProtos({ 'a.proto': `${header}message A { ${fields(200)} }` });
    const found = await complaints({ 'a.proto': `${header}message A {\n  message B { ${fields(201)} }\n}` });
    assert.deepEqual(found, [
      {
        file: 'a.proto',
        line: 4,
        column: 3,
        message: 'message acme.v1.A.B has 201 fields: at most 200 are allowed',
      },
    ]);
  });

  it('rejects chains of more than 500 message types, regardless of order and cycles', async () => {
    const chain = (length: number, last: string, { reversed = false } = {}): Record<string, string> => {
      const lines = Array.from({ length }, (_, i) => `message M${i} { M${i + 1} m = 1; M0 first = 2; }`);
      lines[length - 1] = `message M${length - 1} { ${last} }`;
      return { 'a.proto': header + (reversed ? lines.reverse() : lines).join('\n') };
    };
    const compiled = await compileProtos(chain(500, 'string text = 1;'));
    const input = { typeName: 'acme.v1.M0', input: '{"m":{"m":{}}}' };
    const converted = convertInline('json-to-bytes', { registry: createRegistry(compiled), ...input });
    assert.equal(converted.ok, true);
    const message =
      'message acme.v1.M0 starts a chain of 501 message types, each the type of a field of the one before: at most 500 are allowed';
    const found = await complaints(chain(501, 'string text = 1;'));
    assert.deepEqual(found, [{ file: 'a.proto', line: 3, column: 1, message }]);
    const [last] = await complaints(chain(501, 'M0 first = 1;', { reversed: true }));
    assert.match(last?.message ?? '', /starts a chain of \d+ message types/);
    const [long] = await complaints(chain(3_000, 'map<string, M0> all = 1;'));
    assert.match(long?.message ?? '', /starts a chain of 3000 message types/);
  });

  it('rejects extensions of messages, and accepts custom options', async () => {
    const found = await complaints({
      'a.proto':
        'syntax = "proto2";\npackage a;\nmessage A { extensions 100 to 199; }\nextend A { optional int32 more = 100; }',
    });
    assert.deepEqual(found, [
      {
        file: 'a.proto',
        line: 4,
        column: 12,
        message: 'extension a.more of a.A is not supported: declare a field instead',
      },
    ]);
    await compileProtos({
      'a.proto': `${header}import "google/protobuf/descriptor.proto";
        extend google.protobuf.FieldOptions { bool secret = 50001; }
        message A { string a = 1 [(secret) = true]; }`,
    });
  });

  it('rejects message sets', async () => {
    const source =
      'syntax = "proto2"; message A { option message_set_wire_format = true; extensions 4 to max; }';
    assert.match((await complaints({ 'a.proto': source }))[0]!.message, /message A is a message set/);
  });

  itSlow('reports ambiguous JSON names once, at the position of the first field', async () => {
    const declare = (fields: string, head = header): string => `${head}message A {\n  ${fields}\n}`;
    const proto2 = 'syntax = "proto2";\npackage acme.v1;\n';
    const rejected: [string, string][] = [
      [declare('string foo = 1 [json_name = "bar"];\n  string bar = 2 [json_name = "baz"];'), 'foo and bar'],
      [declare('string bar = 2 [json_name = "baz"];\n  string foo = 1 [json_name = "bar"];'), 'foo and bar'],
      [declare('optional string foo_bar = 1;\n  optional string fooBar = 2;', proto2), 'foo_bar and fooBar'],
    ];
    for (const [source, candidates] of rejected) {
      const found = await complaints({ 'a.proto': source });
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.match(
        found[0]!.message,
        new RegExp(`^the JSON name ".*" of acme.v1.A is ambiguous: it matches ${candidates}: `),
      );
      assert.equal(found[0]!.line, source.split('\n').findIndex((line) => line.includes('foo')) + 1);
    }
    const swapped = declare('string foo = 1 [json_name = "bar"];\n  string bar = 2 [json_name = "foo"];');
    assert.equal((await complaints({ 'a.proto': swapped })).length, 2);
    await compileProtos({
      'a.proto': declare('string foo = 1 [json_name = "bar"];\n  string baz = 2 [json_name = "foo_"];'),
    });
  });

  it('rejects types that shadow well-known ones', async () => {
    const source = 'syntax = "proto3"; package google.protobuf; message Timestamp { string text = 1; }';
    assert.match((await complaints({ 'mine.proto': source }))[0]!.message, /google\.protobuf is reserved/);
  });

  it('accepts editions, and proto2 with groups and required fields', async () => {
    await compileProtos({
      'two.proto':
        'syntax = "proto2"; package two; message A { required int32 n = 1; optional group G = 2 { optional int32 x = 1; } }',
      'edition.proto': 'edition = "2023"; package three; message A { int32 n = 1; }',
    });
  });
});
