import type { z } from 'zod';
import { forkBody, invokeFlowBody } from '../../../specs/operations/flow-shapes.ts';
import { limits } from '../../../specs/limits.ts';
import { problemText } from '../../../specs/operations/problem-text.ts';
import { missingGraphId } from '../../errors/flow-errors.ts';
import { bodyTooLarge, invalidBody } from '../../errors/request-errors.ts';
import { describeIssues } from '../describe-issues.ts';
import { decodeBase64, isJsonString } from './decode-base64.ts';
import { digest } from './digest.ts';
import { parseEnvelope } from './envelope.ts';
import { headerText } from './header-text.ts';
import type { JsonBounds } from './json-scan.ts';
import { type JsonText, messageBounds } from './read-json.ts';
import type { RequestHeaders } from '../request-headers.ts';

/** A request to invoke a flow, without the parsed input. */
export interface FlowRequest {
  graphId: string;
  /** The entry message: its ProtoJSON exactly as sent and not yet parsed, or its bytes. The result has the same form. */
  input: { form: 'json'; text: Buffer; values: number } | { form: 'bytes'; bytes: Uint8Array };
  wait: boolean;
  timeoutSeconds: number;
  configId: string | undefined;
  debugSessionId: string | undefined;
  /** Identifies repeated requests: the caller's key or, without one, a fingerprint of all fields that affect the run. */
  idempotency: { kind: 'key' | 'fingerprint'; hash: string };
}

/** A request to fork a run, without the parsed input. */
interface ForkBodyRequest extends Omit<FlowRequest, 'graphId' | 'input'> {
  checkpointId: string | undefined;
  input: FlowRequest['input'] | undefined;
}

/** How the body of an invocation is read: its input is a message, one level down. */
export const flowBody = {
  bounds: { ...messageBounds, nesting: messageBounds.nesting + 1 } satisfies JsonBounds,
  members: ['graph_id', 'input', 'payload'],
};

/**
 * Reads the body and headers of an invocation. The input stays unparsed: its conversion finds what is wrong with it.
 *
 * @param json a body that was read with `flowBody`
 * @param appKey id of the calling app key. Its requests match only its own earlier ones: the key is public, so a match could
 *   otherwise expose runs of the tenant
 * @throws ApiError 400 for an invalid body, 413 for input over the limit, 500 without `graph_id`
 */
export function readFlowRequest(json: JsonText, headers: RequestHeaders, appKey?: string): FlowRequest {
  const fields = readFields(json, invokeFlowBody);
  if (!fields.graph_id) throw missingGraphId();
  const input = readInput(json);
  if (!input) throw invalidBody('invocation', 'one of input and payload is required');
  const scope = appKey === undefined ? [] : [appKey];
  const identity = [fields.graph_id, nameOf(fields.config_id) ?? '', ...partsOf(input)];
  return { graphId: fields.graph_id, input, ...readCommon(fields, headers, { scope, identity }) };
}

/**
 * Reads the body and headers of a fork, like `readFlowRequest`. A fork without `input` and `payload` keeps the input of the checkpoint.
 *
 * @throws ApiError 400 for an invalid body, 413 for input over the limit
 */
export function readForkRequest(
  json: JsonText,
  headers: RequestHeaders,
  executionId: string,
): ForkBodyRequest {
  const fields = readFields(json, forkBody);
  const sent = readInput(json);
  const input = sent?.form === 'json' && sent.text.equals(nothing) ? undefined : sent;
  const checkpointId = nameOf(fields.checkpoint_id);
  const place = ['fork', executionId, checkpointId ?? ''];
  const identity = [...place, nameOf(fields.config_id) ?? '', ...(input ? partsOf(input) : [])];
  return { checkpointId, input, ...readCommon(fields, headers, { scope: [], identity }) };
}

/** @param identity what a fingerprint depends on */
function readCommon(
  fields: Pick<
    z.infer<typeof invokeFlowBody>,
    'wait' | 'timeout_seconds' | 'config_id' | 'debug_session_id' | 'idempotency_key'
  >,
  headers: RequestHeaders,
  { scope, identity }: { scope: readonly string[]; identity: readonly (string | Uint8Array)[] },
): Omit<FlowRequest, 'graphId' | 'input'> {
  const key = headerText(headers['idempotency-key']) ?? fields.idempotency_key;
  return {
    wait: fields.wait,
    timeoutSeconds: fields.timeout_seconds,
    configId: nameOf(fields.config_id),
    debugSessionId: headerText(headers['x-debug-session-id']) ?? nameOf(fields.debug_session_id),
    idempotency: key
      ? { kind: 'key', hash: digest('key', ...scope, key) }
      : { kind: 'fingerprint', hash: digest('fingerprint', ...scope, ...identity) },
  };
}

function nameOf(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function partsOf(input: FlowRequest['input']): (string | Uint8Array)[] {
  return [input.form, input.form === 'json' ? input.text : input.bytes];
}

/** Parses everything but the input and the payload. */
function readFields<Fields>(json: JsonText, shape: z.ZodType<Fields>): Fields {
  const outside = json.values - (json.member('input')?.values ?? 0);
  if (outside > limits.managementValues) {
    throw invalidBody(
      'invocation',
      `the JSON has more than ${limits.managementValues} values beside the input`,
    );
  }
  const payload = json.member('payload');
  const placeholders = {
    input: nothing.toString(),
    ...(payload && isJsonString(payload.bytes) && { payload: '""' }),
  };
  const parsed = shape.safeParse(parseEnvelope(json, { family: 'invocation', placeholders }), {
    error: problemText,
  });
  if (parsed.success) return parsed.data;
  throw invalidBody('invocation', describeIssues(parsed.error));
}

const nothing = Buffer.from('null');

/** @returns `undefined` without input and payload */
function readInput(json: JsonText): FlowRequest['input'] | undefined {
  const input = json.member('input');
  // Checked even if the input takes precedence.
  const bytes = readPayload(json);
  // Some clients send null for a field that they omit.
  if (input && (!input.bytes.equals(nothing) || !bytes)) {
    const size = input.bytes.length;
    if (size > limits.inputBytes) throw bodyTooLarge('invocation', limits.inputBytes, size);
    return { form: 'json', text: input.bytes, values: input.values };
  }
  if (!bytes) return undefined;
  if (bytes.length > limits.inputBytes) throw bodyTooLarge('invocation', limits.inputBytes, bytes.length);
  return { form: 'bytes', bytes };
}

function readPayload(json: JsonText): Buffer | undefined {
  const text = json.member('payload')?.bytes;
  if (!text) return undefined;
  const bytes = decodeBase64(text);
  if (!bytes) throw invalidBody('invocation', 'payload: must be standard base64 with padding');
  return bytes;
}
