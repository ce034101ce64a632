import type { Operation } from '../../specs/operations/operation.ts';
import type { Handler } from './request-context.ts';

/** An operation with the handler that answers it. */
export interface Route {
  operation: Operation;
  handle: Handler<Operation>;
}

/** Ties a handler to the operation that types it; the one way to make a route. */
export function bind<O extends Operation>(operation: O, handle: Handler<O>): Route {
  // A handler is called with what its own operation declares (`serve-operation.ts` checks it), never with another's.
  return { operation, handle: handle };
}
