import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clone, create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describeTypes } from '../../../../specs/messages/describe-types.ts';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { type DraftFile, draftFile } from '../../../../service/messages/drafts/draft-file.ts';
import { readDrafts } from '../../../../service/messages/drafts/read-drafts.ts';

const path = 'acme/invoices/messages.proto';
const packageName = 'acme.invoices';

function made(drafts: Record<string, unknown>): DraftFile {
  return draftFile(readDrafts(drafts).messages, path, packageName);
}

async function compiled({ source }: DraftFile): Promise<FileDescriptorProto> {
  const set = fromBinary(FileDescriptorSetSchema, await compileProtos({ [path]: source }));
  const file = set.file.find(({ name }) => name === path);
  assert.ok(file);
  return file;
}

/** The file without source info, as JSON for readable differences. */
function shape(file: FileDescriptorProto): unknown {
  const bare = clone(FileDescriptorProtoSchema, file);
  delete bare.sourceCodeInfo;
  return toJson(FileDescriptorProtoSchema, bare);
}

/** Positions and comments of messages and fields. */
function places(file: FileDescriptorProto): unknown {
  const told = file.sourceCodeInfo?.location ?? [];
  return told
    .filter(
      ({ path: [kind, ...rest] }) =>
        kind === 4 && (rest.length === 1 || (rest.length === 3 && rest[1] === 2)),
    )
    .map((one) => [
      one.path,
      one.span,
      one.leadingComments,
      one.trailingComments,
      one.leadingDetachedComments,
    ]);
}

async function assertSame(file: DraftFile): Promise<void> {
  const expected = await compiled(file);
  assert.deepEqual(shape(file.descriptor), shape(expected));
  assert.deepEqual(places(file.descriptor), places(expected));
}

