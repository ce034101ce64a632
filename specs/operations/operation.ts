import type { z } from 'zod';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What a key may do; a full key has all three unless it was made with fewer (SPEC.md, Authentication 4). */
export type Scope = 'read' | 'write' | 'invoke';

/**
 * Which error bodies the operation speaks (SPEC.md, Errors): `management` `{error: <text>}`, `invocation`
 * `{error: <class>, message}`, `node` `{error_message}`, `preview` plain text, `system` for probes and our own documents.
 */
export type Family = 'management' | 'invocation' | 'node' | 'preview' | 'system';

/**
 * One HTTP operation as data: it is enforced by `service/http/bind.ts` and documented from the same object. A path parameter
 * is written `{name}`.
 */
export interface Operation {
  /** Unique, camelCase: the `operationId` of OpenAPI. */
  id: string;
  method: Method;
  path: string;
  family: Family;
  /** One line for people. */
  summary: string;
  /** More for people, in Markdown; the summary when absent. */
  description?: string;
  /**
   * `public`: no key; `optional-key`: no key, or a tenant's key, which is then checked as any; `full-key`: a tenant's key, app
   * keys are refused; `any-key`: app keys too.
   */
  caller: 'public' | 'optional-key' | 'full-key' | 'any-key';
  /**
   * A document that everybody may read: where no key was sent, scripts of every origin may read the answer too. Only of `get`
   * that needs no key.
   */
  anyOrigin?: true;
  /** Scope that the key needs. */
  scope?: Scope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers that the handler reads, documented only: it reads them itself. */
  headers?: z.ZodObject;
  body?: OperationBody;
  /** Every status that the operation itself answers with; those of the gate (401, 403, 429 ...) are added by `gateStatuses`. */
  responses: Readonly<Record<number, OperationResponse>>;
}

export type OperationBody = BodyWords &
  /** Parsed and checked against `shape`. */
  (
    | { kind: 'json'; maxBytes: number; shape: z.ZodType }
    /**
     * Handed over as received: the handler knows the message type that the text must fit, or needs the text itself. `shape` says
     * what it reads where that is known beforehand.
     */
    | { kind: 'bytes'; maxBytes: number; shape?: z.ZodType }
  );

interface BodyWords {
  /** Whether a request without any is one too, which a handler of `bytes` then gets none of. */
  isOptional?: boolean;
  /** For people, in Markdown; the size when absent. */
  description?: string;
  /** Of the declared shape. */
  example?: unknown;
}

export interface OperationResponse {
  description: string;
  /** Media type, `application/json` when absent; no `shape` and no media type: an empty body. */
  contentType?: string;
  /** Media types that it comes in besides. */
  otherContentTypes?: readonly string[];
  shape?: z.ZodType;
  /** Response headers beyond those that follow from the rest (`ETag`, `Retry-After`), documented only. */
  headers?: Readonly<Record<string, z.ZodType>>;
  example?: unknown;
}

/** Keeps the literal types of an operation, so that its handler is typed by it. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Statuses that the gate in front of every handler may answer with, by what the operation declares. */
export function gateStatuses(operation: Operation): number[] {
  const statuses = [500];
  if (operation.caller !== 'public') statuses.push(401, 403);
  // Probes are asked as often as somebody likes.
  if (operation.caller !== 'public' || operation.family !== 'system') statuses.push(429);
  if (operation.params ?? operation.query ?? operation.body) statuses.push(400);
  if (operation.body) statuses.push(413);
  // While the process drains; probes go on.
  if (operation.family !== 'system') statuses.push(503);
  return statuses;
}
