import { hash } from 'node:crypto';
import type { z } from 'zod';
import { invokeFlowBody } from '../../../specs/operations/flow-shapes.ts';
import { limits } from '../../../specs/limits.ts';
import { limitText } from '../../../specs/operations/limit-text.ts';
import { missingGraphId } from '../../errors/invocation-errors.ts';
import { bodyTooLarge, invalidBody } from '../../errors/request-errors.ts';
import { base64Of } from '../../engine/journal/codec.ts';
import { rawMembers } from './raw-members.ts';
import { describeIssues } from '../describe-issues.ts';

/** A parsed request to invoke a flow. */
export interface FlowRequest {
  graphId: string;
  /** The entry message: its ProtoJSON text exactly as sent, or its bytes. The result has the same form. */
  input: { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array };
  wait: boolean;
  timeoutSeconds: number;
  configId: string | undefined;
  debugSessionId: string | undefined;
  /** Identifies repeated requests: the caller's key or, without one, a fingerprint of all fields that affect the run. */
  idempotency: { kind: 'key' | 'fingerprint'; hash: string };
}

/**
 * Reads the body and headers of an invocation.
 *
 * @param appKey id of the calling app key. Its requests match only its own earlier ones: the key is public, so a match could
 *   otherwise expose runs of the tenant
 * @throws ApiError 400 for an invalid body, 413 for input over the limit, 500 without `graph_id`
 */
export function readFlowRequest(
  body: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  appKey?: string,
): FlowRequest {
  const text = decode(body);
  const fields = parse(text);
  if (!fields.graph_id) throw missingGraphId();
  const input = readInput(text, fields);
  const key = headerText(headers['idempotency-key']) ?? fields.idempotency_key;
  const scope = appKey === undefined ? [] : [appKey];
  const configId = fields.config_id === '' ? undefined : fields.config_id;
  return {
    graphId: fields.graph_id,
    input,
    wait: fields.wait,
    timeoutSeconds: fields.timeout_seconds,
    configId,
    debugSessionId: headerText(headers['x-debug-session-id']) ?? fields.debug_session_id,
    idempotency: key
      ? { kind: 'key', hash: digest('key', ...scope, key) }
      : {
          kind: 'fingerprint',
          hash: digest(
            'fingerprint',
            ...scope,
            fields.graph_id,
            configId ?? '',
            input.form,
            input.form === 'json' ? input.text : base64Of(input.bytes),
          ),
        },
  };
}

type Fields = z.infer<typeof invokeFlowBody>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Uint8Array): string {
  if (body.length === 0) throw invalidBody('invocation', 'it is empty, a JSON object is required');
  try {
    return utf8.decode(body);
  } catch {
    throw invalidBody('invocation', 'it is not valid UTF-8');
  }
}

function parse(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidBody('invocation', error instanceof Error ? error.message : String(error));
  }
  const parsed = invokeFlowBody.safeParse(value, { error: limitText });
  if (parsed.success) return parsed.data;
  throw invalidBody('invocation', describeIssues(parsed.error));
}

function readInput(text: string, { input, payload }: Fields): FlowRequest['input'] {
  // Some clients send null for a field that they leave out.
  if (input !== undefined && (input !== null || payload === undefined)) {
    const source = rawMembers(text).get('input') ?? '';
    const size = Buffer.byteLength(source);
    if (size > limits.inputBytes) throw bodyTooLarge('invocation', limits.inputBytes, size);
    return { form: 'json', text: source };
  }
  if (payload === undefined) throw invalidBody('invocation', 'one of input and payload is required');
  const bytes = Buffer.from(payload, 'base64');
  if (bytes.length > limits.inputBytes) throw bodyTooLarge('invocation', limits.inputBytes, bytes.length);
  return { form: 'bytes', bytes };
}

function headerText(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text;
}

/** Hashes the parts with their lengths, so that different lists never have the same input. */
function digest(...parts: string[]): string {
  return hash('sha256', parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}
