import type { ApiError } from '../../errors/api-error.ts';
import { nodeUnreachable } from '../../errors/node-errors.ts';
import { connectText } from './connect-text.ts';
import type { DirectCaller } from './direct-execution.ts';

/**
 * Returns the refusal of a call whose container was unreachable or violated the protocol. Its message names
 * the container.
 */
export function unreachableRefusal(
  text: string,
  executionId: string,
  { tenant, found: { node, callable, target } }: Pick<DirectCaller, 'tenant' | 'found'>,
): ApiError {
  const named = connectText(text, { name: node.name, node: callable, target, tenantId: tenant.id });
  return nodeUnreachable(text, executionId, named);
}
