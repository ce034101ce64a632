import assert from 'node:assert/strict';
import { summary } from '../../../../generator/languages/csharp/doc-comment.ts';
import { printExpression, type Expression } from '../../../../generator/languages/csharp/expressions.ts';
import { bytesLiteral, stringLiteral } from '../../../../generator/languages/csharp/literals.ts';
import { packageNames } from '../../../../generator/languages/csharp/package-names.ts';
import { planNames } from '../../../../generator/languages/csharp/plan-names.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('C# texts', () => {
  it('quote strings and bytes', () => {
    assert.equal(stringLiteral('plain'), '"plain"');
    assert.equal(stringLiteral('"\\\n'), '"\\"\\\\\\n"');
    assert.equal(stringLiteral('größe {x}'), '"größe {x}"');
    assert.equal(stringLiteral('\u2028\u202e\u{e0041}'), '"\\u2028\\u202e\\U000e0041"');
    assert.equal(bytesLiteral(new TextEncoder().encode('ship')), '"ship"u8.ToArray()');
    assert.equal(bytesLiteral(Uint8Array.of(0, 255)), 'new byte[] { 0, 255 }');
  });

  it('escape XML in comments', () => {
    assert.equal(summary(['a <b> & c']), '/// <summary>a &lt;b&gt; &amp; c</summary>');
    assert.equal(summary(['one\u2028two']), '/// <summary>one[U+2028]two</summary>');
    assert.equal(
      summary(['one\n\ntwo'], 4),
      ['<summary>', '<para>', 'one', '</para>', '<para>', 'two', '</para>', '</summary>']
        .map((line) => `/// ${line}`)
        .join('\n    '),
    );
  });

  it('break a long expression into one item per line', () => {
    const short: Expression = { head: 'new A', brackets: '{}', items: [{ key: 'B', value: '1' }] };
    assert.equal(printExpression(short, 0, 0), 'new A { B = 1 }');
    assert.equal(printExpression({ ...short, items: [] }, 0, 0), 'new A()');
    const text = `"${'x'.repeat(95)}"`;
    const long: Expression = { head: '', brackets: '[]', items: [{ value: text }, { value: short }] };
    assert.equal(printExpression(long, 0, 0), `[\n    ${text},\n    new A { B = 1 },\n]`);
    assert.equal(
      printExpression({ ...long, head: 'F', brackets: '()' }, 0, 0),
      `F(\n    ${text},\n    new A { B = 1 })`,
    );
  });
});

describe('the license of a C# package', () => {
  it('is an SPDX expression if NuGet accepts it, and a file otherwise', async () => {
    const { language, templates } = await loadLanguage('csharp');
    const model = await loadSdkFixture('basic');
    const expression = (license: string): string => `PackageLicenseExpression>${license}<`;
    const file = 'PackageLicenseFile>LICENSE<';
    for (const [license, expected] of [
      ['MIT', expression('MIT')],
      ['(MIT OR Apache-2.0+) AND ISC', expression('(MIT OR Apache-2.0+) AND ISC')],
      ['GPL-2.0-only WITH Classpath-exception-2.0', expression('GPL-2.0-only WITH Classpath-exception-2.0')],
      // NuGet fails for deprecated licenses.
      ['GPL-2.0+', file],
      ['MIT OR (GPL-3.0 AND ISC)', file],
      ['LicenseRef-Acme', file],
      ['DocumentRef-a:LicenseRef-b', file],
    ] as const) {
      const client = { ...model.client, metadata: { license } };
      const files = await sdkFiles({ ...model, client }, language, templates);
      const project = files.find(({ path }) => /^src\/.*\.csproj$/.test(path))?.content;
      const found = /<(PackageLicense\w+>[^<]*<)/.exec(String(project))?.[1];
      assert.equal(found, expected, license);
    }
  });
});

