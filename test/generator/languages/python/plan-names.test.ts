import assert from 'node:assert/strict';
import { planNames } from '../../../../generator/languages/python/plan-names.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('names in Python', () => {
  it('are valid and unique within each scope', async () => {
    const names = planNames(await loadSdkFixture('hostile-names'));
    for (const scope of [names.types, names.calls, names.examples]) {
      assert.equal(new Set(scope.values()).size, scope.size);
    }
    const members = [...names.fields.values(), ...names.values.values()];
    for (const scope of members) assert.equal(new Set(scope.values()).size, scope.size);
    const all = [names.types, names.calls, names.examples, ...members];
    for (const name of all.flatMap((scope) => [...scope.values()]))
      assert.match(name, /^[A-Za-z][A-Za-z0-9_]*$/);
  });

  it('avoid keywords and the methods of every client', async () => {
    const { calls, types } = planNames(await loadSdkFixture('hostile-names'));
    assert.equal(calls.get('class'), 'class_');
    assert.equal(calls.get('import'), 'import_');
    assert.equal(calls.get('close'), 'close_');
    assert.notEqual(types.get('acme.names.v1.None'), 'None');
  });

  it('are unique class names for types without a package', async () => {
    const model = await loadSdkFixture('basic');
    const [message] = model.types.messages;
    assert.ok(message);
    const messages = ['None', 'word2', 'Word2'].map((name) => ({ ...message, fullName: name, name }));
    const { types } = planNames({ ...model, types: { messages, enums: [] } });
    assert.deepEqual([...types.values()].sort(), ['NoneMessage', 'Word2', 'Word2Message2']);
  });

  it('keep examples from shadowing modules and naming Windows devices', async () => {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    const aliases = ['json', 'email', 'httpx', 'nul', 'plain'];
    const members = aliases.map((alias) => ({ ...member, alias }));
    const { calls, examples } = planNames({ ...model, members });
    assert.deepEqual([...calls.values()].sort(), [...aliases].sort());
    assert.deepEqual(
      aliases.map((alias) => examples.get(alias)),
      ['json_', 'email_', 'httpx_', 'nul_', 'plain'],
    );
  });

  it('are stable when a newer symbol has the same intended name', async () => {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    const members = ['a-b', 'a_b'].map((alias) => ({ ...member, alias }));
    const appearance = { version: 2, members: ['a-b'], types: [], parts: [] };
    const { calls } = planNames({ ...model, members, firstSeen: [appearance] });
    assert.deepEqual([calls.get('a_b'), calls.get('a-b')], ['a_b', 'a_b2']);
  });

  it('prefix the module of a handle that starts with a digit', async () => {
    const model = await loadSdkFixture('basic');
    const client = { ...model.client, handle: '3-d', slug: 'text' };
    const { distribution, module } = planNames({ ...model, client });
    assert.deepEqual([distribution, module], ['3-d-text', 'svc_3_d_text']);
  });
});
