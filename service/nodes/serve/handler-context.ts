import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { limits } from '../../../specs/limits.ts';
import type { CallContext, NodeMessageSchema } from '../container/protocol.ts';
import { LogSchema, MemorySchema, MutationSchema, ProgressSchema } from '../container/protocol.ts';
import { CallRefusal } from './call-refusal.ts';
import { type BoundMessages, type NodeContext, NodeFailureError, NodePauseRequest } from './node-handlers.ts';

/** A message that precedes the answer. */
export type NodeMessageKind = NonNullable<MessageInitShape<typeof NodeMessageSchema>['kind']>;

/** Maximum size of a progress frame, bytes of JSON. */
const maxProgressBytes = 65_536;

/** Builds a handler's context from the context of its call. */
export function createHandlerContext(
  call: CallContext,
  binding: BoundMessages | undefined,
  { signal, send }: { signal: AbortSignal; send: (kind: NodeMessageKind) => void },
): NodeContext {
  const remember = (operation: 'READ' | 'WRITE', key: string, detail: unknown): void => {
    const detailJson = detail === undefined ? '' : toJsonText(detail, 'detail of a memory operation');
    if (Buffer.byteLength(detailJson) > maxProgressBytes) {
      throw new RangeError(`the detail of a memory operation has at most ${maxProgressBytes} bytes of JSON`);
    }
    send({ case: 'memory', value: create(MemorySchema, { operation, key, detailJson }) });
  };
  return {
    executionId: call.executionId,
    node: call.node,
    tenantId: call.tenantId,
    placementId: call.placementId,
    attempt: call.attempt,
    idempotencyId: call.idempotencyId,
    traceparent: call.traceparent,
    deadline: call.deadlineMs === 0n ? undefined : new Date(Number(call.deadlineMs)),
    signal,
    config: readConfig(call.configJson),
    secrets: call.secrets,
    resumed: call.resumedPauseId === '' ? undefined : { pauseId: call.resumedPauseId, by: call.resumedBy },
    binding,
    log: (level, message) => send({ case: 'log', value: create(LogSchema, { level, message: message }) }),
    progress: (kind, value) => {
      const json = toJsonText(value, 'progress');
      if (Buffer.byteLength(json) > maxProgressBytes) {
        throw new RangeError(`a progress frame has at most ${maxProgressBytes} bytes of JSON`);
      }
      send({ case: 'progress', value: create(ProgressSchema, { kind, json }) });
    },
    mutate: (fragment) => {
      const fragmentJson = toJsonText(fragment, 'mutation');
      if (Buffer.byteLength(fragmentJson) > limits.mutationBytes) {
        throw new RangeError(`a mutation has at most ${limits.mutationBytes} bytes of JSON`);
      }
      send({ case: 'mutation', value: create(MutationSchema, { fragmentJson }) });
    },
    memory: {
      read: (key, detail) => remember('READ', key, detail),
      write: (key, detail) => remember('WRITE', key, detail),
    },
    fail: (message, { retryable = true, payload } = {}) => {
      const payloadJson = payload === undefined ? '' : toJsonText(payload, 'payload of a failure');
      throw new NodeFailureError(message, { retryable, payloadJson });
    },
    pause: (request) => new NodePauseRequest(request),
  };
}

/**
 * Returns a handler's value as JSON text. A bigint becomes a string, as in ProtoJSON.
 *
 * @param what names the value in the error for one that has no JSON form
 */
export function toJsonText(value: unknown, what: string): string {
  // JSON.stringify returns undefined for undefined, functions and symbols, despite its declared type.
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? String(item) : item,
  ) as string | undefined;
  if (text === undefined) throw new TypeError(`the ${what} is not a JSON value`);
  return text;
}

function readConfig(json: string): Record<string, unknown> {
  if (json === '') return {};
  try {
    const config: unknown = JSON.parse(json);
    if (typeof config === 'object' && config !== null) return config as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new CallRefusal('INVALID_ARGUMENT', 'the config of the call is not a JSON object');
}
