import type { Operation } from '../../specs/operations/operation.ts';
import type { AnyAnswer } from './answer/answer.ts';
import type { Handler, RequestContext } from './request-context.ts';

/** An operation with its handler, without the types of the operation. */
export interface Route {
  operation: Operation;
  handle(context: RequestContext<Operation>): Promise<AnyAnswer> | AnyAnswer;
  /**
   * For a WebSocket: throws what `handle` would refuse, and opens nothing. Browsers hide the status of a refused WebSocket, so
   * their clients repeat the request without an upgrade.
   */
  check?(context: RequestContext<Operation>): Promise<void>;
}

/**
 * Binds a handler to its operation, which types the request and the responses.
 *
 * @example bind(getClient).to(async ({ principal, params }) => ({ status: 200, body: await read(principal, params.id) }))
 */
export function bind<O extends Operation>(
  operation: O,
): { to(handle: Handler<O>, check?: (context: RequestContext<O>) => Promise<void>): Route } {
  // Two calls: the compiler infers `status: 200` as a literal only if the operation's type is already fixed.
  return {
    to: (handle, check) => ({
      operation,
      // `serve-operation.ts` parses each request by the operation of its route, so this is a context of O.
      handle: (context) => handle(context),
      ...(check && { check: (context) => check(context) }),
    }),
  };
}
