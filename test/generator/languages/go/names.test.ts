import assert from 'node:assert/strict';
import { exportedName } from '../../../../generator/languages/go/go-words.ts';
import { moduleNames } from '../../../../generator/languages/go/module-names.ts';
import { planNames } from '../../../../generator/languages/go/plan-names.ts';
import type { Appearance, SdkModel } from '../../../../generator/model/sdk-model.ts';
import type { EnumModel, FieldModel, MessageModel } from '../../../../specs/messages/message-model.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

function enumOf(fullName: string, values: string[]): EnumModel {
  return {
    fullName,
    name: fullName.split('.').at(-1) ?? '',
    comment: '',
    deprecated: false,
    values: values.map((name, number) => ({ name, number, comment: '', deprecated: false })),
  };
}

function messageOf(fullName: string): MessageModel {
  return {
    fullName,
    name: fullName.split('.').at(-1) ?? '',
    comment: '',
    deprecated: false,
    fields: [],
    oneofs: [],
  };
}

async function modelWith(types: Partial<SdkModel['types']>, firstSeen: Appearance[] = []): Promise<SdkModel> {
  const model = await loadSdkFixture('empty-messages');
  return { ...model, members: [], types: { messages: [], enums: [], ...types }, firstSeen };
}

describe('names in Go', () => {
  it('are exported, with Go initialisms in capitals', () => {
    const names = ['unit_price', 'user_id', 'userIds', 'HTTPServer', 'api-url', '3d', 'größe', 'a_b'];
    assert.deepEqual(names.map(exportedName), [
      'UnitPrice',
      'UserID',
      'UserIDs',
      'HTTPServer',
      'APIURL',
      'N3d',
      'Grosse',
      'AB',
    ]);
  });

  it('prefix the constants of an enum with its type name once', async () => {
    const model = await modelWith({
      enums: [enumOf('a.State', ['STATE_UNSPECIFIED', 'OPEN', 'STATE_', 'STATE_2ND'])],
    });
    assert.deepEqual(
      [...(planNames(model).values.get('a.State')?.values() ?? [])],
      ['StateUnspecified', 'StateOpen', 'StateState', 'StateN2Nd'],
    );
  });

  it('prefix the constants of a nested enum with its type name once', async () => {
    const nested = {
      ...enumOf('a.Order.Status', ['ORDER_STATUS_PAID', 'STATUS_SENT', 'LOST', 'ORDER_STATUS_']),
      name: 'Order.Status',
    };
    const { types, values } = planNames(await modelWith({ enums: [nested] }));
    const type = types.get('a.Order.Status') ?? '';
    assert.deepEqual(
      [...(values.get('a.Order.Status')?.values() ?? [])],
      [`${type}Paid`, `${type}Sent`, `${type}Lost`, `${type}OrderStatus`],
    );
  });

  it('prefix the cases of a oneof with the message and oneof names once', async () => {
    const oneofs = [{ name: 'pick', comment: '', fields: ['pick_text', 'number'] }];
    const fields = ['pick_text', 'number'].map((name): FieldModel => ({
      ...{ name, jsonName: name, number: 1, comment: '', deprecated: false, oneof: 'pick' },
      cardinality: 'single',
      type: { kind: 'scalar', scalar: 'string' },
    }));
    const messages = [{ ...messageOf('a.Order'), oneofs, fields }, messageOf('a.OrderPickText')];
    const { cases, types } = planNames(await modelWith({ messages }));
    assert.deepEqual(
      [...(cases.get('a.Order') ?? [])],
      [
        ['pick_text', 'OrderPickText2'],
        ['number', 'OrderPickNumber'],
      ],
    );
    assert.equal(types.get('a.OrderPickText'), 'OrderPickText');
  });

  it('have no underscore before a number in fields', async () => {
    const fields = ['string', 'String', 'STRING'].map((name): FieldModel => ({
      ...{ name, jsonName: name, number: 1, comment: '', deprecated: false },
      cardinality: 'single',
      type: { kind: 'scalar', scalar: 'string' },
    }));
    const names = planNames(await modelWith({ messages: [{ ...messageOf('a.Order'), fields }] }));
    assert.deepEqual([...(names.fields.get('a.Order')?.values() ?? [])].sort(), [
      'String2',
      'String3',
      'String_',
    ]);
  });

  it('derive constants from the final name of their type', async () => {
    const model = await modelWith({
      enums: [enumOf('a.State', ['OPEN']), enumOf('b.State', ['OPEN', 'SHUT'])],
    });
    const { values } = planNames(model);
    assert.deepEqual([...(values.get('a.State')?.values() ?? [])], ['StateOpen']);
    assert.deepEqual([...(values.get('b.State')?.values() ?? [])], ['BStateOpen', 'BStateShut']);
  });

  it('never rename an older constant for a newer type', async () => {
    const enums = [enumOf('a.State', ['OPEN'])];
    const messages = [messageOf('a.StateOpen')];
    const together = planNames(await modelWith({ enums, messages }));
    assert.equal(together.types.get('a.StateOpen'), 'StateOpen');
    assert.equal(together.values.get('a.State')?.get('OPEN'), 'StateOpen2');
    const seen = [{ version: 2, members: [], types: ['a.StateOpen'], parts: [] }];
    const later = planNames(await modelWith({ enums, messages }, seen));
    assert.equal(later.values.get('a.State')?.get('OPEN'), 'StateOpen');
    assert.equal(later.types.get('a.StateOpen'), 'AStateOpen');
  });

  it('keep the folders of examples short and distinct, even for long aliases', async () => {
    const model = await loadSdkFixture('unicode');
    const [member] = model.members;
    assert.ok(member);
    const aliases = ['日'.repeat(200), `${'日'.repeat(199)}本`, 'x'.repeat(200), 'X'.repeat(200)];
    const names = planNames({ ...model, members: aliases.map((alias) => ({ ...member, alias })) });
    const folders = [...names.examples.values()];
    assert.equal(new Set(folders.map((folder) => folder.toLowerCase())).size, aliases.length);
    for (const folder of folders) assert.match(folder, /^[a-z0-9](?:[a-z0-9_-]{0,83}[a-z0-9])$/);
  });

  it('avoid the methods that every client has', async () => {
    const model = await loadSdkFixture('flows');
    const [member] = model.members;
    assert.ok(member);
    const aliases = ['execution', 'list-pauses', 'string', 'other'];
    const { calls } = planNames({ ...model, members: aliases.map((alias) => ({ ...member, alias })) });
    assert.deepEqual([...calls.values()], ['ExecutionCall', 'ListPausesCall', 'StringCall', 'Other']);
  });

  it('avoid the names of the package, and are unique within each scope', async () => {
    const names = planNames(await loadSdkFixture('hostile-names'));
    assert.equal(names.types.get('acme.names.v1.Client'), 'NamesClient');
    for (const scope of [names.types, names.calls, ...names.fields.values()]) {
      const all = [...scope.values()];
      assert.equal(new Set(all).size, all.length);
      for (const name of all) assert.match(name, /^[A-Z][A-Za-z0-9_]*$/);
    }
    const constants = [...names.values.values()].flatMap((values) => [...values.values()]);
    const all = [...names.types.values(), ...constants];
    assert.equal(new Set(all).size, all.length);
  });
});

