import { type Connection, settingsOf } from "./connection.ts";
import type { Happening } from "./outgoing.ts";

/** What an event is logged for. */
export interface LoggedCall {
  /** `GET` if omitted, as of sockets. */
  readonly method?: string;
  readonly path: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
}

/**
 * Logs an event of a call that is longer than a request. What the logger throws
 * is ignored.
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
 * Returns the log of a request that is part of a longer call. That call goes on
 * after the request has failed, or logs the failure as its own.
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
