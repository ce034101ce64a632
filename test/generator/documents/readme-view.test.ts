import assert from 'node:assert/strict';
import { readmeView } from '../../../generator/documents/readme-view.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

describe('the README of a client', () => {
  it('begins with the first call, and lists all calls and the members without one', async () => {
    const model = await loadSdkFixture('basic');
    const [member] = model.members;
    assert.ok(member);
    const streams = { ...member, alias: 'stream <b>', mode: 'pipeline' as const };
    const view = readmeView({ ...model, members: [member, streams] }, [member], {
      fence: 'toy',
      heading: ({ alias }) => `do ${alias}`,
      snippet: ({ alias }) => `call ${alias} \`\`\`\n`,
      example: ({ alias }) => `examples/${alias}`,
    });
    assert.deepEqual(
      view.calls.map(({ heading, example }) => [heading, example]),
      [[`\`do ${member.alias}\``, `examples/${member.alias}`]],
    );
    assert.match(view.firstSnippet, /^````+toy\ncall /);
    assert.equal(view.firstSnippet, view.calls[0]?.snippet);
    assert.equal(view.later.length, 1);
    assert.match(view.later[0] ?? '', /^`stream <b>`: /);
  });

  it('begins with nothing when there is nothing to call', async () => {
    const model = await loadSdkFixture('basic');
    const nothing = () => '';
    const words = { fence: 'toy', heading: nothing, snippet: nothing, example: nothing };
    const { calls, firstSnippet, later } = readmeView(model, [], words);
    assert.deepEqual([calls, firstSnippet, later.length], [[], '', model.members.length]);
  });
});
