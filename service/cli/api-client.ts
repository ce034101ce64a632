import { CliError } from './output.ts';

export interface ApiTarget {
  /** Base URL of a running service. */
  url: string;
  /** API key. */
  key: string;
}

export interface ApiAnswer {
  status: number;
  body: unknown;
}

/**
 * Sends one request to a running service as a tenant would.
 *
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
    response = await fetch(new URL(path, url), {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
    const { error, error_message: message } = answer as { error?: unknown; error_message?: unknown };
    if (error === 'unauthorized') return 'unauthorized: give a key of this service with --key or SVC_API_KEY';
    if (typeof error === 'string') return error;
    if (typeof message === 'string') return message;
  }
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
