import type { NodeCallContext, NodeInvocation } from '../../service/nodes/container/call-context.ts';

/** Returns a call like those of the service, for tests that call containers directly. */
export function nodeInvocation(
  node: string,
  input: Uint8Array,
  context: Partial<NodeCallContext> = {},
): NodeInvocation {
  const executionId = '0123456789abcdef0123456789abcdef';
  return {
    input,
    context: {
      executionId,
      node,
      packageName: '',
      packageVersion: '',
      tenantId: 'tenant-1',
      attempt: 1,
      idempotencyId: `${executionId}:0`,
      deadlineMs: 0,
      traceparent: `00-${executionId}-0123456789abcdef-01`,
      ...context,
    },
  };
}

/** Returns the options of a call with this timeout. */
export function within(timeoutMs: number): { deadlineMs: number } {
  return { deadlineMs: Date.now() + timeoutMs };
}
