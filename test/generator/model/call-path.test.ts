import assert from 'node:assert/strict';
import { callPath } from '../../../generator/model/call-path.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';

describe('the path of a call', () => {
  it('contains the escaped package, version and node', async () => {
    const { members } = await loadSdkFixture('basic');
    const node = members.find(({ type }) => type === 'node');
    assert.ok(node?.type === 'node');
    const pin = { ...node.pin, package: 'acme/text', version: '1.0.0+build', node: 'Tokenize' };
    assert.equal(callPath({ ...node, pin }), '/invocations/v1/nodes/acme/text/1.0.0%2Bbuild/Tokenize');
  });

  it('is the same for every flow of a mode', async () => {
    const { members } = await loadSdkFixture('flows');
    const paths = members
      .filter(({ type }) => type === 'flow')
      .map((flow) => `${flow.mode} ${callPath(flow)}`);
    assert.deepEqual([...new Set(paths)].sort(), [
      'pipeline /invocations/v1/flows/invoke/stream',
      'unary /invocations/v1/flows/invoke',
    ]);
  });
});
