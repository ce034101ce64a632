import { setTimeout as delay } from 'node:timers/promises';
import { parseExactJson } from '../../specs/exact-json.ts';
import { noTerminalResult } from '../engine/run/run-texts.ts';
import { readCredentials } from './credentials.ts';
import { CliError, type Terminal, UsageError } from './output.ts';

/** A running service, and the key that requests to it carry. */
export interface ApiTarget {
  /** Base URL of a running service, without a trailing slash. It may have a path. */
  url: string;
  /** API key. */
  key: string;
  /** Called once for each request that a limit of the service delays noticeably, with a text for the user. */
  onWait?: (text: string) => void;
}

export const defaultUrl = 'http://127.0.0.1:8080';

/**
 * Returns the service and key that a command uses: from its flags, else from the environment, else from `svc login`. A login's
 * key is sent only to its own service.
 */
export function apiTarget(
  { env, stderr }: Pick<Terminal, 'env'> & Partial<Terminal>,
  flags: { url?: string; key?: string },
): ApiTarget {
  const chosenUrl = flags.url ?? given(env.SVC_BASE_URL);
  const chosenKey = flags.key ?? given(env.SVC_API_KEY);
  const login = chosenKey === undefined ? readCredentials(env) : undefined;
  const url = serviceUrl(chosenUrl ?? login?.url ?? defaultUrl);
  const key = chosenKey ?? (login?.url === url ? login.key : undefined);
  if (!key) {
    const elsewhere = login ? ` for ${url} (the login is for ${login.url})` : '';
    throw new CliError(
      `no API key${elsewhere}: set --key or SVC_API_KEY (svc key create prints a new key), or run svc login`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'the API key contains characters that are not allowed: copy it again, without spaces or line breaks',
    );
  }
  return { url, key, ...(stderr && { onWait: (text) => stderr.write(`${text}\n`) }) };
}

/** An empty variable counts as absent. */
export function given(variable: string | undefined): string | undefined {
  return variable === '' ? undefined : variable;
}

/** Checks the base URL of a service, and returns it without a trailing slash. */
export function serviceUrl(url: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(
      `"${url}" is not an http or https URL: set --url or SVC_BASE_URL, for example http://127.0.0.1:8080`,
    );
  }
  return url.replace(/\/+$/, '');
}

/** A service, with a key where the route needs one. */
export type OpenTarget = Pick<ApiTarget, 'url'> & Partial<ApiTarget>;

interface ApiAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The service returned an error. The message has the service's own text. */
export class ApiFailure extends CliError {
  readonly status: number;
  /** The parsed body, or its text. */
  readonly body: unknown;
  /** The code of the error. Absent if the response is not JSON from svc. */
  readonly code: string | undefined;
  /** The service's own text, with `advice`. */
  readonly text: string;
  /** What to do about it, after `: `. Empty if the service's text already says it. */
  readonly advice: string;
  /** The execution id of the failed node call. */
  readonly executionId: string | null;

  constructor(request: string, status: number, body: unknown, executionId: string | null = null) {
    const advice = adviceOn(body);
    const text = errorText(body) + advice;
    super(`${request} failed with status ${status}: ${text}`);
    this.status = status;
    this.body = body;
    this.code = codeOf(body);
    this.text = text;
    this.advice = advice;
    this.executionId = executionId;
  }
}

/**
 * Sends one request to a running service and reads the response.
 *
 * @param body sent as JSON, or unchanged if it is a string
 * @throws CliError if the service cannot be reached, ApiFailure if it returns an error
 */
export async function callApi(
  target: OpenTarget,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await sendRequest(target, { method, path, body: text });
  const { status, headers } = response;
  return { status, headers, body: parseBody(await readText(target, response)) };
}

interface ApiRequest {
  method: string;
  path: string;
  /** Text, or chunks that are sent as they are produced. */
  body?: string | AsyncIterable<Uint8Array> | undefined;
  /** Headers other than the key's. The content type is JSON unless set here. */
  headers?: Readonly<Record<string, string>>;
}

/** Maximum total time that a request waits for the service's limits, in seconds. */
const patienceSeconds = 30;

/**
 * Sends one request to a running service. Resolves once the response headers have arrived. A request that a limit refuses for a
 * short time is retried after that time.
 *
 * @throws as `callApi`
 */
