import assert from 'node:assert/strict';
import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { limits } from '../../../../specs/limits.ts';
import { ServedPackageSchema } from '../../../../service/nodes/container/protocol.ts';
import { packageDifference } from '../../../../service/nodes/verify/package-difference.ts';
import type { PublishedContent, PublishedPorts } from '../../../../service/nodes/verify/published-content.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';

const fields = `
  string text = 1;
  repeated int64 counts = 2;
  map<string, Word> words = 3;
  optional Kind kind = 4;
  google.protobuf.Timestamp at = 5;
`;

/** `fields` are those of Request; `word` is the type of Word.letters, which Request reaches through a map. */
const source = (own = fields, word = 'uint32') => `
syntax = "proto3";
package acme.text;
import "google/protobuf/timestamp.proto";
message Request { ${own} }
message Reply { bool done = 1; }
message Word { ${word} letters = 1; Word next = 2; }
message Unreached { string text = 1; }
enum Kind { KIND_UNSPECIFIED = 0; }
`;

const split: PublishedPorts = {
  name: 'Split',
  mode: 'unary',
  inputMessage: 'acme.text.Request',
  outputMessage: 'acme.text.Reply',
};
const open: PublishedPorts = {
  name: 'Open',
  mode: 'unary',
  inputMessage: null,
  outputMessage: 'acme.text.Reply',
};

interface Served {
  name?: string;
  version?: string;
  nodes?: { name: string; inputMessage?: string; outputMessage?: string; mode?: string }[];
  descriptorSet?: Uint8Array;
}

