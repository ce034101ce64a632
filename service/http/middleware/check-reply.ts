import { gateStatuses, type Operation } from '../../../specs/operations/operation.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Reply } from '../request-context.ts';

/**
 * Holds an answer against what its operation declares: outside production an undeclared status, or a body that is not of the
 * declared shape, fails loudly, so that the documents made from operations cannot drift from the code.
 */
export function checkReply(operation: Operation, reply: Reply): void {
  const declared = operation.responses[reply.status];
  if (!declared) {
    throw new Error(`operation ${operation.id} answered ${reply.status}, which it does not declare`);
  }
  if (!declared.shape) return;
  const parsed = declared.shape.safeParse(JSON.parse(wireText(reply.body)));
  if (!parsed.success) {
    throw new Error(
      `operation ${operation.id} answered ${reply.status} with an undeclared shape: ${parsed.error.message}`,
    );
  }
}

function wireText(body: Reply['body']): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : JSON.stringify(body ?? null);
}

/** The same for refusals, whose statuses may also be those of the gate. */
export function checkRefusal(operation: Operation, error: ApiError): void {
  if (operation.responses[error.status] || gateStatuses(operation).includes(error.status)) return;
  throw new Error(
    `operation ${operation.id} refused with ${error.status}, which it does not declare: ${error.message}`,
  );
}