export async function sendRequest(target: OpenTarget, request: ApiRequest): Promise<Response> {
  const { method, path, body } = request;
  let left = typeof body === 'object' ? 0 : patienceSeconds;
  for (;;) {
    const response = await sendOnce(target, request);
    if (response.ok) return response;
    const text = await readText(target, response);
    const wait = secondsToWait(response);
    if (wait > left) {
      const executionId = response.headers.get('x-execution-id');
      throw new ApiFailure(`${method} ${path}`, response.status, parseBody(text), executionId);
    }
    const waited = patienceSeconds - left;
    // A single short wait is not reported.
    if (waited <= 1 && waited + wait > 1) {
      const refusal = parseBody(text);
      target.onWait?.(`waiting: ${errorText(refusal)}${adviceOn(refusal)}`);
    }
    left -= wait;
    await delay(wait * 1_000);
  }
}

async function sendOnce(
  { url, key }: OpenTarget,
  { method, path, body, headers }: ApiRequest,
): Promise<Response> {
  try {
    return await fetch(url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(key && { Authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body, duplex: 'half' as const }),
    });
  } catch (error) {
    const cause = causeOf(error);
    // A CliError means that the request body could not be read.
    throw cause instanceof CliError ? cause : new UnreachableError(url, cause);
  }
}

/** Seconds after which a limit lets the request pass; infinite if no limit has refused it. */
function secondsToWait({ status, headers }: Response): number {
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return status === 429 && retryAfter >= 0 ? Math.max(retryAfter, 1) : Infinity;
}

function readText({ url }: Pick<ApiTarget, 'url'>, response: Response): Promise<string> {
  return response.text().catch((error: unknown) => {
    throw new UnreachableError(url, causeOf(error));
  });
}

/** The cause of a failed `fetch`, whose own message gives no reason. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

/** The service cannot be reached, or the connection was lost. */
export class UnreachableError extends CliError {
  /** @param cause the failure, or a description of it. The failure of a host with several addresses has a code but no message. */
  constructor(url: string, cause: unknown) {
    super(
      `cannot reach ${url} (${reasonOf(cause)}): check that svc serve runs there, or set --url or SVC_BASE_URL`,
    );
  }
}

function reasonOf(cause: unknown): string {
  const { message, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  if (code?.startsWith('ERR_SSL')) return 'it does not speak TLS, which https needs';
  return [message, code, String(cause)].find((text) => text !== undefined && text !== '') ?? '';
}

/** Returns the JSON of a body, or its text if it is not JSON. `undefined` if it is empty. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

function codeOf(body: unknown): string | undefined {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function errorText(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null) {
    const { error, message, error_message: text, diagnostics } = answer as Record<string, unknown>;
    if (error === 'compile_failed' && Array.isArray(diagnostics)) {
      const problems = diagnostics.map((one: { message?: unknown }) => `\n  ${String(one.message)}`);
      return `the flow does not compile:${problems.join('')}`;
    }
    if (typeof error === 'string') {
      if (typeof message !== 'string') return error;
      return message.startsWith(error) ? message : `${error}: ${message}`;
    }
    // If the body has both fields, the message has more details: the node and its address.
    if (typeof text === 'string') return typeof message === 'string' ? message : text;
  }
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** What to do about an error, by its code, if its text does not say so. */
const remedies: Readonly<Record<string, string>> = {
  name_taken: 'choose another name; run svc client list to see those that are taken',
  unauthorized: 'set --key or SVC_API_KEY to a key of this service, or run svc login',
  tenant_suspended: 'svc tenant resume accepts them again',
  unary_node: 'use --input instead of --lines',
  inflight_exceeded: 'paused runs count too; run svc execution pauses to list them',
  quota_exceeded: 'it resets at midnight UTC, or the operator raises it with svc tenant limits',
};

/** What to do about a failed call, run or stream, if its text does not say so. */
const remediesOfFailures: readonly { text: RegExp; remedy: string }[] = [
  {
    // The node and its address may follow. A cause that follows them says what to do.
    text: /^could not connect to node(?: ".*\))?$/,
    remedy: 'start its container, or say where it is with svc package deploy',
  },
  {
    text: new RegExp(`^${noTerminalResult}`),
    remedy: 'no message reached the end of the flow; look at the conditions of its edges',
  },
];

/** Returns the text of a failed run or stream, and what to do about it. */
export function failureText(text: string | undefined): string {
  if (text === undefined) return 'the service gave no reason';
  const remedy = remedyOfFailure(text);
  return remedy === undefined ? text : `${text}: ${remedy}`;
}

function remedyOfFailure(text: string): string | undefined {
  return remediesOfFailures.find((each) => each.text.test(text))?.remedy;
}

function adviceOn(body: unknown): string {
  const { error_message: text, code } = (body ?? {}) as { error_message?: unknown; code?: unknown };
  const ofFailure = typeof text === 'string' ? remedyOfFailure(text) : undefined;
  const ofCode = typeof code === 'string' && Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  const remedy = ofFailure ?? ofCode;
  return remedy === undefined ? '' : `: ${remedy}`;
}
