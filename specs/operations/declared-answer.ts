import { z } from 'zod';
import { gateRefusal } from './gate-refusals.ts';
import { gateStatuses, type Operation, type OperationResponse } from './operation.ts';

/**
 * All responses with one status of an operation and its gate. Responses are checked against it and documented from it.
 */
export interface DeclaredAnswer {
  description: string;
  /** By media type without parameters, or a range for every type. Empty if the response has no body. */
  content: ReadonlyMap<string, DeclaredContent>;
  /** By name, including those that follow from the rest. */
  headers: Readonly<Record<string, z.ZodType>>;
}

/** The bodies of one media type. */
export interface DeclaredContent {
  /** JSON of any of these shapes; none: text or bytes. For a stream: the shape of one frame. */
  shapes: readonly z.ZodType[];
  /** A body of one of the shapes. Absent: there is none. */
  example?: unknown;
}

/** Media types of streaming responses. */
export const streamTypes = { events: 'text/event-stream', lines: 'application/x-ndjson' } as const;

/** Stands for the messages of a WebSocket, which have no media type. */
export const socketContent = 'websocket';

/** Media type of an HTML form. */
export const formType = 'application/x-www-form-urlencoded';

/** Returns the declared responses with a status; undefined if the operation never responds with it. */
export function declaredAnswer(operation: Operation, status: number): DeclaredAnswer | undefined {
  const own = operation.responses[status];
  const byGate = gateStatuses(operation).includes(status) ? gateRefusal(operation.family, status) : undefined;
  if (!own && !byGate) return undefined;
  const content = new Map<string, DeclaredContent>();
  const shapes = [...new Set([own?.shape, byGate?.shape].filter((shape) => shape !== undefined))];
  if (shapes.length > 0) {
    const type = own?.shape ? mediaType(own) : 'application/json';
    content.set(type, { shapes, example: own?.example ?? byGate?.example });
  }
  const texts = [
    ...(own && !own.shape && own.contentType !== undefined ? [mediaType(own)] : []),
    ...(own?.otherContentTypes ?? []),
    ...(byGate && !byGate.shape ? ['text/plain'] : []),
  ];
  for (const type of texts) {
    content.set(type, { shapes: [], example: own?.example ?? (byGate?.shape ? undefined : byGate?.example) });
  }
  if (own?.events) content.set(streamTypes.events, { shapes: [own.events] });
  if (own?.lines) content.set(streamTypes.lines, { shapes: [own.lines] });
  if (own?.socket) content.set(socketContent, { shapes: [own.socket.sends] });
  return {
    description: own?.description ?? byGate?.description ?? '',
    content,
    headers: headersOf(operation, status),
  };
}

/** Returns all statuses of an operation and its gate, in ascending order. */
export function declaredStatuses(operation: Operation): number[] {
  const own = Object.keys(operation.responses).map(Number);
  return [...new Set([...own, ...gateStatuses(operation)])].sort((one, other) => one - other);
}

const entityTag = z.string().describe('SHA-256 of the content, in quotes.');
const upgrade = z.literal('websocket').describe('The protocol that the operation needs.');
const socketVersion = z.literal('13').describe('The version of the WebSocket protocol.');
const acceptedEncoding = z.literal('identity').describe('The encoding of bodies that the service reads.');
const retryAfter = z.int().optional().describe('Seconds to wait before the next attempt.');

function headersOf({ responses, family }: Operation, status: number): Record<string, z.ZodType> {
  const isEntity = 304 in responses && (status === 200 || status === 304);
  const isWorthRetrying = status === 429 || (status === 503 && family !== 'system');
  return {
    ...(isEntity ? { ETag: entityTag } : {}),
    ...(isWorthRetrying ? { 'Retry-After': retryAfter } : {}),
    ...(status === 415 ? { 'Accept-Encoding': acceptedEncoding } : {}),
    ...(status === 426 ? { Upgrade: upgrade, 'Sec-WebSocket-Version': socketVersion } : {}),
    ...responses[status]?.headers,
  };
}

/** Returns the media type without parameters. */
function mediaType({ contentType = 'application/json' }: OperationResponse): string {
  return contentType.split(';')[0] ?? contentType;
}