describe('names of Go modules', () => {
  const base = { name: '', description: '' };

  async function namesOf(slug: string, { handle = 'acme', semver = '1.2.3' } = {}): Promise<string[]> {
    const model = await loadSdkFixture('empty-messages');
    const { path, packageName, importLine } = moduleNames({
      ...model,
      client: { ...base, slug, handle },
      semver,
    });
    return [path, packageName, importLine];
  }

  it('combine prefix, handle and slug, with the slug without hyphens as the package name', async () => {
    assert.deepEqual(await namesOf('words'), [
      'go.svc.internal/acme/words',
      'words',
      '"go.svc.internal/acme/words"',
    ]);
    assert.deepEqual(await namesOf('acme-text'), [
      'go.svc.internal/acme/acme-text',
      'acmetext',
      'acmetext "go.svc.internal/acme/acme-text"',
    ]);
  });

  it('end in the major version from v2 on', async () => {
    assert.deepEqual(await namesOf('words', { semver: '2.0.0' }), [
      'go.svc.internal/acme/words/v2',
      'words',
      'words "go.svc.internal/acme/words/v2"',
    ]);
    assert.equal((await namesOf('words', { semver: '10.1.0' }))[0], 'go.svc.internal/acme/words/v10');
  });

  it('avoid names that are special to the go command or the language', async () => {
    for (const slug of ['internal', 'vendor', 'v2', 'con', 'testdata'])
      assert.equal((await namesOf(slug))[0], `go.svc.internal/acme/${slug}-sdk`);
    assert.equal((await namesOf('words', { handle: 'internal' }))[0], 'go.svc.internal/internal-sdk/words');
    for (const [slug, name] of [
      ['documentation', 'documentationsdk'],
      ['type', 'typesdk'],
      ['main', 'mainsdk'],
      ['init', 'initsdk'],
      ['svc', 'svcsdk'],
      ['context', 'contextsdk'],
      ['3d', 'n3d'],
    ])
      assert.equal((await namesOf(slug ?? ''))[1], name);
  });

  it('avoid identifiers that the programs of an archive use', async () => {
    const { language, templates } = await loadLanguage('go');
    const files = await sdkFiles(await loadSdkFixture('well-known'), language, templates);
    const programs = files.filter(({ path }) => /(^example_test|^client_test|main)\.go$/.test(path));
    const words = programs.flatMap(({ content }) => {
      const code = String(content).replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|\/\/.*/g, '');
      return code.match(/(?<![\w.])[a-z][a-z0-9]*(?!\w)/g) ?? [];
    });
    const used = new Set(words.filter((word) => word !== 'wellknown'));
    assert.ok(programs.length > 4 && used.size > 40, String(used.size));
    const clashing: string[] = [];
    for (const word of used) if ((await namesOf(word))[1] === word) clashing.push(word);
    assert.deepEqual(clashing, []);
  });
});
