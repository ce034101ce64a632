import assert from 'node:assert/strict';
import type { SdkModel } from '../../../../generator/model/sdk-model.ts';
import { planNames } from '../../../../generator/languages/rust/plan-names.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('names in Rust', () => {
  async function withAliases(aliases: string[], changes: Partial<SdkModel> = {}): Promise<SdkModel> {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    return { ...model, members: aliases.map((alias) => ({ ...member, alias })), ...changes };
  }

  it('are valid and unique within each scope', async () => {
    for (const fixture of ['hostile-names', 'hostile-text', 'long-names', 'unicode', 'enums']) {
      const names = planNames(await loadSdkFixture(fixture));
      const scopes = [
        names.types,
        names.calls,
        names.examples,
        ...[names.fields, names.cases, names.values].flatMap((parts) => [...parts.values()]),
      ];
      for (const scope of scopes) {
        assert.equal(new Set(scope.values()).size, scope.size);
        for (const name of scope.values()) assert.match(name, /^(r#)?[A-Za-z][A-Za-z0-9_]{0,61}$/);
      }
    }
  });

  it('escape keywords and avoid the methods of every client', async () => {
    const { calls } = planNames(await withAliases(['type', 'self', 'new', 'clone', 'plain']));
    assert.deepEqual(Object.fromEntries(calls), {
      type: 'r#type',
      self: 'self_',
      new: 'new_',
      clone: 'clone_',
      plain: 'plain',
    });
  });

  it('keep the name New free for constructors', async () => {
    const model = await withAliases([]);
    const [message] = model.types.messages;
    assert.ok(message);
    const messages = [{ ...message, name: 'New', fullName: 'acme.text.v1.New' }];
    const { types } = planNames({ ...model, types: { messages, enums: [] } });
    assert.equal(types.get('acme.text.v1.New'), 'TextNew');
  });

  it('avoid the any_execution method of the client', async () => {
    const { calls } = planNames(await withAliases(['any execution']));
    assert.equal(calls.get('any execution'), 'any_execution_');
    const model = await loadSdkFixture('flows');
    const flow = model.members.find(({ type }) => type === 'flow');
    assert.ok(flow);
    const { flows } = planNames({ ...model, members: [{ ...flow, alias: 'any' }] });
    assert.equal(flows.get('any')?.execution, 'any_execution_');
  });

  it('are numbered without r#, since `r#match2` and `match2` are one identifier', async () => {
    const { calls } = planNames(await withAliases(['MATCH', 'match', 'match2']));
    assert.deepEqual(Object.fromEntries(calls), { MATCH: 'r#match', match: 'match3', match2: 'match2' });
  });

  it('drop the enum name from values, and keep the names of aliases', async () => {
    const { values, types } = planNames(await loadSdkFixture('enums'));
    const state = values.get('acme.enums.v1.State');
    assert.deepEqual([state?.get('STATE_OPEN'), state?.get('STATE_LOST')], ['Open', 'Lost']);
    const level = values.get('acme.enums.v1.Level');
    assert.deepEqual([level?.get('INFO'), level?.get('INFORMATION')], ['Info', 'INFORMATION']);
    assert.notEqual(types.get('acme.enums.v1.State'), types.get('acme.enums.v1.Enums.State'));
  });

  it('drop the name of the enclosing message when enum values repeat both', async () => {
    const model = await loadSdkFixture('enums');
    const [type] = model.types.enums;
    assert.ok(type);
    const values = ['ORDER_STATUS_PAID', 'STATUS_SENT', 'ORDER_LOST'].map((name, number) => ({
      name,
      number,
      comment: '',
      deprecated: false,
    }));
    const status = { ...type, name: 'Order.Status', fullName: 'acme.Order.Status', values };
    const names = planNames({ ...model, types: { ...model.types, enums: [status] } });
    assert.deepEqual([...(names.values.get('acme.Order.Status')?.values() ?? [])].sort(), [
      'OrderLost',
      'Paid',
      'Sent',
    ]);
  });

  it('are truncated at a word boundary when too long', async () => {
    const alias = 'count every single word of all the documents in the whole wide collection of mine';
    const { calls } = planNames(await withAliases([alias]));
    assert.equal(calls.get(alias), 'count_every_single_word_of_all_the_documents_in');
  });

  it('are stable when a newer symbol has the same intended name', async () => {
    const appearance = { version: 2, members: ['a-b'], types: [], parts: [] };
    const { calls } = planNames(await withAliases(['a-b', 'a_b'], { firstSeen: [appearance] }));
    assert.deepEqual([calls.get('a_b'), calls.get('a-b')], ['a_b', 'a_b2']);
  });

  it('keep examples from shadowing crates and naming Windows devices', async () => {
    const { examples } = planNames(await withAliases(['tokio', 'nul', 'acme_acme_text', 'plain']));
    assert.deepEqual([...examples.values()].sort(), ['acme_acme_text_', 'nul_', 'plain', 'tokio_']);
  });

  it('prefix the package and crate of a handle that starts with a digit', async () => {
    const model = await loadSdkFixture('basic');
    const names = planNames({ ...model, client: { ...model.client, handle: '3-d', slug: 'text' } });
    assert.deepEqual([names.package, names.crate], ['svc-3-d-text', 'svc_3_d_text']);
  });
});
