import assert from 'node:assert/strict';
import type { MessageModel } from '../../../../specs/messages/message-model.ts';
import type { NodeMember, SdkModel } from '../../../../generator/model/sdk-model.ts';
import { planNames, propertiesOf, tableName } from '../../../../generator/languages/typescript/names.ts';

describe('names in TypeScript', () => {
  it('are camel case for calls and pascal case for types', () => {
    const names = planNames(model({ aliases: ['count-words'], messages: ['acme.v1.Word_count'] }));
    assert.equal(names.client, 'AcmeTextClient');
    assert.equal(names.functions.get('count-words'), 'countWords');
    assert.equal(names.types.get('acme.v1.Word_count'), 'WordCount');
    assert.equal(names.examples.get('count-words'), 'count-words');
  });

  it('avoid reserved words and names of the runtime', () => {
    const names = planNames(
      model({
        aliases: ['class', 'then', 'connect', 'execution'],
        messages: ['acme.v1.Promise', 'acme.v1.Call'],
      }),
    );
    assert.deepEqual([...names.functions.values()].sort(), [
      'callClass',
      'callConnect',
      'callExecution',
      'callThen',
    ]);
    assert.deepEqual([...names.types.values()].sort(), ['AcmeCall', 'AcmePromise']);
  });

  it('keep the paths of examples short enough for an archive', () => {
    const alias = 'aB'.repeat(100);
    const example = planNames(model({ aliases: [alias] })).examples.get(alias) ?? '';
    assert.ok(example.length > 150 && example.length <= 160, example);
  });

  it('are unique, including those of type tables', () => {
    const names = planNames(
      model({ aliases: ['a b', 'a-b', 'word-type'], messages: ['a.v1.Word', 'b.v1.Word'] }),
    );
    const types = [...names.types.values()];
    const all = [...names.functions.values(), ...types, ...types.map(tableName)];
    assert.equal(new Set(all).size, all.length);
  });

  it('are stable when a newer symbol sorts before an older one', () => {
    const before = planNames(model({ aliases: ['a-b'] }));
    const firstSeen = [{ version: 2, members: ['a b'], types: [], parts: [] }];
    const after = planNames({ ...model({ aliases: ['a b', 'a-b'] }), firstSeen });
    assert.equal(after.functions.get('a-b'), before.functions.get('a-b'));
  });

  it('differ by more than case in file names, and avoid Windows devices', () => {
    const names = planNames(model({ aliases: ['Word', 'word', 'con'] }));
    const files = [...names.examples.values()].map((name) => name.toLowerCase());
    assert.equal(new Set(files).size, 3);
    assert.ok(!files.includes('con'));
  });

  it('avoid inherited object members', () => {
    const fields = ['constructor', '__proto__', 'text'];
    const names = planNames(model({ messages: ['a.Word'], fields }));
    assert.deepEqual([...propertiesOf(names, 'a.Word').values()].sort(), [
      '__proto___',
      'constructor_',
      'text',
    ]);
  });
});

interface Given {
  aliases?: string[];
  messages?: string[];
  fields?: string[];
}

function model({ aliases = [], messages = [], fields = [] }: Given): SdkModel {
  return {
    client: { name: 'Text', slug: 'acme-text', description: '', handle: 'acme' },
    version: 2,
    semver: '1.1.0',
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: aliases.map((alias): NodeMember => ({
      type: 'node',
      alias,
      mode: 'unary',
      pin: { package: 'acme/text', version: '1.0.0', node: 'Node', ulid: '01J' },
      comment: '',
      input: 'a.Word',
      output: 'a.Word',
      sample: {},
    })),
    types: { messages: messages.map((fullName) => message(fullName, fields)), enums: [] },
    changelog: [],
    firstSeen: [],
    order: [],
  };
}

function message(fullName: string, fields: string[]): MessageModel {
  return {
    fullName,
    name: fullName.split('.').at(-1) ?? '',
    comment: '',
    deprecated: false,
    oneofs: [],
    fields: fields.map((name, index) => ({
      name,
      jsonName: name,
      number: index + 1,
      comment: '',
      deprecated: false,
      cardinality: 'single',
      type: { kind: 'scalar', scalar: 'string' },
    })),
  };
}
