import assert from 'node:assert/strict';
import type { TypeModel } from '../../../specs/messages/message-model.ts';
import { definitionOf, typeReach } from '../../../generator/model/type-reach.ts';
import { surfaceOfProto } from '../../support/proto-surface.ts';

const source = `
message Receipt { repeated Item items = 1; State state = 2; map<string, Receipt> parts = 3; }
message Item { string name = 1; string at = 2; }
enum State { STATE_UNSPECIFIED = 0; OPEN = 1; }
`;

async function typesOf(messages: string, input = 'Receipt'): Promise<TypeModel> {
  const { types } = await surfaceOfProto(messages, [{ alias: 'a', input, output: input }]);
  return types;
}

describe('what a type reaches', () => {
  it('is itself and what its fields lead to, each once', async () => {
    const reach = typeReach(await typesOf(source));
    const names = (root: string) => reach.of(root)?.map(({ fullName }) => fullName);
    assert.deepEqual(names('acme.v1.Receipt'), ['acme.v1.Receipt', 'acme.v1.Item', 'acme.v1.State']);
    assert.deepEqual(names('acme.v1.Item'), ['acme.v1.Item']);
    assert.deepEqual(names('google.protobuf.Struct'), []);
  });

  it('is not told of a type that reaches more than 64', async () => {
    const chain = (length: number): string =>
      Array.from({ length }, (_, index) =>
        index === length - 1 ? `message M${index} {}` : `message M${index} { M${index + 1} next = 1; }`,
      ).join('\n');
    assert.equal(typeReach(await typesOf(chain(64), 'M0')).of('acme.v1.M0')?.length, 64);
    assert.equal(typeReach(await typesOf(chain(65), 'M0')).of('acme.v1.M0'), undefined);
  });
});

describe('the definition of a type', () => {
  const receiptOf = async (messages: string): Promise<string> => {
    const { messages: described } = await typesOf(messages);
    const receipt = described.find(({ name }) => name === 'Receipt');
    assert.ok(receipt);
    return definitionOf(receipt);
  };

  it('does without comments', async () => {
    assert.equal(
      await receiptOf(source.replace('State state', '// Told.\nState state')),
      await receiptOf(source),
    );
  });

  it('is another one with each field, and with what is deprecated', async () => {
    const changes = [
      source.replace('State state = 2;', 'State state = 2 [deprecated = true];'),
      source.replace('State state = 2;', 'State state = 4;'),
      source.replace('State state = 2;', 'optional State state = 2;'),
      source.replace('State state = 2;', 'oneof one { State state = 2; }'),
      source.replace('map<string, Receipt>', 'map<int32, Receipt>'),
    ];
    const definitions = await Promise.all([source, ...changes].map(receiptOf));
    assert.equal(new Set(definitions).size, definitions.length);
  });
});
