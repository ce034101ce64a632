import { type Answer, idsOf } from "./answer.ts";
import { Deadline } from "./deadline.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import { ConnectionError, InterruptedAnswerError, SvcError } from "./errors.ts";
import type { Outgoing } from "./outgoing.ts";
import { copyError, redact, redactError, redactHeaders } from "./redact.ts";

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
  const sentHeaders = { ...call.headers, authorization: `Bearer ${apiKey}` };
  log?.({ type: "request", headers: redactHeaders(sentHeaders, apiKey) });
  const startedAt = performance.now();
  let answer: { -readonly [Name in keyof Answer]: Answer[Name] } | undefined;
  try {
    const send = call.through?.(fetch) ?? fetch;
    const sent = send(url, {
      method,
      headers: sentHeaders,
      body:
        typeof call.body === "function"
          ? call.body(Math.min(limit.remainingMs, deadline.remainingMs))
          : call.body,
      signal: limit.signal,
      redirect: "manual",
      keepalive: !!call.keepalive,
    });
    const response = await limit.guard(sent);
    const { status } = response;
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
    answer = {
      status,
      headers,
      body: "",
      attempts,
      idempotencyKey,
      executionId: headers["x-execution-id"],
      requestId: headers["x-request-id"],
    };
    apiKeys.set(answer, apiKey);
    const isSuccess = status >= 200 && status < 300;
    try {
      answer.body = await limit.guard(response.text());
    } catch (error) {
      // A refusal whose body is cut off remains one.
      if (isSuccess || limit.signal.aborted) throw error;
    }
    answer.executionId ||= call.executionIdIn?.(answer.body);
    log?.({
      type: "answer",
      status,
      executionId: answer.executionId,
      durationMs: performance.now() - startedAt,
    });
    if (isSuccess) return answer;
    // Before a part of the body is cut out for the message.
    throw errorFromAnswer(redact(answer, apiKey));
  } catch (error) {
    // The deadline's error is more specific than the transport's abort error.
    deadline.signal.throwIfAborted();
    limit.signal.throwIfAborted();
    const known =
      error instanceof SvcError
        ? error
        : connectionError(answer, copyError(error, apiKey));
    throw redactError(known, apiKey);
  } finally {
    limit.dispose();
  }
}

function connectionError(
  head: Answer | undefined,
  cause: Error,
): ConnectionError {
  return head
    ? new InterruptedAnswerError(
        `the response was cut off: ${reasonOf(cause)} (HTTP ${head.status}${idsOf(head)})`,
        { ...head, cause },
      )
    : new ConnectionError(`cannot reach the service: ${reasonOf(cause)}`, {
        cause,
      });
}

/** Returns the innermost message. The outer ones only say "fetch failed". */
export function reasonOf({
  message,
  cause,
  code,
  name,
}: Error & { code?: string }): string {
  return cause instanceof Error ? reasonOf(cause) : message || (code ?? name);
}
