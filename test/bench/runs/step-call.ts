import { createContainerPool } from '../../../service/nodes/container/container-pool.ts';

/** Calls the node of one step, and returns its output. */
type StepCall = (step: { executionId: string; number: number; input: Uint8Array }) => Promise<Uint8Array>;

const timeoutMs = 30_000;

/**
 * Returns a function for the other parties that makes the same calls as the service does for a step, with an equally
 * large context.
 */
export function createStepCall(endpoint: string): StepCall {
  const containers = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  return async ({ executionId, number, input }) => {
    const deadlineMs = Date.now() + timeoutMs;
    const context = {
      executionId,
      node: 'Echo',
      packageName: 'bench/echo',
      packageVersion: '1.0.0',
      placementId: `n${number}`,
      tenantId: '01JD0000000000000000000000',
      attempt: 1,
      idempotencyId: `${executionId}:${number}`,
      deadlineMs,
      configJson: '{}',
      traceparent: `00-${executionId}-00f067aa0ba902b7-01`,
    };
    const outcome = await containers.invoke(endpoint, { context, input }, { deadlineMs });
    if (outcome.kind !== 'output') throw new Error(`step ${number}: ${JSON.stringify(outcome)}`);
    return outcome.bytes;
  };
}
