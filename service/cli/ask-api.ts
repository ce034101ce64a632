import { metricsElsewhere } from '../http/metrics-elsewhere.ts';
import { ApiFailure, callApi, type OpenTarget, sendRequest } from './api-client.ts';
import { CliError } from './output.ts';

/** A request of a command, and how to explain its refusal to the user. */
interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Sent as JSON, or unchanged if it is a string. */
  body?: unknown;
  /** What the request asks for, for example `execution "4bf9"`. A 404 and a 409 name it. */
  subject?: string;
  /** Whether the error texts of a 409 already contain the subject. */
  isConflictNamed?: boolean;
  /** What to do about a 404, unless its text already says it. */
  hint?: string;
  /** What to do about a 404 or 409 by the `error` of its body. */
  advice?: Readonly<Record<string, string>>;
}

/**
 * Sends a request and returns the body of the response, or `undefined` if it has none.
 *
 * @throws CliError that states what failed and what to do about it; `failureOf` returns the response behind
 *   it
 */
export async function askApi<T>(target: OpenTarget, question: Question): Promise<T> {
  return (await askWithStatus(target, question)).body as T;
}

/** Returns the response of the service that an error of `askApi` explains, if there is one. */
export function failureOf(error: unknown): ApiFailure | undefined {
  if (error instanceof ApiFailure) return error;
  return error instanceof CliError && error.cause instanceof ApiFailure ? error.cause : undefined;
}

/** Like `askApi`, for responses whose status carries further information. */
export async function askWithStatus(
  target: OpenTarget,
  question: Question,
): Promise<{ status: number; body: unknown }> {
  const { method, path, body: sent } = question;
  const { status, body } = await explained(target, question, callApi(target, method, path, sent));
  // A page or plain text comes from another server or from a proxy.
  if (typeof body === 'string') throw notTheService(target, body);
  return { status, body };
}

/** Sends a request whose response is not one JSON document. Throws as `askApi`. */
export function openApi(
  target: OpenTarget,
  question: Question & Pick<Parameters<typeof sendRequest>[1], 'body'>,
): Promise<Response> {
  return explained(target, question, sendRequest(target, question));
}

async function explained<T>(target: OpenTarget, question: Question, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof ApiFailure ? explain(target, question, error) : error;
  });
}

/** Explains a refusal to the user. A temporary refusal stays an `ApiFailure`. */
export function explain(target: OpenTarget, question: Question, failure: ApiFailure): CliError {
  const { status, code, text, advice, body } = failure;
  const { hint } = question;
  const subject = status === 409 && question.isConflictNamed ? undefined : question.subject;
  if (status >= 500 || status === 429) return failure;
  if (typeof body !== 'object') return notTheService(target, body);
  if (status === 401) return new CliError(`${target.url} refused the API key: ${text}`);
  if (code === 'missing_scope') {
    return new CliError(`${text}: set --key or SVC_API_KEY to a key that has it`, { cause: failure });
  }
  const message = messageOf(body);
  const reason = message === undefined ? text : message + advice;
  if ((status !== 404 && status !== 409) || code === 'route_not_found') {
    return new CliError(reason, { cause: failure });
  }
  // A hint is about the subject. A reason with a colon already says what is missing, which may be something
  // else.
  const isHintNeeded = status === 404 && (subject === undefined || !reason.includes(': '));
  const { error } = (body ?? {}) as { error?: unknown };
  const parts = [subject, reason, isHintNeeded ? hint : undefined, question.advice?.[String(error)]];
  return new CliError(parts.filter((part) => part !== undefined).join(': '), { cause: failure });
}

/**
 * Returns the human-readable part of a refusal, without its error class. Returns undefined for a message that
 * only summarizes `diagnostics`.
 */
function messageOf(body: unknown): string | undefined {
  const { message, diagnostics } = (body ?? {}) as { message?: unknown; diagnostics?: unknown };
  return typeof message === 'string' && diagnostics === undefined ? message : undefined;
}

function notTheService({ url }: OpenTarget, answer: unknown): CliError {
  const what = String(answer).startsWith(metricsElsewhere)
    ? 'is the address of the metrics, not of the API'
    : 'does not answer like svc';
  return new CliError(`${url} ${what}: check the address in --url or SVC_BASE_URL`);
}
