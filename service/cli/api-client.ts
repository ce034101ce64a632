import { CliError, type Terminal, UsageError } from './output.ts';

export interface ApiTarget {
  /** Base URL of a running service, without a trailing slash. It may have a path. */
  url: string;
  /** API key. */
  key: string;
}

/** Returns the service and key that a command uses, from its flags or the environment. */
export function apiTarget({ env }: Pick<Terminal, 'env'>, flags: { url?: string; key?: string }): ApiTarget {
  const key = flags.key ?? env.SVC_API_KEY;
  if (!key) throw new UsageError('no API key: set --key or SVC_API_KEY (svc key create prints a new key)');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'the API key contains characters that are not allowed: copy it again, without spaces or line breaks',
    );
  }
  const url = flags.url ?? env.SVC_BASE_URL ?? 'http://127.0.0.1:8080';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(
      `"${url}" is not an http or https URL: set --url or SVC_BASE_URL, for example http://127.0.0.1:8080`,
    );
  }
  return { url: url.replace(/\/+$/, ''), key };
}

interface ApiAnswer {
  status: number;
  body: unknown;
}

/**
 * Sends one request to a running service.
 *
 * @param body sent as JSON, or unchanged if it is a string
 * @throws CliError if the service cannot be reached, or with the service's own text if it answers with an error
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
    throw new CliError(`cannot reach ${url} (${cause}): check that svc serve runs there`);
  }
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : parse(text);
  if (response.ok) return { status: response.status, body: answer };
  throw new CliError(`${method} ${path} failed with status ${response.status}: ${errorText(answer)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorText(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null) {
    const { error, message, error_message: text, diagnostics } = answer as Record<string, unknown>;
    if (error === 'unauthorized') return 'unauthorized: set --key or SVC_API_KEY to a key of this service';
    if (error === 'compile_failed' && Array.isArray(diagnostics)) {
      const problems = diagnostics.map((one: { message?: unknown }) => `\n  ${String(one.message)}`);
      return `the flow does not compile:${problems.join('')}`;
    }
    if (typeof error === 'string') return typeof message === 'string' ? `${error}: ${message}` : error;
    if (typeof text === 'string') return text;
  }
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
