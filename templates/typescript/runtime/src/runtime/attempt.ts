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
    const response = await limit.guard(
      send(url, {
        method,
        headers: sentHeaders,
        body:
          typeof call.body === "function"
            ? call.body(Math.min(limit.remainingMs, deadline.remainingMs))
            : call.body,
        signal: limit.signal,
        redirect: "manual",
        keepalive: !!call.keepalive,
      }),
    );
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
    // 101 is that of a socket that has opened.
    const isSuccess = status > 100 && status < 300;
    try {
      answer.body = isSuccess
        ? await limit.guard(response.text())
        : (await Promise.race([response.text(), limit.sleep(5_000)])) || "";
    } catch (error) {
      // A refusal whose body is late or cut off remains one.
      if (isSuccess) throw error;
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
    // Ends what is left of the exchange, and the wait for its body.
    limit.abort();
    throw redactError(
      error instanceof SvcError
        ? error
        : connectionError(answer, copyError(error, apiKey)),
      apiKey,
    );
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