describe('the proto file of message drafts', () => {
  it('has the same descriptor as the compiler output for its source', async function () {
    this.timeout(300_000);
    const kinds = ['string', 'int32', 'int64', 'uint32', 'uint64', 'double', 'float', 'bool', 'bytes'];
    const everyKind = Object.fromEntries(
      kinds.flatMap((kind): [string, unknown][] => [
        [`a_${kind}`, kind],
        [`some_${kind}`, { kind, repeated: true, description: `Many ${kind}.` }],
        [`maybe_${kind}`, { kind, optional: true }],
      ]),
    );
    const line = { message_name: 'Line', description: 'One thing sold.', fields: { sku: 'string' } };
    await assertSame(
      made({
        output: {
          message_name: 'Invoice',
          description: 'What is owed.',
          fields: {
            ...everyKind,
            line: { kind: 'message', message: line, description: 'The first.' },
            lines: { kind: 'message', message: line, repeated: true },
          },
        },
        input: { message_name: 'Order', fields: { total: { kind: 'double', description: 'All of it.' } } },
      }),
    );
  });

  it('matches the compiler for keywords and conflicting names', async function () {
    this.timeout(300_000);
    const words = [
      'message',
      'optional',
      'repeated',
      'reserved',
      'extensions',
      'oneof',
      'map',
      'group',
      'option',
      'enum',
      'syntax',
      'inf',
      'nan',
      'true',
      'string',
      'acme',
      'rpc',
      'stream',
      'returns',
      'to',
      'max',
      'import',
      'package',
      'extend',
      'required',
      'public',
      'weak',
    ];
    const odd = ['_a', 'AB', 'a__b', 'a_1', 'b1_', '__c', 'D_', 'e_F', 'prototype_', 'constructor'];
    const messages = ['string', 'acme', 'invoices', 'message', 'google', 'bool', 'stream'].map(
      (name): [string, unknown] => [
        `the_${name}`,
        { kind: 'message', repeated: true, message: { message_name: name, fields: { value: 'string' } } },
      ],
    );
    await assertSame(
      made({
        output: {
          message_name: '_Odd1',
          fields: {
            ...Object.fromEntries(words.map((word) => [word, { kind: 'string', optional: true }])),
            ...Object.fromEntries(odd.map((name) => [name, { kind: 'int32', optional: name !== '_a' }])),
            x: { kind: 'bool', optional: true },
            _x1: 'bool',
            x1: { kind: 'bool', optional: true },
            X_x1: 'bool',
            ...Object.fromEntries(messages),
          },
        },
      }),
    );
  });

  it('matches the compiler for hostile descriptions, which remain comments', async function () {
    this.timeout(300_000);
    const hostile = [
      '*/ message Evil {} /*',
      'line\nmessage Evil {}',
      'separators\u2028message Evil {}\u2029\u0085message Evil {}',
      'controls \u0000\u0007\u001b[31m',
      'back\\slash at the end \\',
      '// more',
      '* star',
      '" quotes \' and `',
      '\u202ertl\u202c \u200b zero width \ufeff',
      'half \ud800 pair',
      '{{handlebars}} ${template} <b>html</b>',
      '   ',
    ];
    const file = made({
      output: {
        message_name: 'Hostile',
        description: hostile.join('\n'),
        fields: Object.fromEntries(
          hostile.map((description, index): [string, unknown] => [
            `field_${index}`,
            { kind: 'string', description },
          ]),
        ),
      },
    });
    await assertSame(file);
    const set = create(FileDescriptorSetSchema, { file: [file.descriptor] });
    const model = describeTypes(toBinary(FileDescriptorSetSchema, set), [`${packageName}.Hostile`]);
    assert.deepEqual(
      model.messages.map(({ name }) => name),
      ['Hostile'],
    );
    const [first, second] = model.messages[0]!.fields;
    assert.equal(first?.comment, '*/ message Evil {} /*');
    assert.equal(second?.comment, 'line message Evil {}');
  });

  it('matches the compiler for random drafts', async function () {
    this.timeout(180_000);
    // One compilation for all drafts, because starting the compiler costs more than running it.
    const drawn = fc.sample(anyDraft(3), { seed: 20_261_121, numRuns: 60 });
    const files = drawn.flatMap((draft, index) => {
      try {
        const { messages } = readDrafts({ output: draft });
        return [draftFile(messages, `drawn_${index}.proto`, `drawn.p${index}`)];
      } catch (error) {
        // Conflicting shapes and conflicting JSON names have tests of their own.
        assert.equal((error as Error).name, 'DraftError');
        return [];
      }
    });
    assert.ok(files.length > 20, `only ${files.length} drafts were taken`);
    const sources = files.map(({ source, descriptor }) => [descriptor.name, source] as const);
    const set = fromBinary(FileDescriptorSetSchema, await compileProtos(Object.fromEntries(sources)));
    for (const { descriptor } of files) {
      const expected = set.file.find(({ name }) => name === descriptor.name);
      assert.ok(expected);
      assert.deepEqual(shape(descriptor), shape(expected));
      assert.deepEqual(places(descriptor), places(expected));
    }
  });
});

/** A draft of at most this many levels. Its names come from a small set, so that they conflict. */
function anyDraft(levels: number): fc.Arbitrary<object> {
  const kind = fc.constantFrom(
    'string',
    'int32',
    'int64',
    'uint32',
    'uint64',
    'double',
    'float',
    'bool',
    'bytes',
  );
  const description = fc.option(fc.string({ unit: 'binary', maxLength: 600 }), { nil: undefined });
  const flag = fc.constantFrom({}, { repeated: true }, { optional: true });
  const scalar = fc
    .record({ kind, flag, description })
    .map(({ flag: flags, description: text, ...rest }) => ({
      ...rest,
      ...flags,
      ...(text !== undefined && { description: text }),
    }));
  const field: fc.Arbitrary<unknown> =
    levels === 1
      ? fc.oneof(kind, scalar)
      : fc.oneof(
          kind,
          scalar,
          fc
            .record({ message: anyDraft(levels - 1), repeated: fc.boolean() })
            .map((one) => ({ ...one, kind: 'message' })),
        );
  const name = fc.stringMatching(/^[A-Za-z_]{1,2}[a-z0-9_]{0,3}[a-z]$/);
  return fc
    .record({
      message_name: name,
      description,
      fields: fc.dictionary(name, field, { minKeys: 1, maxKeys: 6, noNullPrototype: true }),
    })
    .map(({ description: text, ...rest }) => ({ ...rest, ...(text !== undefined && { description: text }) }));
}
