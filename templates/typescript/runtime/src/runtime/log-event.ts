import { type Connection, settingsOf } from "./connection.ts";
import type { Happening } from "./outgoing.ts";

/** The call of a log event. */
export interface LoggedCall {
  /** Defaults to `GET`, the method of sockets. */
  readonly method?: string;
  readonly path: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
}

/**
 * Logs an event of a call that consists of several requests. Exceptions of the
 * logger are ignored.
 */
export function logEvent(
  connection: Connection,
  { method = "GET", path, idempotencyKey, attempt }: LoggedCall,
  event: Happening,
): void {
  const { baseUrl, logger } = settingsOf(connection);
  const url = baseUrl + path;
  const log = async (): Promise<unknown> =>
    logger?.({ ...event, method, url, idempotencyKey, attempt });
  log().catch(() => undefined);
}

/**
 * Returns the log of a request that is part of a longer call. It omits the
 * failure: the call either continues or logs it as its own.
 */
export function partLog(
  connection: Connection,
  call: Omit<LoggedCall, "attempt">,
): (event: Happening) => void {
  let attempts = 0;
  return (event) => {
    if (event.type === "request") attempts++;
    if (event.type === "failure") return;
    logEvent(connection, { ...call, attempt: attempts || 1 }, event);
  };
}
