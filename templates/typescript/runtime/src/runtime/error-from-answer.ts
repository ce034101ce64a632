import { type Answer, executionIdOf } from "./answer.ts";
import { getOwn, isObject } from "./codec/json.ts";
import {
  AppKeyGraphDeniedError,
  BadRequestError,
  type ErrorDetails,
  ForbiddenError,
  NodeFailedError,
  NotFoundError,
  PayloadTooLargeError,
  QuotaExceededError,
  RateLimitedError,
  ServerError,
  StatusError,
  TenantSuspendedError,
  UnauthorizedError,
  UpstreamUnavailableError,
} from "./errors.ts";
import { retryAfterMs } from "./retry-policy.ts";

type ErrorClass = new (message: string, details: ErrorDetails) => StatusError;

/** The typed error of an answer whose status says failure. */
export function errorFromAnswer(answer: Answer): StatusError {
  const body = parsedBody(answer.body);
  const details = {
    status: answer.status,
    headers: answer.headers,
    body,
    executionId: executionIdOf(answer) ?? textOf(body, "execution_id"),
    retryAfterMs: retryAfterMs(answer.headers["retry-after"], body),
  };
  const said =
    textOf(body, "error_message") ??
    textOf(body, "message") ??
    textOf(body, "error") ??
    (typeof body === "string" && body.trim() !== ""
      ? body.trim().slice(0, 500)
      : answer.status < 400
        ? "redirects are not followed"
        : "the service gave no reason");
  const run =
    details.executionId === undefined
      ? ""
      : `, execution ${details.executionId}`;
  const message = `${said} (HTTP ${String(answer.status)}${run})`;
  return new (errorClass(answer.status, textOf(body, "error")))(
    message,
    details,
  );
}

function errorClass(status: number, error: string | undefined): ErrorClass {
  switch (status) {
    case 400:
      return BadRequestError;
    case 401:
      return UnauthorizedError;
    case 403:
      if (error === "tenant_suspended") return TenantSuspendedError;
      if (error === "app_key_graph_denied") return AppKeyGraphDeniedError;
      return ForbiddenError;
    case 404:
      return NotFoundError;
    case 413:
      return PayloadTooLargeError;
    case 422:
      return NodeFailedError;
    case 429:
      return error === "quota_exceeded" ? QuotaExceededError : RateLimitedError;
    case 502:
    case 503:
    case 504:
      return UpstreamUnavailableError;
    default:
      return status >= 500 ? ServerError : StatusError;
  }
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function textOf(body: unknown, key: string): string | undefined {
  const value = isObject(body) ? getOwn(body, key) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
