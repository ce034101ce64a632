import assert from 'node:assert/strict';
import { acceptedInvocation } from '../../../../specs/operations/flow-shapes.ts';
import {
  type Invocation,
  type InvocationEnd,
  presentInvocation,
} from '../../../../service/http/present/invocation.ts';

const executionId = '0123456789abcdef0123456789abcdef';

function textOf(invocation: Invocation): string {
  return presentInvocation(invocation).text;
}

function shown(end: InvocationEnd, mockedNodes: string[] = []): Record<string, unknown> {
  const body = JSON.parse(textOf({ executionId, end, mockedNodes })) as Record<string, unknown>;
  assert.deepEqual(acceptedInvocation.parse(body), body);
  return body;
}

describe('the response to an invocation', () => {
  const accepted = { accepted: true, execution_id: executionId };

  it('contains only the acceptance if the caller does not wait', () => {
    assert.deepEqual(shown({ kind: 'started' }), accepted);
  });

  it('contains the output exactly as written', () => {
    const text = '{"n":-0,"large":1e400,"s":"\\u00e9"}';
    const output = { form: 'json', text } as const;
    const answer = textOf({
      executionId,
      end: { kind: 'completed', output, completedAt: 7 },
      mockedNodes: [],
    });
    assert.ok(answer.includes(`"result":{"success":true,"output":${text},"completed_at":7}`), answer);
  });

  it('contains bytes as base64', () => {
    const output = { form: 'bytes', bytes: Uint8Array.of(251, 255) } as const;
    assert.deepEqual(shown({ kind: 'completed', output, completedAt: 7 }), {
      ...accepted,
      result: { success: true, payload: '+/8=', completed_at: 7 },
    });
  });

  for (const kind of ['failed', 'cancelled'] as const) {
    it(`contains the reason twice if the run ${kind === 'failed' ? 'failed' : 'was cancelled'}`, () => {
      const message = 'no "quotes"\n';
      assert.deepEqual(shown({ kind, message, completedAt: 7 }), {
        ...accepted,
        result: { success: false, error_message: message, completed_at: 7 },
        error_message: message,
      });
    });
  }

  it('contains the id of the pause of a paused run', () => {
    assert.deepEqual(shown({ kind: 'paused', pauseId: 'p' }), {
      ...accepted,
      execution_status: 'PAUSED',
      pause_id: 'p',
    });
  });

  it('reports how long it waited for a run that is still running', () => {
    assert.deepEqual(shown({ kind: 'running', waitedSeconds: 30 }), {
      ...accepted,
      error_message: 'timeout waiting for flow result (30s)',
      execution_status: 'RUNNING',
    });
  });

  it('lists mocked nodes for every outcome of the run', () => {
    const ends: InvocationEnd[] = [
      { kind: 'started' },
      { kind: 'failed', message: 'm', completedAt: 7 },
      { kind: 'running', waitedSeconds: 1 },
    ];
    for (const end of ends) assert.deepEqual(shown(end, ['a', 'b']).mocked_nodes, ['a', 'b']);
  });
});
