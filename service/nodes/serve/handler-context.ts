import { create, isMessage, type MessageInitShape, type Registry } from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { limits } from '../../../specs/limits.ts';
import { toProtoJson } from '../../messages/json/to-proto-json.ts';
import type { CallContext, NodeMessageSchema } from '../container/protocol.ts';
import { LogSchema, MemorySchema, MutationSchema, ProgressSchema } from '../container/protocol.ts';
import { CallRefusal } from './call-refusal.ts';
import { type BoundMessages, type NodeContext, NodeFailureError, NodePauseRequest } from './node-handlers.ts';

/** A message that precedes the response. */
export type NodeMessageKind = NonNullable<MessageInitShape<typeof NodeMessageSchema>['kind']>;

/** Maximum size of a progress frame, in bytes of JSON. */
const maxProgressBytes = 65_536;

/** Builds a handler's context from the context of its call. */
export function createHandlerContext(
  call: CallContext,
  binding: BoundMessages | undefined,
  registries: readonly Registry[],
  { signal, send }: { signal: AbortSignal; send: (kind: NodeMessageKind) => void },
): NodeContext {
  const textOf = (value: unknown, what: string): string => toJsonText(value, what, registries);
  const remember = (operation: 'READ' | 'WRITE', key: string, detail: unknown): void => {
    const detailJson = detail === undefined ? '' : textOf(detail, 'detail of a memory operation');
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
      const json = textOf(value, 'progress');
      if (Buffer.byteLength(json) > maxProgressBytes) {
        throw new RangeError(`a progress frame has at most ${maxProgressBytes} bytes of JSON`);
      }
      send({ case: 'progress', value: create(ProgressSchema, { kind, json }) });
    },
    mutate: (fragment) => {
      const fragmentJson = textOf(fragment, 'mutation');
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
      const payloadJson = payload === undefined ? '' : textOf(payload, 'payload of a failure');
      throw new NodeFailureError(message, { retryable, payloadJson });
    },
    pause: (request) => {
      checkSeconds('timeoutSeconds', request.timeoutSeconds);
      checkSeconds('escalateAfterSeconds', request.escalateAfterSeconds);
      return new NodePauseRequest(request);
    },
  };
}

const maxSeconds = 4_294_967_295;

function checkSeconds(name: string, seconds: number | undefined): void {
  if (seconds === undefined || (Number.isInteger(seconds) && seconds >= 0 && seconds <= maxSeconds)) return;
  throw new RangeError(`${name} of a pause must be a whole number from 0 to ${maxSeconds}, got ${seconds}`);
}

/**
 * Returns a handler's value as JSON text. ProtoJSON rules apply: messages, bytes as base64, and a bigint as a
 * string.
 *
 * @param what names the value in the error, if it has no JSON form
 * @param registries the messages that the value may contain
 */
export function toJsonText(value: unknown, what: string, registries: readonly Registry[]): string {
  // `Buffer` defines its own JSON form. `this[key]` still has the original value.
  function protoJson(this: Record<string, unknown>, key: string, item: unknown): unknown {
    const held = this[key];
    if (held instanceof Uint8Array) return base64Encode(held);
    if (typeof item === 'bigint') return String(item);
    if (!isMessage(item)) return item;
    const registry = registries.find((each) => each.getMessage(item.$typeName) !== undefined);
    const type = registry?.getMessage(item.$typeName);
    return type ? toProtoJson(type, item, registry) : item;
  }
  // JSON.stringify returns undefined for undefined, functions and symbols, despite its declared type.
  const text = JSON.stringify(value, protoJson) as string | undefined;
  if (text === undefined) throw new TypeError(`the ${what} is not a JSON value`);
  return text;
}

function readConfig(json: string): Record<string, unknown> {
  if (json === '') return {};
  try {
    const config: unknown = JSON.parse(json);
    if (typeof config === 'object' && config !== null) return config as Record<string, unknown>;
  } catch {
    // A value without a JSON form is refused below.
  }
  throw new CallRefusal('INVALID_ARGUMENT', 'the config of the call is not a JSON object');
}
