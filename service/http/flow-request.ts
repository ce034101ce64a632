import { hash } from 'node:crypto';
import type { z } from 'zod';
import { invokeFlowBody } from '../../specs/operations/flow-shapes.ts';
import { limits } from '../../specs/limits.ts';
import { missingGraphId } from '../errors/invocation-errors.ts';
import { bodyTooLarge, invalidBody } from '../errors/request-errors.ts';
import { base64Of } from '../engine/run/journal-codec.ts';
import { memberSources } from './member-sources.ts';
import { describeIssues } from './middleware/describe-issues.ts';

/** A flow invocation as it was asked for (SPEC.md, POST /v1/flows/invoke). */
export interface FlowRequest {
  graphId: string;
  /** The entry message: ProtoJSON text exactly as sent, or its bytes. The result comes in the same form. */
  input: { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array };
  wait: boolean;
  timeoutSeconds: number;
  configId: string | undefined;
  debugSessionId: string | undefined;
  /** What makes two requests one: the caller's key, or else everything that decides what the run does. */
  idempotency: { kind: 'key' | 'fingerprint'; hash: string };
}

/**
 * Reads body and headers of an invocation.
 *
 * @param appKey id of the app key that asks: its requests are never those of anybody else, since whoever has the public key could
 *   otherwise be given the runs of the tenant
 * @throws ApiError 400 for a body that is not JSON or not of the shape, 413 for input above the cap, 500 without `graph_id`
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
  const asker = appKey === undefined ? [] : [appKey];
  const configId = fields.config_id === '' ? undefined : fields.config_id;
  return {
    graphId: fields.graph_id,
    input,
    wait: fields.wait,
    timeoutSeconds: fields.timeout_seconds,
    configId,
    debugSessionId: headerText(headers['x-debug-session-id']) ?? fields.debug_session_id,
    idempotency: key
      ? { kind: 'key', hash: digest('key', ...asker, key) }
      : {
          kind: 'fingerprint',
          hash: digest(
            'fingerprint',
            ...asker,
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
  if (body.length === 0) throw invalidBody('invocation', 'it is empty, a JSON object is needed');
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
  const parsed = invokeFlowBody.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidBody('invocation', describeIssues(parsed.error));
}

function readInput(text: string, { input, payload }: Fields): FlowRequest['input'] {
  // Beside a payload, null is how some clients write what they leave out.
  if (input !== undefined && (input !== null || payload === undefined)) {
    const source = memberSources(text).get('input') ?? '';
    const size = Buffer.byteLength(source);
    if (size > limits.inputBytes) throw bodyTooLarge('invocation', limits.inputBytes, size);
    return { form: 'json', text: source };
  }
  if (payload === undefined) throw invalidBody('invocation', 'one of input and payload is needed');
  const bytes = Buffer.from(payload, 'base64');
  if (bytes.length > limits.inputBytes) throw bodyTooLarge('invocation', limits.inputBytes, bytes.length);
  return { form: 'bytes', bytes };
}

function headerText(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text;
}

/** SHA-256 over the parts with their lengths, so that no two lists of parts read alike. */
function digest(...parts: string[]): string {
  return hash('sha256', parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}