describe('comparing a container with the published package', () => {
  let published: PublishedContent;
  const servedSplit = { ...split, inputMessage: 'acme.text.Request', outputMessage: 'acme.text.Reply' };
  const servedOpen = { name: 'Open', outputMessage: 'acme.text.Reply', mode: 'unary' };

  before(async () => {
    const registry = await compiledRegistry({ 'acme/text.proto': source() });
    published = { name: 'acme/text', version: '1.0.0', nodes: [split, open], registry };
  });

  const difference = (...packages: Served[]): string | undefined =>
    packageDifference(
      published,
      packages.map((one) =>
        create(ServedPackageSchema, {
          name: 'acme/text',
          version: '1.0.0',
          nodes: [servedSplit, servedOpen],
          ...one,
        }),
      ),
    );
  const described = async (proto: string): Promise<string | undefined> => {
    const { descriptorSet } = await compiledRegistry({ 'other/place.proto': proto });
    return difference({ descriptorSet });
  };
  const sentence = (reason: string) => `the container does not serve acme/text 1.0.0 as published: ${reason}`;

  it('accepts the same nodes and messages', async () => {
    assert.equal(difference({}), undefined);
    assert.equal(await described(source()), undefined);
  });

  it('accepts additional packages and nodes', () => {
    const nodes = [{ name: 'More', mode: 'unary' }, servedSplit, servedOpen];
    assert.equal(difference({ name: 'acme/other', nodes: [] }, { nodes }), undefined);
  });

  it('accepts any version if the container names none', () => {
    assert.equal(difference({ version: '' }), undefined);
    assert.equal(difference({ version: '', nodes: [] }, {}), undefined);
  });

  it('reports another package or version', () => {
    assert.equal(difference(), sentence('it serves no package'));
    assert.equal(difference({ name: 'acme/orders' }), sentence('it serves acme/orders 1.0.0'));
    assert.equal(difference({ version: '1.0.1' }), sentence('it serves acme/text 1.0.1'));
    const names = ['a', 'b', 'c', 'd'].map((name) => ({ name: `acme/${name}`, version: '' }));
    assert.equal(difference(...names), sentence('it serves acme/a, acme/b, acme/c and others'));
  });

  it('does not disclose packages of other publishers', () => {
    assert.equal(difference({ name: 'rival/secret' }), sentence('it serves other packages'));
  });

  it('reports a different node', () => {
    assert.equal(difference({ nodes: [servedOpen] }), sentence('it has no node "Split"'));
    assert.equal(
      difference({ nodes: [{ ...servedSplit, inputMessage: 'acme.text.Reply' }, servedOpen] }),
      sentence('the input of node "Split" is acme.text.Reply, not acme.text.Request'),
    );
    assert.equal(
      difference({ nodes: [{ ...servedSplit, outputMessage: '' }, servedOpen] }),
      sentence('the output of node "Split" is open, not acme.text.Reply'),
    );
    assert.equal(
      difference({ nodes: [servedSplit, { ...servedOpen, inputMessage: 'acme.text.Request' }] }),
      sentence('the input of node "Open" is acme.text.Request, not open'),
    );
    assert.equal(
      difference({ nodes: [{ ...servedSplit, mode: 'pipeline' }, servedOpen] }),
      sentence('the mode of node "Split" is "pipeline", not "unary"'),
    );
  });

  for (const [what, from, to, reason] of [
    ['name', 'string text = 1', 'string body = 1', 'the field "string body = 1", not "string text = 1"'],
    ['type', 'string text = 1', 'bytes text = 1', 'the field "bytes text = 1", not "string text = 1"'],
    [
      'message type',
      'google.protobuf.Timestamp at',
      'Word at',
      'the field "acme.text.Word at = 5", not "google.protobuf.Timestamp at = 5"',
    ],
    [
      'cardinality',
      'repeated int64',
      'int64',
      'the field "int64 counts = 2", not "repeated int64 counts = 2"',
    ],
    ['number', 'string text = 1', 'string text = 9', 'no field "string text = 1"'],
    [
      'further field',
      'string text = 1;',
      'string text = 1; bool more = 9;',
      'a field "bool more = 9", which was not published',
    ],
  ] as const) {
    it(`reports a different field: its ${what}`, async () => {
      const changed = fields.replace(from, to);
      assert.notEqual(changed, fields);
      assert.equal(await described(source(changed)), sentence(`acme.text.Request has ${reason}`));
    });
  }

  it('reports a difference in a message reached through a map, even if messages are recursive', async () => {
    assert.equal(
      await described(source(fields, 'string')),
      sentence('acme.text.Word has the field "string letters = 1", not "uint32 letters = 1"'),
    );
  });

  it('ignores field presence, unreachable messages and well-known types', async () => {
    assert.equal(await described(source(fields.replace('optional ', ''))), undefined);
    assert.equal(await described(source().replace('Unreached { string', 'Unreached { int32')), undefined);
  });

  it('reports a missing message and an unreadable descriptor set', async () => {
    assert.equal(
      await described(source().replaceAll('message Reply', 'message Answer')),
      sentence('it does not describe acme.text.Reply'),
    );
    const broken = difference({ descriptorSet: Uint8Array.of(10, 200) });
    assert.match(broken ?? '', /as published: its descriptor set cannot be read: /);
  });

  it('uses little memory for hostile names', () => {
    // Each full name would have 120,000 characters.
    const messageType = Array.from({ length: 18_000 }, (_, index) => ({ name: index.toString(36) }));
    const file = [{ name: 'x.proto', package: 'p'.repeat(120_000), messageType }];
    const descriptorSet = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
    assert.ok(descriptorSet.length < limits.describeBytes);
    assert.equal(difference({ descriptorSet }), sentence('it does not describe acme.text.Request'));
  });

  it('removes control characters from hostile names, and shortens them', () => {
    const named = difference({ name: 'acme/text\u0000', version: '\u001b[31m1.0.0' });
    assert.equal(named, sentence('it serves acme/text   [31m1.0.0'));
    const long = difference({ name: `acme/${'x'.repeat(2 ** 20)}` }) ?? '';
    assert.ok(long.length < 300, `${long.length} characters`);
  });

  it('quotes names on one line, and shortens them', () => {
    const name = `acme/${'x'.repeat(300)}\n\u0007`;
    assert.equal(difference({ name }), sentence(`it serves acme/${'x'.repeat(95)}...`));
    const mode = 'una\nry';
    assert.equal(
      difference({ nodes: [{ ...servedSplit, mode }, servedOpen] }),
      sentence('the mode of node "Split" is "una ry", not "unary"'),
    );
  });
});
