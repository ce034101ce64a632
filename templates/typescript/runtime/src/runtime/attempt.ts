import { Deadline } from "./deadline.ts";
import { errorFromResponse } from "./error-from-response.ts";
import {
  ConnectionError,
  InterruptedResponseError,
  SvcError,
} from "./errors.ts";
import type { Outgoing } from "./outgoing.ts";
import { cacheMode } from "./platform.ts";
import { copyError, redact, redactError, redactHeaders } from "./redact.ts";
import { idsOf, type RawResponse } from "./response.ts";

/**
 * The API key to redact and the log for errors that are detected after the
 * response. They are not properties of the response, because callers print it.
 */
export const exchanges: WeakMap<RawResponse, Exchange> = new WeakMap<
  RawResponse,
  Exchange
>();

type Exchange = readonly [apiKey: string, log: Outgoing["log"]];

/**
 * Sends the request of a call once. Returns the response if its status is 2xx.
 * Throws a `SvcError` without the API key otherwise.
 */
export async function attempt(
  call: Outgoing,
  apiKey: string,
  deadline: Deadline,
): Promise<RawResponse> {
  const { url, method, fetch, log } = call;
  const limit = new Deadline(call.attemptTimeoutMs, undefined, "attempt");
  const { signal } = limit;
  deadline.stop = (reason) => {
    limit.abort(reason);
  };
  const sentHeaders = { ...call.headers, authorization: `Bearer ${apiKey}` };
  log?.({ type: "request", headers: redactHeaders(sentHeaders, apiKey) });
  const startedAt = performance.now();
  let response:
    { -readonly [Name in keyof RawResponse]: RawResponse[Name] } | undefined;
  try {
    const received = await limit.guard(
      fetch(url, {
        method,
        headers: sentHeaders,
        body:
          typeof call.body === "function"
            ? // Some proxies cut off a long wait, so retries do not wait.
              call.body(
                call.failedAt ? 0 : call.attemptTimeoutMs,
                deadline.remainingMs,
              )
            : call.body,
        signal,
        redirect: "manual",
        ...cacheMode,
      }),
    );
    const { status } = received;
    const headers: Record<string, string> = {};
    received.headers.forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
    response = {
      status,
      headers,
      body: "",
      attempts: call.attempts,
      idempotencyKey: call.idempotencyKey,
      requestId: headers["x-request-id"],
      executionId: redact(headers["x-execution-id"], apiKey),
    };
    exchanges.set(response, [apiKey, log]);
    // A 101 opens a WebSocket and carries no response.
    const isSuccess = status > 100 && status < 300;
    try {
      response.body = isSuccess
        ? await limit.guard(received.text())
        : (await Promise.race([received.text(), limit.sleep(5_000)])) || "";
    } catch (error) {
      // For an error response, the status is sufficient.
      if (isSuccess) throw error;
    }
    response.executionId ||= call.executionIdIn?.(response.body);
    log?.({
      type: "response",
      status,
      executionId: response.executionId,
      durationMs: performance.now() - startedAt,
    });
    if (isSuccess) return response;
    // Redact before the message is truncated, which could split the key.
    throw errorFromResponse(redact(response, apiKey));
  } catch (error) {
    const { status } = error as SvcError;
    if (status !== 401 && status !== 429) call.failedAt ||= startedAt;
    // The deadline's error is more specific than the transport's abort error.
    signal.throwIfAborted();
    // Aborts the rest of the exchange, including a pending body.
    limit.abort(error);
    const cause = copyError(error, apiKey);
    const reason = reasonOf(cause);
    throw redactError(
      error instanceof SvcError
        ? error
        : response
          ? new InterruptedResponseError(
              `the response was cut off: ${reason} (HTTP ${response.status}${idsOf(response)})`,
              { ...response, cause },
            )
          : new ConnectionError(`cannot reach the service: ${reason}`, {
              cause,
            }),
      apiKey,
    );
  } finally {
    limit.dispose();
  }
}

/** Returns the innermost message. Outer messages only say "fetch failed". */
export function reasonOf({
  message,
  cause,
  code,
  name,
}: Error & { code?: string }): string {
  return cause instanceof Error ? reasonOf(cause) : message || code || name;
}
