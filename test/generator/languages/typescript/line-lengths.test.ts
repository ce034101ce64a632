import assert from 'node:assert/strict';
import { check } from 'prettier';
import type { FieldModel, FieldType, MessageModel } from '../../../../specs/messages/message-model.ts';
import type { FlowMember, NodeMember, SdkModel } from '../../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { longNameModel, nameOf } from '../long-name-models.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

/** Lengths of names at which some construct reaches the end of its line, in characters of one or two columns. */
const lengths = Array.from({ length: 90 }, (_, index) => index + 1);

for (const id of ['typescript', 'typescript-browser'])
  suiteNeeds('typescript', `lines of the SDK in ${id}`, () => {
    it('break like prettier for names of any length', async function () {
      this.timeout(300_000);
      const { language, templates } = await loadLanguage(id);
      const files = await sdkFiles(modelOfLengths(), language, templates);
      const printed = files.filter(({ path }) =>
        /^(src\/\w+|test\/client\.test)\.ts$|^examples\//.test(path),
      );
      assert.ok(printed.length > lengths.length);
      for (const { path, content } of printed) {
        const text = String(content);
        assert.ok(await check(text, { filepath: path }), path);
      }
    });

    it('break like prettier in READMEs, tests and messages of clients with streams', async function () {
      this.timeout(300_000);
      const { language, templates } = await loadLanguage(id);
      for (const length of lengths.slice(39)) {
        const model = longNameModel({ alias: length, type: length, fields: length % 2 });
        for (const { path, content } of await sdkFiles(model, language, templates)) {
          if (!/^(README\.md|test\/client\.test\.ts|src\/messages\.ts)$/.test(path)) continue;
          assert.ok(await check(String(content), { filepath: path }), `${path} for ${length} characters`);
        }
      }
    });

    it('break like prettier in every snippet', async function () {
      this.timeout(300_000);
      const { language } = await loadLanguage(id);
      const model = modelOfLengths();
      const plan = language.plan(model);
      for (const member of model.members) {
        const snippet = plan.snippet(member);
        assert.ok(await check(snippet, { parser: 'typescript' }), snippet);
      }
    });
  });

/** Returns a model with a message, an enum, fields of every shape and a member for each length of names. */
function modelOfLengths(): SdkModel {
  const messages = lengths.map(messageOf);
  return {
    client: { name: 'Lengths', slug: 'lengths', description: '', handle: 'acme' },
    version: 1,
    semver: '1.0.0',
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: [...lengths.map(memberOf), ...lengths.map(flowOf)].sort((a, b) => (a.alias < b.alias ? -1 : 1)),
    types: {
      messages,
      enums: lengths.map((length) => ({
        fullName: `test.${nameOf('e', length)}`,
        name: nameOf('e', length),
        comment: '',
        deprecated: false,
        values: [{ name: nameOf('V', length), number: 0, comment: '', deprecated: false }],
      })),
    },
    changelog: [{ semver: '1.0.0', version: 1, added: [], changed: [], removed: [] }],
    firstSeen: [],
    order: [],
  };
}

function flowOf(length: number): FlowMember {
  const { mode, comment, input, output, sample } = memberOf(length);
  const pin = { artifact: nameOf('a', length), graph: nameOf('a', length) };
  return { type: 'flow', alias: nameOf('g', length), pin, mode, comment, input, output, sample };
}

function memberOf(length: number): NodeMember {
  const alias = nameOf('f', length);
  const message = `test.${nameOf('m', length)}`;
  return {
    type: 'node',
    alias,
    mode: 'unary',
    pin: { package: 'acme/text', version: '1.0.0', node: nameOf('N', length), ulid: '01J' },
    comment: '',
    input: message,
    output: message,
    sample: { [nameOf('s', length)]: 'some text', [nameOf('r', length)]: ['a', 'b'.repeat(length)] },
  };
}

function messageOf(length: number): MessageModel {
  const message: FieldType = { kind: 'message', fullName: `test.${nameOf('m', length)}` };
  const text: FieldType = { kind: 'scalar', scalar: 'string' };
  const single = field(nameOf('s', length), text);
  const enumeration = field(nameOf('e', length), {
    kind: 'enum',
    fullName: `test.${nameOf('e', length)}`,
  });
  // Odd lengths have one field, where prettier treats a list of fields differently.
  const others: FieldModel[] = [
    enumeration,
    field(nameOf('t', length), message),
    { ...field(nameOf('r', length), text), cardinality: 'repeated' },
    { ...field(nameOf('p', length), message), cardinality: 'map', mapKey: 'string' },
    { ...field(nameOf('c', length), text), oneof: nameOf('o', length) },
    { ...field(nameOf('d', length), message), oneof: nameOf('o', length) },
    { ...field(nameOf('q', length), text), oneof: nameOf('u', length) },
    { ...field(`${nameOf('w', length)}_x`, text), jsonName: '語'.repeat(length) },
  ];
  const fields = length % 5 === 0 ? [field(nameOf('t', length), message)] : [single, ...others];
  const oneofs = [nameOf('o', length), nameOf('u', length)].map((name) => ({
    name,
    comment: '',
    fields: fields.filter(({ oneof }) => oneof === name).map((each) => each.name),
  }));
  return {
    fullName: message.fullName,
    name: nameOf('m', length),
    comment: '',
    deprecated: false,
    fields,
    oneofs: oneofs.filter(({ fields: cases }) => cases.length > 0),
  };
}

function field(name: string, type: FieldType): FieldModel {
  return { name, jsonName: name, number: 1, comment: '', deprecated: false, cardinality: 'single', type };
}
