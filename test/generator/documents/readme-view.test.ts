import assert from 'node:assert/strict';
import { readmeView } from '../../../generator/documents/readme-view.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

describe('the README of a client', () => {
  it('shows the call that was added first, and lists all calls in order', async () => {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    const added = { ...member, alias: 'added <b>' };
    const order = [added.alias, member.alias];
    const view = readmeView(
      { ...model, members: [member, added], order },
      {
        fence: 'toy',
        heading: ({ alias }) => `do ${alias}`,
        snippet: ({ alias }) => `call ${alias} \`\`\`\n`,
        example: ({ alias }) => `examples/${alias}`,
      },
    );
    assert.deepEqual(
      view.calls.map(({ heading, example }) => [heading, example]),
      [
        [`\`do ${member.alias}\``, `examples/${member.alias}`],
        ['`do added <b>`', 'examples/added <b>'],
      ],
    );
    assert.match(view.firstSnippet, /^````+toy\ncall added /);
    assert.equal(view.firstSnippet, view.calls[1]?.snippet);
  });

  it('has no calls and no first snippet without members', async () => {
    const model = await loadSdkFixture('basic');
    const nothing = () => '';
    const terms = { fence: 'toy', heading: nothing, snippet: nothing, example: nothing };
    const { calls, firstSnippet } = readmeView({ ...model, members: [] }, terms);
    assert.deepEqual([calls, firstSnippet], [[], '']);
  });
});
