import { limits } from '../../../specs/limits.ts';
import { invokeNodeBinary } from '../../../specs/operations/nodes.ts';
import { problemText } from '../../../specs/operations/problem-text.ts';
import { bodyTooLarge, invalidBody } from '../../errors/request-errors.ts';
import { describeIssues } from '../describe-issues.ts';
import { decodeBase64, isJsonString } from './decode-base64.ts';
import { parseEnvelope } from './envelope.ts';
import { type JsonText, managementBounds } from './read-json.ts';

/** How the body of a call with serialized messages is read. */
export const binaryCallBody = { bounds: managementBounds, members: ['payload'] };

/**
 * @param json a body that was read with `binaryCallBody`
 * @throws ApiError 400 for an invalid body, 413 for a payload over the limit
 */
export function readBinaryCall(json: JsonText): { nodeId: string; bytes: Buffer } {
  const payload = json.member('payload');
  const isText = payload !== undefined && isJsonString(payload.bytes);
  const envelope = parseEnvelope(json, { family: 'node', placeholders: isText ? { payload: '""' } : {} });
  const parsed = invokeNodeBinary.body.shape.safeParse(envelope, { error: problemText });
  if (!parsed.success) throw invalidBody('node', describeIssues(parsed.error));
  const bytes = isText ? decodeBase64(payload.bytes) : Buffer.alloc(0);
  if (!bytes) throw invalidBody('node', 'payload: must be standard base64 with padding');
  if (bytes.length > limits.inputBytes) throw bodyTooLarge('node', limits.inputBytes, bytes.length);
  return { nodeId: parsed.data.node_id, bytes };
}
