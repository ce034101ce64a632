import type { z } from 'zod';

/** A method of HTTP in lower case, as in OpenAPI. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A permission of a key. A full key has all three unless it was created with fewer. */
export const scopes = ['read', 'write', 'invoke'] as const;
/** A permission that an operation may need. */
export type Scope = (typeof scopes)[number];

/**
 * Decides the error bodies of an operation: `management` sends `{error: <text>}`, `invocation` `{error: <class>, message}`,
 * `node` `{error_message}`, `preview` plain text. `system` is for probes, and sends the same errors as `management`.
 */
export type Family = 'management' | 'invocation' | 'node' | 'preview' | 'system';

/**
 * An HTTP operation as data. The service enforces it, derives the handler's types from it, and documents it from the same object.
 * A path parameter is written `{name}`.
 */
export interface Operation {
  /** The `operationId` of OpenAPI: unique, camelCase. */
  id: string;
  method: Method;
  path: string;
  family: Family;
  /** One line of text. */
  summary: string;
  /** Markdown. Default: the summary. */
  description?: string;
  /**
   * The key that a request needs: `public`: none; `optional-key`: none, but a key that is sent is checked, and an app key may
   * read only what needs no key; `full-key`: a full key of a tenant; `any-key`: a full key or an app key.
   */
  caller: 'public' | 'optional-key' | 'full-key' | 'any-key';
  /**
   * Lets scripts from any origin read the response to a request without a key. For public documents: only with `get`, and only
   * where no key is needed.
   */
  anyOrigin?: true;
  /**
   * The work grows with the data of the tenant, such as a list without pages, or with the size of one record. Such
   * requests are processed one at a time, in turn among tenants, and leave half of the main thread's time to everything
   * else.
   */
  queued?: true;
  /** The scope that a full key needs. */
  scope?: Scope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers that the handler reads. For documentation only. */
  headers?: z.ZodObject;
  body?: OperationBody;
  /** The statuses that the handler responds with. `gateStatuses` adds the gate's statuses, for example 401. */
  responses: Readonly<Record<number, OperationResponse>>;
}

/** How the body of a request is received, and what documents it. */
export type OperationBody = BodyDocs & (JsonBody | BytesBody | LinesBody);

/** Buffered, parsed and checked against `shape`. */
interface JsonBody {
  kind: 'json';
  maxBytes: number;
  shape: z.ZodType;
  /** Paths of messages as JSON, which may have any key: `sources[].sample`. */
  messages?: readonly string[];
}

/**
 * JSON that the handler reads after the checks that need no body, and receives unparsed: the handler knows the message type, or
 * needs the text itself. `shape` documents the part that is known beforehand.
 */
interface BytesBody {
  kind: 'bytes';
  maxBytes: number;
  shape?: z.ZodType;
  /** Also accepts NDJSON: a request with that content type passes its lines instead of a buffer. */
  orLines?: Lines;
  /** Also accepts the fields of an HTML form: a request with that content type passes them instead of a buffer. */
  orForm?: Form;
}

/**
 * NDJSON (`application/x-ndjson`), passed to the handler line by line as it arrives. `shape` documents one line; the handler
 * checks the lines.
 */
interface LinesBody extends Lines {
  kind: 'lines';
}

/** The lines of an NDJSON body, and their maximum sizes. */
export interface Lines {
  /** Maximum for all lines together, including line ends. */
  maxBytes: number;
  /** Maximum for one line, without its end. */
  maxLineBytes: number;
  /** The shape of one line, for documentation. */
  shape: z.ZodType;
}

/** An HTML form (`application/x-www-form-urlencoded`), which the handler reads and checks. `shape` documents its fields. */
interface Form {
  maxBytes: number;
  shape: z.ZodObject;
  example: Readonly<Record<string, string>>;
}

interface BodyDocs {
  /** Allows a request without a body. A handler of `bytes` then receives an empty buffer. */
  isOptional?: boolean;
  /** Markdown. Default: the size limits. */
  description?: string;
  /** A value of the declared shape. */
  example?: unknown;
}

/**
 * The bodies that an operation sends with one status. The body is empty if `shape`, `contentType`, `events`, `lines`
 * and `socket` are all absent.
 */
export interface OperationResponse {
  description: string;
  /** A JSON body. */
  shape?: z.ZodType;
  /** Media type of a body of bytes or text; with `shape`, the media type of the JSON (default `application/json`). */
  contentType?: string;
  /** Further media types of a body of bytes or text. */
  otherContentTypes?: readonly string[];
  /** Server-Sent Events: the shape of one frame, which is the JSON of one event's `data`. */
  events?: z.ZodType;
  /** NDJSON: the shape of one frame, which is the JSON of one line. */
  lines?: z.ZodType;
  /** Only with status 101: the connection becomes a WebSocket. */
  socket?: SocketMessages;
  /** Response headers, in addition to those that follow from the rest (`ETag`, `Retry-After`). */
  headers?: Readonly<Record<string, z.ZodType>>;
  example?: unknown;
}

/** The messages of a WebSocket. All are texts. */
interface SocketMessages {
  /** The shape of a message from the service, as JSON. */
  sends: z.ZodType;
  /** Messages from the client, whose `shape` is for documentation: the handler checks them. Absent: a message closes the socket. */
  receives?: { maxBytes: number; shape: z.ZodType };
}

/** Reports whether a request to the operation must ask for a WebSocket. */
export function isUpgrade({ responses }: Operation): boolean {
  return responses[101]?.socket !== undefined;
}

/** Keeps the literal types of an operation, which type its handler. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Returns the statuses that the gate may respond with before the handler of an operation. */
export function gateStatuses(operation: Operation): number[] {
  const statuses = [500];
  if (operation.caller !== 'public') statuses.push(401, 403);
  // Probes have no rate limit.
  if (operation.caller !== 'public' || operation.family !== 'system') statuses.push(429);
  if (operation.params ?? operation.query ?? operation.body) statuses.push(400);
  // 400 for a malformed handshake, and 426 for a request without one.
  if (isUpgrade(operation)) statuses.push(400, 426);
  if (operation.body) statuses.push(413, 415);
  // A draining process refuses everything but probes.
  if (operation.family !== 'system') statuses.push(503);
  return statuses;
}
