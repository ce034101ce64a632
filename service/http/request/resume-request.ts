import type { z } from 'zod';
import { limits } from '../../../specs/limits.ts';
import { problemText } from '../../../specs/operations/problem-text.ts';
import { resumeBody } from '../../../specs/operations/pauses.ts';
import { linkDecisionBody } from '../../../specs/operations/resume-links.ts';
import type { ResumeRequest } from '../../engine/pauses/decide-pause.ts';
import type { SentDecision } from '../../engine/pauses/read-decision.ts';
import { ApiError } from '../../errors/api-error.ts';
import {
  formWithoutValue,
  invalidResumeRequest,
  invalidResumeValue,
  resumeFormTooLarge,
  resumeValueTooLarge,
} from '../../errors/pause-errors.ts';
import { describeIssues } from '../describe-issues.ts';
import { decodeBase64, isJsonString } from './decode-base64.ts';
import { digest } from './digest.ts';
import { parseEnvelope } from './envelope.ts';
import { headerText } from './header-text.ts';
import { messageBounds, scanJson } from './read-json.ts';
import type { UnreadForm } from './unread-form.ts';
import type { UnreadJson } from './unread-json.ts';
import type { RequestHeaders } from '../request-headers.ts';

/** The value is a message, one level down. */
const bounds = { ...messageBounds, nesting: messageBounds.nesting + 1 };

/** A decision and who made it. */
interface SentRequest {
  value: SentDecision;
  /** Empty if the caller does not say who decided. */
  resumedBy: string;
}

/** A decision sent through a link. */
interface LinkDecision extends SentRequest {
  /** Identifies a decision that may be sent again. Absent: each request is a decision of its own. */
  decisionId: string | undefined;
}

/**
 * Reads a decision on a pause. Its value stays unparsed: its conversion finds what is wrong with it.
 *
 * @throws ApiError 400
 */
export async function readResumeRequest(body: UnreadJson, headers: RequestHeaders): Promise<ResumeRequest> {
  const { fields, ...request } = await readDecision(body, resumeBody);
  return { pauseId: fields.pause_id, decisionId: keyedId(headers, request), ...request };
}

/** Returns the id of a decision that was sent with an idempotency key. */
function keyedId(headers: RequestHeaders, request: SentRequest): string | undefined {
  const key = headerText(headers['idempotency-key']);
  return key === undefined ? undefined : idOf(key, request);
}

/** Returns an id that is the same for a repeated decision with the same key. */
function idOf(key: string, { value, resumedBy }: SentRequest): string {
  const content = value.form === 'json' ? [value.text] : value.form === 'bytes' ? [value.bytes] : [];
  return digest('decision', key, resumedBy, value.form, ...content);
}

/**
 * Reads a decision on the pause of a link, like `readResumeRequest`.
 *
 * @throws ApiError 400
 */
export async function readLinkDecision(body: UnreadJson, headers: RequestHeaders): Promise<LinkDecision> {
  const { value, resumedBy } = await readDecision(body, linkDecisionBody);
  const decision = { value, resumedBy };
  return { ...decision, decisionId: keyedId(headers, decision) };
}

/** The fields of a form as they were typed. */
interface DecisionForm {
  /** JSON text; empty for every field at its default. */
  value: string;
  resumedBy: string;
  /** Empty for a form without one. */
  idempotencyKey: string;
}

/**
 * Reads the fields of a form with a decision.
 *
 * @throws ApiError 400 for a form that is too large or malformed, and for one without a value: JSON that was sent as a form is not
 * a decision
 */
export async function readForm(body: UnreadForm): Promise<DecisionForm> {
  try {
    const { value, resumed_by: resumedBy = '', idempotency_key: idempotencyKey = '' } = await body.readForm();
    if (value === undefined) throw formWithoutValue();
    return { value, resumedBy, idempotencyKey };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw error.status === 413 ? resumeFormTooLarge() : asResumeError(error);
  }
}

/**
 * Reads the decision in a form. An empty value stands for every field at its default. Any value but a JSON
 * object is refused: a person who types a string means text, not bytes in base64.
 *
 * @throws ApiError 400
 */
export function decisionOf({ value, resumedBy, idempotencyKey }: DecisionForm): LinkDecision {
  try {
    check(linkDecisionBody, { resumed_by: resumedBy });
    const decision = { value: readTyped(value), resumedBy };
    return { ...decision, decisionId: idempotencyKey === '' ? undefined : idOf(idempotencyKey, decision) };
  } catch (error) {
    throw error instanceof ApiError ? asResumeError(error) : error;
  }
}

function readTyped(value: string): SentDecision {
  const text = Buffer.from(value.trim());
  if (text.length === 0) return { form: 'none' };
  if (text[0] !== openObject) throw invalidResumeValue('the decision must be a JSON object: { … }');
  return readValue(text, scanJson(text, { family: 'invocation', bounds }).values);
}

async function readDecision<Fields extends { resumed_by?: string | undefined }>(
  body: UnreadJson,
  shape: z.ZodType<Fields>,
): Promise<SentRequest & { fields: Fields }> {
  try {
    const json = await body.read({ bounds, members: ['value'] });
    const value = json.member('value');
    if (json.values - (value?.values ?? 0) > limits.managementValues) {
      throw invalidResumeRequest(`the JSON has more than ${limits.managementValues} values beside the value`);
    }
    const fields = check(
      shape,
      parseEnvelope(json, { family: 'invocation', placeholders: { value: 'null' } }),
    );
    return {
      fields,
      resumedBy: fields.resumed_by ?? '',
      value: value ? readValue(value.bytes, value.values) : { form: 'none' },
    };
  } catch (error) {
    throw error instanceof ApiError ? asResumeError(error) : error;
  }
}

function check<Fields>(shape: z.ZodType<Fields>, fields: unknown): Fields {
  const parsed = shape.safeParse(fields, { error: problemText });
  if (!parsed.success) throw invalidResumeRequest(describeIssues(parsed.error));
  return parsed.data;
}

function readValue(text: Buffer, values: number): SentDecision {
  if (text.equals(nothing)) return { form: 'none' };
  if (text[0] === openObject) return { form: 'json', text, values };
  if (!isJsonString(text)) return { form: 'other' };
  const bytes = decodeBase64(text);
  return bytes ? { form: 'bytes', bytes } : { form: 'not_base64' };
}

const nothing = Buffer.from('null');
const openObject = 0x7b;

/** Gives a refusal of the body the class of resume errors. */
function asResumeError(error: ApiError): ApiError {
  if (error.status === 413) return resumeValueTooLarge();
  const { body } = error;
  const text = typeof body === 'object' ? body.error_message : undefined;
  return typeof text === 'string' ? invalidResumeRequest(text) : error;
}
