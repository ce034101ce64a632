import assert from 'node:assert/strict';
import { pageChangelog } from '../../../../generator/languages/typescript-browser/page-changelog.ts';
import { manyFlows } from '../../../support/many-flows.ts';

describe('the changelog of an archive for browsers', () => {
  it('includes changes of flows and types, but not of nodes', () => {
    const [flow] = manyFlows(1).members;
    const pin = { package: 'acme/text', version: '1.0.0', node: 'Say' };
    const node = { ...flow!, alias: 'say "it"', type: 'node', pin } as typeof flow & object;
    const kept = {
      added: ['Call "pay" (flow artifact f00).', 'Message acme.Order.'],
      changed: ['Call "pay" has a new description.', 'Call "say \\"it\\"" is a node instead of a flow.'],
      removed: ['Call "buy" (flow artifact f01).'],
    };
    const release = {
      semver: '1.0.0',
      version: 1,
      added: [...kept.added, 'Call "say \\"it\\"" (node Say of acme/text 1.0.0).'],
      changed: [...kept.changed, 'Call "say \\"it\\"" has a new description.'],
      removed: ['Call "old" (node Old of acme/text 1.0.0).', ...kept.removed],
    };
    assert.deepEqual(pageChangelog([release], [node]), [{ semver: '1.0.0', version: 1, ...kept }]);
  });
});
