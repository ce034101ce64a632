import type { Answer } from "./answer.ts";
import { Deadline } from "./deadline.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { ConnectionError, InterruptedAnswerError, SvcError } from "./errors.ts";
import type { FetchAnswer } from "./fetch.ts";
import type { Outgoing } from "./outgoing.ts";
import { copyError, redactError, redactHeaders } from "./redact.ts";

/**
 * Keys to redact in errors that are found after the response. Not in the
 * response, because callers print it.
 */
export const apiKeys: WeakMap<Answer, string> = new WeakMap<Answer, string>();

/**
 * Sends the request of a call once. Returns the response if its status is 2xx.
 * Throws a `SvcError` without the API key otherwise.
 */
export async function attempt(
  call: Outgoing,
  apiKey: string,
  deadline: Deadline,
): Promise<Answer> {
  const { url, method, fetch, log, attempts, idempotencyKey } = call;
  const limit = new Deadline(call.attemptTimeoutMs, deadline.signal, "attempt");
  const headers = { ...call.headers, authorization: `Bearer ${apiKey}` };
  log?.({ type: "request", headers: redactHeaders(headers, apiKey) });
  const startedAt = performance.now();
  let head: FetchAnswer | undefined;
  try {
    const send = call.through?.(fetch) ?? fetch;
    const sent = send(url, {
      method,
      headers,
      body:
        typeof call.body === "function"
          ? call.body(Math.min(limit.remainingMs, deadline.remainingMs))
          : call.body,
      signal: limit.signal,
      redirect: "manual",
      keepalive: !!call.keepalive,
    });
    head = await limit.guard(sent);
    const body = await limit.guard(head.text());
    const { status } = head;
    const received: Record<string, string> = {};
    head.headers.forEach((value, name) => {
      received[name.toLowerCase()] = value;
    });
    const executionId =
      received["x-execution-id"] || call.executionIdIn?.(body);
    const durationMs = performance.now() - startedAt;
    log?.({ type: "answer", status, executionId, durationMs });
    const answer: Answer = {
      status,
      headers: received,
      body,
      attempts,
      idempotencyKey,
      executionId,
    };
    apiKeys.set(answer, apiKey);
    if (status >= 200 && status <= 299) return answer;
    throw errorFromAnswer(answer);
  } catch (error) {
    // The deadline's error is more specific than the transport's abort error.
    deadline.signal.throwIfAborted();
    limit.signal.throwIfAborted();
    const known =
      error instanceof SvcError
        ? error
        : connectionError(head, copyError(error, apiKey));
    throw redactError(known, apiKey);
  } finally {
    limit.dispose();
  }
}

function connectionError(
  head: FetchAnswer | undefined,
  cause: Error,
): ConnectionError {
  const [Failure, what] = head
    ? [InterruptedAnswerError, "the response was cut off"]
    : [ConnectionError, "cannot reach the service"];
  const status = head?.status;
  return new Failure(`${what}: ${reason(cause)}`, { status, cause });
}

/** Returns the innermost message. The outer ones only say "fetch failed". */
function reason({ message, cause }: Error): string {
  return cause instanceof Error ? reason(cause) : message;
}
