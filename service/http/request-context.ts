import type { z } from 'zod';
import type { Operation, OperationBody } from '../../specs/operations/operation.ts';
import type { Principal } from '../access/principal.ts';

/** What a handler is given: everything checked by what its operation declares. */
export interface RequestContext<O extends Operation> {
  /** The caller; `undefined` exactly where the operation is public, and where nobody showed a key that it could do without. */
  principal: PrincipalOf<O['caller']>;
  params: O['params'] extends z.ZodType ? z.infer<O['params']> : Record<string, never>;
  query: O['query'] extends z.ZodType ? z.infer<O['query']> : Record<string, never>;
  body: BodyOf<O['body']>;
  /** Lower-case request headers. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
}

type PrincipalOf<Caller extends Operation['caller']> = Caller extends 'public'
  ? undefined
  : Caller extends 'optional-key'
    ? Principal | undefined
    : Principal;

type BodyOf<B extends OperationBody | undefined> = B extends {
  kind: 'json';
  shape: infer S extends z.ZodType;
}
  ? z.infer<S>
  : B extends { kind: 'bytes' }
    ? Buffer
    : undefined;

/** What a handler answers: a declared status, a body that is sent as JSON unless it is bytes or text. */
export interface Reply {
  status: number;
  body?: object | string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
}

export type Handler<O extends Operation> = (context: RequestContext<O>) => Promise<Reply> | Reply;
