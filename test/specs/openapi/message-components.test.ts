import assert from 'node:assert/strict';
import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { createSampler } from '../../../generator/model/sample-message.ts';
import type { MessageRegistry } from '../../../service/messages/registry.ts';
import type { Direction } from '../../../specs/json-schema/json-schema.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { type MessageComponents, messageComponents } from '../../../specs/openapi/message-components.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { kitchenSink } from '../../support/kitchen-sink.ts';
import { openApiValidator } from '../../support/openapi-validator.ts';
import {
  type Accepts,
  assertInputsAgree,
  assertOutputsFit,
  unforeseenRefusals,
} from '../../support/schema-agreement.ts';

const typeName = 'test.v1.Sink';

describe('messages as OpenAPI 3.0 schemas', function () {
  this.timeout(300_000);
  let registry: MessageRegistry;
  const sink = (): MessageComponents =>
    messageComponents(describeTypes(registry, [typeName]), { inputs: [typeName], outputs: [typeName] });
  const acceptsBy = (direction: Direction): Accepts => {
    const { schemas, schemaOf } = sink();
    return openApiValidator({ components: { schemas } }, schemaOf(typeName, direction));
  };

  before(async () => {
    registry = await compiledRegistry(kitchenSink);
  });

  it('accept and refuse the same JSON as the service', () => {
    const unforeseen = [
      ...unforeseenRefusals,
      // What keys a map has.
      /: invalid map key: |: duplicate key /,
      // Spellings of RFC 3339 that ProtoJSON does not have, and a type that is missing.
      /"\d{4}-\d\d-\d\d[Tt][\d:.]+([Zz]|[+-][\d:]+)" is not a valid google\.protobuf\.Timestamp: /,
    ];
    const accepts = acceptsBy('input');
    assertInputsAgree({ registry, typeName, accepts, form: 'openapi', unforeseen, runs: 1_500 });
  });

  it('accept everything that the service writes', () => {
    assertOutputsFit(registry, typeName, acceptsBy('output'), 30);
  });

  it('accept the sample', () => {
    const sample = createSampler(describeTypes(registry, [typeName])).sample(typeName);
    assert.ok(acceptsBy('input')(sample));
    assert.ok(acceptsBy('output')(sample));
  });

  const source = `syntax = "proto3"; package p;
    // A word.
    message Word {
      // Its text.
      string text = 1;
      // How often.
      int64 count = 2 [deprecated = true];
      Word next = 3;
      // What it is.
      Kind kind = 4;
      oneof origin { string author = 5; Word root = 6; }
      map<int32, bool> seen = 7;
    }
    message Ask { Word word = 1; }
    message Answer { Word word = 1; }
    // A kind.
    enum Kind {
      KIND_UNSPECIFIED = 0;
      // A noun.
      NOUN = 1;
    }`;

  const components = async (): Promise<Record<string, SchemaObject>> => {
    const types = describeTypes((await compiledRegistry(source)).descriptorSet, ['p.Ask', 'p.Answer']);
    return messageComponents(types, { inputs: ['p.Ask'], outputs: ['p.Answer'] }).schemas;
  };

  it('have a second component if input and output differ', async () => {
    assert.deepEqual(Object.keys(await components()), [
      'p.Answer',
      'p.Ask',
      'p.Kind',
      'p.Kind-output',
      'p.Word',
      'p.Word-output',
    ]);
  });

  it('have unique titles, because generators name types by them', async () => {
    const schemas = Object.values(await components());
    assert.deepEqual(
      schemas.map(({ title }) => title),
      ['Answer', 'Ask', 'Kind', 'KindOutput', 'Word', 'WordOutput'],
    );
    const clashing = `syntax = "proto3"; package p;
      message Word { Outer.Word inner = 1; word_output other = 2; }
      message Outer { message Word { string text = 1; } }
      message word_output { string text = 1; }`;
    const types = describeTypes((await compiledRegistry(clashing)).descriptorSet, ['p.Word']);
    const titles = Object.entries(
      messageComponents(types, { inputs: ['p.Word'], outputs: ['p.Word'] }).schemas,
    );
    assert.deepEqual(
      titles.map(([name, { title }]) => [name, title]),
      [
        ['p.Outer.Word', 'Outer.Word'],
        ['p.Outer.Word-output', 'Outer.WordOutput'],
        ['p.Word', 'Word'],
        ['p.Word-output', 'p.Word-output'],
        ['p.word_output', 'p.word_output'],
        ['p.word_output-output', 'word_outputOutput'],
      ],
    );
  });

  it('describe comments, deprecation, oneofs, map keys and recursion', async () => {
    const { 'p.Word': word, 'p.Kind': kind, 'p.Kind-output': kindOutput } = await components();
    assert.deepEqual(word, {
      title: 'Word',
      description: 'A word.',
      type: 'object',
      properties: {
        text: { type: 'string', nullable: true, description: 'Its text.' },
        count: {
          type: 'string',
          format: 'int64',
          pattern: '^-?[0-9]+$',
          nullable: true,
          description: 'How often.\n\nA 64-bit integer as a string. A JSON integer is also accepted.',
          deprecated: true,
        },
        next: { $ref: '#/components/schemas/p.Word' },
        kind: { description: 'What it is.', allOf: [{ $ref: '#/components/schemas/p.Kind' }] },
        author: {
          type: 'string',
          description: 'One of the oneof `origin`: set at most one of its fields.',
        },
        root: {
          description: 'One of the oneof `origin`: set at most one of its fields.',
          allOf: [{ $ref: '#/components/schemas/p.Word' }],
        },
        seen: {
          type: 'object',
          additionalProperties: { type: 'boolean' },
          nullable: true,
          description: 'Keys are integers (int32) in decimal.',
        },
      },
      additionalProperties: false,
      not: { required: ['author', 'root'] },
    });
    assert.deepEqual(kind, {
      title: 'Kind',
      description: 'A kind.\n\n- `NOUN`: A noun.',
      type: 'string',
      enum: ['KIND_UNSPECIFIED', 'NOUN'],
    });
    assert.deepEqual(kindOutput?.anyOf, [
      { type: 'string', enum: ['KIND_UNSPECIFIED', 'NOUN'] },
      { type: 'integer', format: 'int32' },
    ]);
  });

  it('exist for well-known types and used messages only', () => {
    const { schemaOf } = messageComponents(
      { messages: [], enums: [] },
      { inputs: ['google.protobuf.Struct'], outputs: [] },
    );
    const schema: SchemaObject | ReferenceObject = schemaOf('google.protobuf.Struct', 'input');
    assert.deepEqual(schema, { title: 'google.protobuf.Struct', type: 'object', additionalProperties: true });
    assert.throws(() => schemaOf('p.Word', 'input'), /p\.Word is not a used input message/);
    const twice = { inputs: ['google.protobuf.Struct'], outputs: ['google.protobuf.Struct'] };
    const echoed = messageComponents({ messages: [], enums: [] }, twice);
    const output = echoed.schemaOf('google.protobuf.Struct', 'output');
    assert.equal((output as SchemaObject).title, 'google.protobuf.StructOutput');
  });
});
