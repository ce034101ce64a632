import { CliError, type Terminal, UsageError } from './output.ts';

export interface ApiTarget {
  /** Base URL of a running service, without a slash at its end; it may have a path. */
  url: string;
  /** API key. */
  key: string;
}

/** Whom a command talks to, by its flags or the environment. */
export function apiTarget({ env }: Pick<Terminal, 'env'>, flags: { url?: string; key?: string }): ApiTarget {
  const key = flags.key ?? env.SVC_API_KEY;
  if (!key) throw new UsageError('no API key: give --key or set SVC_API_KEY (svc key create makes one)');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'the API key holds characters that no key has: was it copied whole, and nothing else?',
    );
  }
  const url = flags.url ?? env.SVC_BASE_URL ?? 'http://127.0.0.1:8080';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(
      `"${url}" is no address of a service: give --url or SVC_BASE_URL such as http://127.0.0.1:8080`,
    );
  }
  return { url: url.replace(/\/+$/, ''), key };
}

export interface ApiAnswer {
  status: number;
  body: unknown;
}

/**
 * Sends one request to a running service as a tenant would.
 *
 * @param body sent as JSON; a text is sent as it is
 * @throws CliError when the service cannot be reached, or refuses: with its own text
 */
export async function callApi(
  { url, key }: ApiTarget,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  let response: Response;
  try {
    response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new CliError(`${url} does not answer (${cause}): is svc serve running there?`);
  }
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : parse(text);
  if (response.ok) return { status: response.status, body: answer };
  throw new CliError(`${method} ${path} was refused (${response.status}): ${refusal(answer)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null) {
    const { error, message, error_message: text, diagnostics } = answer as Record<string, unknown>;
    if (error === 'unauthorized') return 'unauthorized: give a key of this service with --key or SVC_API_KEY';
    if (error === 'compile_failed' && Array.isArray(diagnostics)) {
      const problems = diagnostics.map((one: { message?: unknown }) => `\n  ${String(one.message)}`);
      return `the flow does not compile:${problems.join('')}`;
    }
    if (typeof error === 'string') return typeof message === 'string' ? `${error}: ${message}` : error;
    if (typeof text === 'string') return text;
  }
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