describe('names in C#', () => {
  it('avoid namespaces that would shadow imported types', async () => {
    const model = await loadSdkFixture('basic');
    const named = (slug: string): string =>
      packageNames({ ...model, client: { ...model.client, handle: 'acme', slug } }).namespace;
    assert.equal(named('text-tools'), 'Acme.TextTools');
    assert.equal(named('task'), 'Acme.TaskSdk');
    assert.equal(named('client'), 'Acme.ClientSdk');
    assert.equal(named('3d'), 'Acme.N3d');
    assert.equal(named('f-unction'), 'Acme.FUnctionSdk');
  });

  it('never give a namespace the name of its client class', async () => {
    const model = await loadSdkFixture('basic');
    const named = (slug: string, handle = 'acme'): string[] => {
      const { id, namespace, client } = packageNames({ ...model, client: { ...model.client, handle, slug } });
      return [id, namespace, client];
    };
    assert.deepEqual(named('demo'), ['Acme.Demo', 'Acme.Demo', 'DemoClient']);
    assert.deepEqual(named('demo-client'), ['Acme.DemoClient', 'Acme.Demo', 'DemoClient']);
    assert.deepEqual(named('client'), ['Acme.ClientSdk', 'Acme.ClientSdk', 'ClientClient']);
    assert.deepEqual(named('task-client'), ['Acme.TaskClient', 'Acme.TaskSdk', 'TaskClient']);
    assert.deepEqual(named('acme-client'), ['Acme.AcmeClient', 'Acme.AcmeSdk', 'AcmeClient']);
    assert.deepEqual(named('http-client'), [
      'Acme.HttpClientSdk',
      'Acme.HttpClientSdk',
      'HttpClientSdkClient',
    ]);
    assert.deepEqual(named('shop-client', 'shop-client'), [
      'ShopClient.ShopClient',
      'ShopClient.ShopClient',
      'ShopClientSdkClient',
    ]);
  });

  it('name the client after the slug, without clashes with imported types', async () => {
    const model = await loadSdkFixture('basic');
    const named = (slug: string, handle = 'acme'): string =>
      packageNames({ ...model, client: { ...model.client, handle, slug } }).client;
    assert.equal(named('shop'), 'ShopClient');
    assert.equal(named('shop-client'), 'ShopClient');
    assert.equal(named('client'), 'ClientClient');
    assert.equal(named('http'), 'HttpSdkClient');
    assert.equal(named('raw'), 'RawSdkClient');
    assert.equal(named('shop', 'shop-client'), 'ShopSdkClient');
  });

  it('drop the enum name that values repeat', async () => {
    const model = await loadSdkFixture('enums');
    const [sample] = model.types.enums;
    assert.ok(sample);
    const names = ['ORDER_STATUS_OPEN', 'STATUS_PAID', 'LOST', 'STATUS_'];
    const values = names.map((name, number) => ({ name, number, comment: '', deprecated: false }));
    const status = { ...sample, name: 'Order.Status', fullName: 'acme.v1.Order.Status', values };
    const planned = planNames({ ...model, types: { ...model.types, enums: [status] } }).values;
    const own = planned.get(status.fullName);
    assert.deepEqual(
      names.map((name) => own?.get(name)),
      ['Open', 'Paid', 'Lost', 'Status'],
    );
  });

  it('differ by more than case, and avoid built-in types and the name of their own type', async () => {
    const model = await loadSdkFixture('hostile-names');
    const { calls, fields, types, values } = planNames(model);
    for (const scope of [calls, types, ...fields.values(), ...values.values()]) {
      const names = [...scope.values()];
      assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
      for (const name of names) assert.match(name, /^[A-Z][A-Za-z0-9]*$/);
    }
    for (const [message, own] of fields) assert.ok(![...own.values()].includes(types.get(message) ?? ''));
    assert.equal(types.get('acme.names.v1.String'), 'NamesString');
    assert.equal(calls.get('class'), 'Class');
  });

  it('include uploads in the scope of the calls, for pipeline nodes only', async () => {
    const { members, ...model } = await loadSdkFixture('basic');
    const [member] = members;
    assert.ok(member);
    const pipeline = { ...member, mode: 'pipeline' as const };
    const planned = planNames({
      ...model,
      members: [
        { ...pipeline, alias: 'read' },
        { ...member, alias: 'upload-read' },
        { ...pipeline, alias: 'write2' },
      ],
    });
    assert.equal(planned.calls.get('upload-read'), 'UploadRead');
    assert.deepEqual(Object.fromEntries(planned.uploads), { read: 'UploadRead2', write2: 'UploadWrite2' });
  });

  it('include split streams and sessions in the scope of the calls, for pipeline nodes only', async () => {
    const { members, ...model } = await loadSdkFixture('basic');
    const [member] = members;
    assert.ok(member);
    const planned = planNames({
      ...model,
      members: [
        { ...member, mode: 'pipeline', alias: 'read' },
        { ...member, mode: 'unary', alias: 'read-stream' },
        { ...member, mode: 'unary', alias: 'open-read' },
      ],
    });
    assert.equal(planned.calls.get('read-stream'), 'ReadStream');
    assert.equal(planned.calls.get('open-read'), 'OpenRead');
    assert.deepEqual(Object.fromEntries(planned.sessions), {
      read: { create: 'CreateReadStream', find: 'ReadStream2', open: 'OpenRead2' },
    });
  });

  it('keep the folders of examples short and distinct, even for long aliases', async () => {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    const long = 'very long alias that goes on '.repeat(7).trim();
    const members = [long, `${long} on`].map((alias) => ({ ...member, alias }));
    const folders = [...planNames({ ...model, members }).examples.values()];
    assert.equal(new Set(folders).size, 2);
    for (const folder of folders) {
      assert.ok(`examples/${folder}/Example.csproj`.length <= 200, folder);
      assert.match(folder, /^[a-z0-9]+(?:-[a-z0-9_]+)*$/);
    }
  });

  it('contain no underscore when equal names are numbered', async () => {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    const members = ['large2', 'large2☕', 'large2\u0301'].map((alias) => ({ ...member, alias }));
    const { calls } = planNames({ ...model, members });
    assert.deepEqual([...calls.values()].sort(), ['Large2', 'Large2Call', 'Large2Call2']);
  });

  it('never give a type the name of one of its members, or a keyword in another case', async () => {
    const model = await loadSdkFixture('basic');
    const messages = ['fUnction', 'GetHashCode', 'Name', 'to_json', 'UseCaseNames'].map((name) => ({
      ...{ fullName: `acme.v1.${name}`, name, comment: '', deprecated: false },
      ...{ fields: [], oneofs: [] },
    }));
    const enums = ['Number', 'to_string'].map((name) => ({
      ...{ fullName: `acme.v1.${name}`, name, comment: '', deprecated: false },
      values: [],
    }));
    const { types } = planNames({ ...model, types: { messages, enums } });
    assert.deepEqual([...types.values()].sort(), [
      ...[
        'AcmeGetHashCode',
        'AcmeToJson',
        'AcmeToString',
        'FUnctionMessage',
        'Name',
        'NumberMessage',
        'UseCaseNamesMessage',
      ],
    ]);
  });

  it('never give a type the name of a client namespace or of the MakeSample method', async () => {
    const model = await loadSdkFixture('basic');
    const messages = ['acme', 'make_sample', 'Sample'].map((name) => ({
      ...{ fullName: `x.v1.${name}`, name, comment: '', deprecated: false },
      ...{ fields: [], oneofs: [] },
    }));
    const named = { ...model, client: { ...model.client, handle: 'acme' }, types: { messages, enums: [] } };
    assert.deepEqual([...planNames(named).types.values()].sort(), ['Sample', 'XAcme', 'XMakeSample']);
    const sampleClient = { ...named, client: { ...named.client, slug: 'sample-client' } };
    assert.deepEqual([...planNames(sampleClient).types.values()].sort(), ['XAcme', 'XMakeSample', 'XSample']);
  });
});
