import { z } from 'zod';
import { gateRefusal } from './gate-refusals.ts';
import { gateStatuses, type Operation, type OperationResponse } from './operation.ts';

/** Everything that an operation, or the gate before it, may answer with one status: enforced and documented from here. */
export interface DeclaredAnswer {
  description: string;
  /** By media type without parameters, a range for all of its types; none: an empty body. */
  content: ReadonlyMap<string, DeclaredContent>;
  /** By name, those that follow from the rest included. */
  headers: Readonly<Record<string, z.ZodType>>;
}

export interface DeclaredContent {
  /** JSON of any of these; none: text or bytes. */
  shapes: readonly z.ZodType[];
  example?: unknown;
}

/** Undefined: the operation never answers with that status. */
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
  return {
    description: own?.description ?? byGate?.description ?? '',
    content,
    headers: headersOf(operation, status),
  };
}

/** Each status that the operation may be answered with, ascending. */
export function declaredStatuses(operation: Operation): number[] {
  const own = Object.keys(operation.responses).map(Number);
  return [...new Set([...own, ...gateStatuses(operation)])].sort((one, other) => one - other);
}

const entityTag = z.string().describe('SHA-256 of the content, quoted.');
const retryAfter = z.int().optional().describe('Seconds to wait.');

function headersOf({ responses, family }: Operation, status: number): Record<string, z.ZodType> {
  const isEntity = 304 in responses && (status === 200 || status === 304);
  const isWorthRetrying = status === 429 || (status === 503 && family !== 'system');
  return {
    ...(isEntity ? { ETag: entityTag } : {}),
    ...(isWorthRetrying ? { 'Retry-After': retryAfter } : {}),
    ...responses[status]?.headers,
  };
}

/** Without parameters: responses differ in them, and whoever reads asks for the type. */
function mediaType({ contentType = 'application/json' }: OperationResponse): string {
  return contentType.split(';')[0] ?? contentType;
}
