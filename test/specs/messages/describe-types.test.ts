import assert from 'node:assert/strict';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import type { FieldModel, MessageModel, TypeModel } from '../../../specs/messages/message-model.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { itSlow } from '../../support/fast-run.ts';
import { kitchenSink } from '../../support/kitchen-sink.ts';

async function describeSource(source: string, ...roots: string[]): Promise<TypeModel> {
  return describeTypes((await compiledRegistry(source)).descriptorSet, roots);
}

function field(message: MessageModel | undefined, name: string): FieldModel {
  const found = message?.fields.find((each) => each.name === name);
  assert.ok(found, `no field ${name}`);
  return found;
}

describe('describing types', () => {
  it('describes a message in the documented form', async () => {
    const model = await describeSource(
      `syntax = "proto3"; package acme.text.v1;
       message Word { string text = 1; optional int64 count = 2; }`,
      'acme.text.v1.Word',
    );
    assert.deepEqual(model, {
      messages: [
        {
          fullName: 'acme.text.v1.Word',
          name: 'Word',
          comment: '',
          deprecated: false,
          fields: [
            {
              name: 'text',
              jsonName: 'text',
              number: 1,
              comment: '',
              deprecated: false,
              cardinality: 'single',
              type: { kind: 'scalar', scalar: 'string' },
            },
            {
              name: 'count',
              jsonName: 'count',
              number: 2,
              comment: '',
              deprecated: false,
              cardinality: 'optional',
              type: { kind: 'scalar', scalar: 'int64' },
            },
          ],
          oneofs: [],
        },
      ],
      enums: [],
    });
  });

  it('survives structuredClone and JSON, and accepts descriptor bytes or a registry', async () => {
    const registry = await compiledRegistry(kitchenSink);
    const model = describeTypes(registry, ['test.v1.Sink']);
    assert.deepEqual(structuredClone(model), model);
    assert.deepEqual(JSON.parse(JSON.stringify(model)), model);
    assert.deepEqual(describeTypes(registry.descriptorSet, ['test.v1.Sink']), model);
  });

  it('follows fields, lists and maps, and lists each type once, sorted by name', async () => {
    const source = `syntax = "proto3"; package p;
      message Root { repeated B b = 1; map<string, A> a = 2; Z z = 3; Root again = 4; }
      message A { Inner i = 1; message Inner { E e = 1; enum E { E0 = 0; } } }
      message B { A a = 1; }
      message Z { TopE e = 1; }
      enum TopE { T0 = 0; }
      message Unreached { Root root = 1; }`;
    const model = await describeSource(source, 'p.Root', 'p.B', 'p.Root');
    assert.deepEqual(
      model.messages.map(({ fullName }) => fullName),
      ['p.A', 'p.A.Inner', 'p.B', 'p.Root', 'p.Z'],
    );
    assert.deepEqual(
      model.enums.map(({ fullName, name }) => [fullName, name]),
      [
        ['p.A.Inner.E', 'A.Inner.E'],
        ['p.TopE', 'TopE'],
      ],
    );
    assert.equal(model.messages[1]!.name, 'A.Inner');
    assert.deepEqual(await describeSource(source, 'p.B', 'p.Root'), model);
  });

  it('keeps names without a package', async () => {
    const model = await describeSource('syntax = "proto3"; message A { B b = 1; message B {} }', 'A');
    assert.deepEqual(
      model.messages.map(({ fullName, name }) => [fullName, name]),
      [
        ['A', 'A'],
        ['A.B', 'A.B'],
      ],
    );
  });

  it('names well-known types in fields without listing them', async () => {
    const model = await describeSource(kitchenSink, 'test.v1.Sink', 'google.protobuf.Struct');
    const sink = model.messages[0];
    assert.deepEqual(
      model.messages.map(({ name }) => name),
      ['Sink'],
    );
    assert.deepEqual(
      model.enums.map(({ name }) => name),
      ['Color'],
    );
    assert.deepEqual(field(sink, 'any').type, { kind: 'wellKnown', wellKnown: 'Any' });
    assert.deepEqual(field(sink, 'null').type, { kind: 'wellKnown', wellKnown: 'NullValue' });
    assert.deepEqual(field(sink, 'uint64_value').type, { kind: 'wellKnown', wellKnown: 'UInt64Value' });
    assert.deepEqual(field(sink, 'values'), {
      ...field(sink, 'values'),
      cardinality: 'map',
      mapKey: 'string',
      type: { kind: 'wellKnown', wellKnown: 'Value' },
    });
  });

  it('treats other types of google.protobuf as ordinary messages', async () => {
    const source = `syntax = "proto3"; package p; import "google/protobuf/source_context.proto";
      message A { google.protobuf.SourceContext c = 1; }`;
    const model = await describeSource(source, 'p.A');
    assert.deepEqual(
      model.messages.map(({ fullName, name }) => [fullName, name]),
      [
        ['google.protobuf.SourceContext', 'SourceContext'],
        ['p.A', 'A'],
      ],
    );
  });

  it('merges the encodings of an integer type, including those of map keys', async () => {
    const sink = (await describeSource(kitchenSink, 'test.v1.Sink')).messages[0];
    const scalar = (name: string) => field(sink, name).type;
    assert.deepEqual(scalar('a_sfixed64'), { kind: 'scalar', scalar: 'int64' });
    assert.deepEqual(scalar('a_sint32'), { kind: 'scalar', scalar: 'int32' });
    assert.deepEqual(scalar('a_fixed32'), { kind: 'scalar', scalar: 'uint32' });
    assert.equal(field(sink, 'by_fixed64').mapKey, 'uint64');
    assert.equal(field(sink, 'by_bool').mapKey, 'bool');
    assert.deepEqual(field(sink, 'by_uint64').type, { kind: 'scalar', scalar: 'int64' });
  });

  it('lists real oneofs only, and marks their members', async () => {
    const sink = (await describeSource(kitchenSink, 'test.v1.Sink')).messages[0];
    assert.deepEqual(sink!.oneofs, [
      { name: 'pick', comment: '', fields: ['pick_number', 'pick_text', 'pick_color', 'pick_child'] },
    ]);
    assert.equal(field(sink, 'pick_color').oneof, 'pick');
    assert.equal(field(sink, 'pick_color').cardinality, 'single');
    assert.equal('oneof' in field(sink, 'maybe_int32'), false);
    assert.equal(field(sink, 'maybe_color').cardinality, 'optional');
  });

  it('describes message fields alike, with or without optional', async () => {
    const sink = (await describeSource(kitchenSink, 'test.v1.Sink')).messages[0];
    assert.equal(field(sink, 'child').cardinality, 'single');
    assert.equal(field(sink, 'maybe_child').cardinality, 'single');
  });

  it('keeps JSON names', async () => {
    const sink = (await describeSource(kitchenSink, 'test.v1.Sink')).messages[0];
    assert.equal(field(sink, 'by_string').jsonName, 'byString');
    assert.equal(field(sink, 'proto').jsonName, '__proto__');
  });

  it('maps the presence rules of proto2 and editions', async () => {
    const two = await describeSource(
      `syntax = "proto2"; package p; message A { required int32 must = 1; optional int32 may = 2;
       repeated int32 many = 3; optional group Group = 4 { optional int32 x = 1; } }`,
      'p.A',
    );
    const [a] = two.messages;
    assert.deepEqual(
      a!.fields.map(({ name, cardinality }) => [name, cardinality]),
      [
        ['must', 'optional'],
        ['may', 'optional'],
        ['many', 'repeated'],
        ['group', 'single'],
      ],
    );
    assert.deepEqual(field(a, 'group').type, { kind: 'message', fullName: 'p.A.Group' });
    const edition = await describeSource(
      `edition = "2023"; package p; message A { int32 explicit = 1;
       int32 implicit = 2 [features.field_presence = IMPLICIT]; }`,
      'p.A',
    );
    assert.deepEqual(
      edition.messages[0]!.fields.map(({ cardinality }) => cardinality),
      ['optional', 'single'],
    );
  });

  it('keeps aliases and the order of enum values', async () => {
    const model = await describeSource(
      `syntax = "proto3"; package p; message A { E e = 1; }
       enum E { option allow_alias = true; ZERO = 0; TWO = 2; NIL = 0 [deprecated = true]; ONE = 1; }`,
      'p.A',
    );
    assert.deepEqual(
      model.enums[0]!.values.map(({ name, number, deprecated }) => [name, number, deprecated]),
      [
        ['ZERO', 0, false],
        ['TWO', 2, false],
        ['NIL', 0, true],
        ['ONE', 1, false],
      ],
    );
  });

  it('reads comments of messages, fields, oneofs, enums and values', async () => {
    const model = await describeSource(
      `syntax = "proto3"; package p;
// Detached.

// A message.
//   - indented
//
// End.
message A {
  /**
   * A field.
   *   More of it.
   */
  string leading = 1; // not this
  string trailing = 2; // behind it
  // buf:lint:ignore FIELD_LOWER_SNAKE_CASE
  // linted
  string linted = 3 [deprecated = true];
  // A oneof.
  oneof pick {
    // A member.
    E e = 4;
  }
  /* one line */
  message Inner {
    // Deep.
    string deep = 1;
  }
  Inner inner = 5;
}
// An enum.
enum E {
  // A value.
  E0 = 0;
}`,
      'p.A',
    );
    const [a, inner] = model.messages;
    assert.equal(a!.comment, 'A message.\n  - indented\n\nEnd.');
    assert.deepEqual(
      a!.fields.map(({ comment }) => comment),
      ['A field.\n  More of it.', 'behind it', 'linted', 'A member.', ''],
    );
    assert.equal(field(a, 'linted').deprecated, true);
    assert.equal(a!.oneofs[0]!.comment, 'A oneof.');
    assert.equal(inner!.comment, 'one line');
    assert.equal(inner!.fields[0]!.comment, 'Deep.');
    assert.equal(model.enums[0]!.comment, 'An enum.');
    assert.equal(model.enums[0]!.values[0]!.comment, 'A value.');
  });

  it('rejects an unknown root', async () => {
    await assert.rejects(
      describeSource('syntax = "proto3"; package p;', 'p.None'),
      /there is no message p\.None/,
    );
  });

  itSlow(
    'follows chains of messages that are deeper than the stack, as stored before the limit existed',
    async () => {
      // The compiler refuses such a chain, so the types are linked here.
      const source = Array.from({ length: 9_901 }, (_, i) => `message M${i} {}`).join('\n');
      const { descriptorSet } = await compiledRegistry(`syntax = "proto3"; package p; ${source}`);
      const set = fromBinary(FileDescriptorSetSchema, descriptorSet);
      const types = set.file.find(({ name }) => name === 'test.proto')?.messageType ?? [];
      for (const [i, { field: fields }] of types.slice(0, -1).entries()) {
        const { OPTIONAL: label } = FieldDescriptorProto_Label;
        const { MESSAGE: type } = FieldDescriptorProto_Type;
        const next = { name: 'next', jsonName: 'next', number: 1, typeName: `.p.M${i + 1}`, label, type };
        fields.push(create(FieldDescriptorProtoSchema, next));
      }
      const model = describeTypes(toBinary(FileDescriptorSetSchema, set), ['p.M0']);
      assert.equal(model.messages.length, 9_901);
    },
  );
});
