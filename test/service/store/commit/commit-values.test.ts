import assert from 'node:assert/strict';
import {
  callWritesFrom,
  operationsFrom,
  valuesOfCallWrites,
  valuesOfOperations,
} from '../../../../service/store/commit/commit-values.ts';
import type { Admission, RunOperation, Transition } from '../../../../service/store/commit/run-operation.ts';
import type { Execution } from '../../../../service/store/executions.ts';

const execution: Execution = {
  tenantId: 'tenant',
  id: '0197'.padEnd(32, '0'),
  graphId: 'graph',
  graphArtifactId: 'artifact',
  nodeId: null,
  nodeFqn: null,
  status: 'RUNNING',
  errorMessage: null,
  failureKind: null,
  failedNode: null,
  createdAt: 1_769_860_800_000,
  updatedAt: 1_769_860_800_001,
  completedAt: null,
  lineageRootExecutionId: null,
  forkedFromExecutionId: null,
  mutationEnabled: true,
  mutationSeq: 2,
  mockedNodeCount: 3,
};
const failed: Execution = {
  ...execution,
  id: '0198'.padEnd(32, '0'),
  graphId: null,
  graphArtifactId: null,
  nodeId: 'node',
  nodeFqn: 'owner/package/1.0.0/Node',
  status: 'FAILED',
  errorMessage: 'it “broke”\u2028twice',
  failureKind: 'NODE_ERROR',
  completedAt: 1_769_860_800_002,
  lineageRootExecutionId: execution.id,
  mutationEnabled: false,
};
const admission: Admission = {
  kind: 'admit',
  execution,
  owner: 'replica',
  body: '[{"type":"admitted"}]',
  keyHash: 'key:1',
  caps: { invocations: 10, executions: 20 },
};
const transition: Transition = {
  kind: 'append',
  tenantId: 'tenant',
  executionId: execution.id,
  seq: 7,
  body: '[]',
  at: 1_769_860_800_003,
  branches: [],
  caps: { invocations: 1, executions: 2 },
  ends: [],
};

describe('values for the commit thread', () => {
  const operations: [what: string, operation: RunOperation][] = [
    ['an admission', admission],
    ['an admission without an owner', { ...admission, owner: '' }],
    ['an admission that has ended', { ...admission, execution: failed, owner: null }],
    ['an admission with a cap on open runs', { ...admission, inflight: 0 }],
    ['an admission with a topic', { ...admission, topic: { session: 'a1' } }],
    ['an admission with the topic of an app key', { ...admission, topic: { session: 'a1', appKey: 'key' } }],
    ['a transition', transition],
    ['a transition with branches', { ...transition, branches: [failed, execution] }],
    [
      'a transition with ends',
      {
        ...transition,
        ends: [
          {
            executionId: execution.id,
            status: 'COMPLETED',
            errorMessage: null,
            failureKind: null,
            failedNode: null,
          },
          {
            executionId: failed.id,
            status: 'FAILED',
            errorMessage: 'why',
            failureKind: 'JOIN',
            failedNode: 'a',
          },
        ],
      },
    ],
    ['a transition with mutations', { ...transition, mutated: { times: 2, seq: 5 } }],
    ['a transition that releases the run', { ...transition, releaseUntil: 0 }],
  ];
  for (const [what, operation] of operations) {
    it(`preserve ${what}`, () => {
      assert.deepEqual(operationsFrom(structuredClone(valuesOfOperations([operation]))), [operation]);
    });
  }

  it('preserve the order of operations', () => {
    const all = operations.map(([, operation]) => operation);
    assert.deepEqual(operationsFrom(structuredClone(valuesOfOperations([...all, ...all]))), [...all, ...all]);
    assert.deepEqual(operationsFrom(valuesOfOperations([])), []);
  });

  it('preserve the executions and journal rows of calls', () => {
    const row = { tenantId: 'tenant', executionId: failed.id, seq: 3, body: '[]', at: 7 };
    const all = [{ execution }, { row }, { execution: failed }];
    assert.deepEqual(callWritesFrom(structuredClone(valuesOfCallWrites(all))), all);
  });
});
