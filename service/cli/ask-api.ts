import { ApiFailure, type ApiTarget, callApi, sendRequest } from './api-client.ts';
import { CliError } from './output.ts';

/** A request of a command, and what a refusal means to the user. */
interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Sent as JSON, or unchanged if it is a string. */
  body?: unknown;
  /** What the request asks for, for example `execution "4bf9"`. A 404 and a 409 name it. */
  subject?: string;
  /** What to do about a 404. */
  hint?: string;
}

/**
 * Sends a request and returns the answer, which is `undefined` if it has no body.
 *
 * @throws CliError that says in a sentence what failed, and what to do about it
 */
export async function askApi<T>(target: ApiTarget, question: Question): Promise<T> {
  const { method, path, body } = question;
  const answer = await explained(target, question, callApi(target, method, path, body));
  // A page or a text is the answer of another server, or of a proxy.
  if (typeof answer.body === 'string') throw notTheService(target);
  return answer.body as T;
}

/** Sends a request whose answer is not JSON. Throws as `askApi`. */
export function openApi(target: ApiTarget, question: Question): Promise<Response> {
  const { method, path } = question;
  return explained(target, question, sendRequest(target, { method, path }));
}

async function explained<T>(target: ApiTarget, question: Question, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof ApiFailure ? explain(target, question, error) : error;
  });
}

/** Says what a refusal means for the command. What may succeed later stays an `ApiFailure`. */
export function explain(target: ApiTarget, { subject, hint }: Question, failure: ApiFailure): CliError {
  const { status, text, body } = failure;
  if (status >= 500 || status === 429) return failure;
  if (typeof body !== 'object') return notTheService(target);
  if (status === 401) return new CliError(`${target.url} refused the API key: ${text}`);
  if (status === 403 && text.startsWith('forbidden: token lacks')) {
    return new CliError(`${text}: set --key or SVC_API_KEY to a key that has it`);
  }
  const reason = messageOf(body) ?? text;
  if ((status !== 404 && status !== 409) || text.startsWith('no route')) return new CliError(reason);
  const parts = [subject, reason, status === 404 ? hint : undefined];
  return new CliError(parts.filter((part) => part !== undefined).join(': '));
}

/** Returns the part of a refusal that is for people: without its class. */
function messageOf(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

function notTheService({ url }: ApiTarget): CliError {
  return new CliError(`${url} does not answer like svc: check the address in --url or SVC_BASE_URL`);
}
