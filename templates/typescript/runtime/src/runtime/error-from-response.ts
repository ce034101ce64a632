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
import { unknownTarget } from "./platform.ts";
import { idsOf, type RawResponse } from "./response.ts";
import { textOf } from "./response-object.ts";
import { retryAfterMs } from "./retry-policy.ts";

type ErrorClass = new (message: string, details: ErrorDetails) => StatusError;

/** Error classes by status, or by status and error code in the body. */
const classes: Readonly<Record<string, ErrorClass>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  "403 tenant_suspended": TenantSuspendedError,
  "403 app_key_graph_denied": AppKeyGraphDeniedError,
  404: NotFoundError,
  413: PayloadTooLargeError,
  422: NodeFailedError,
  429: RateLimitedError,
  "429 quota_exceeded": QuotaExceededError,
  502: UpstreamUnavailableError,
  503: UpstreamUnavailableError,
  504: UpstreamUnavailableError,
};

/** Returns the error for a response with an error status. */
export function errorFromResponse(response: RawResponse): StatusError {
  const {
    status,
    headers: { location, "retry-after": retryAfter },
  } = response;
  const body = parsedBody(response.body);
  const executionId = response.executionId ?? textOf(body, "execution_id");
  const said =
    textOf(body, "error_message") ??
    textOf(body, "message") ??
    textOf(body, "error") ??
    response.body.trim().slice(0, 500).replace(/^{}$/, "");
  const reason =
    status < 400
      ? `unexpected redirect${location ? ` to ${location}` : unknownTarget}`
      : "no error message";
  const ErrorOfResponse =
    classes[`${status} ${textOf(body, "error")}`] ??
    classes[status] ??
    (status < 500 ? StatusError : ServerError);
  const details = {
    ...response,
    body,
    executionId,
    retryAfterMs: retryAfterMs(retryAfter, body),
  };
  return new ErrorOfResponse(
    `${said || reason} (HTTP ${status}${idsOf(details)})`,
    details,
  );
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
