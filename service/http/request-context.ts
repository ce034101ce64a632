import type { z } from 'zod';
import type { Operation, OperationBody } from '../../specs/operations/operation.ts';
import type { Principal } from '../access/principal.ts';
import type { Answer } from './answer/answer.ts';
import type { UnreadForm } from './request/unread-form.ts';
import type { UnreadJson } from './request/unread-json.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A request as its handler sees it: admitted by the gate and parsed by the shapes of its operation. */
export interface RequestContext<O extends Operation> {
  /** The caller. Undefined for public operations, and for a request without a key if the key is optional. */
  principal: PrincipalOf<O['caller']>;
  params: O['params'] extends z.ZodType ? z.infer<O['params']> : Record<string, never>;
  query: O['query'] extends z.ZodType ? z.infer<O['query']> : Record<string, never>;
  body: BodyOf<O['body']>;
  /** Names are lower-case. */
  headers: RequestHeaders;
  /** IP address of the connection. */
  address: string;
  /** Aborts when the client leaves, or closes its sending half, before the response is complete. */
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
    ? | UnreadJson
      | (B extends { orLines: object } ? AsyncIterable<string> : never)
      | (B extends { orForm: object } ? UnreadForm : never)
    : B extends { kind: 'lines' }
      ? AsyncIterable<string>
      : undefined;

/**
 * Handles a request of an operation. An ApiError that it throws is the response; any other error is logged and becomes a 500 or
 * 503.
 */
export type Handler<O extends Operation> = (context: RequestContext<O>) => Promise<Answer<O>> | Answer<O>;
