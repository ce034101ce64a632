import { checkAborted } from "./check-aborted.ts";
import type { Connection } from "./connection.ts";
import { ConfigurationError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { type Pause, type PauseStatus, readPauses } from "./pause.ts";

/** Options for listing pauses. */
export interface PauseOptions extends CallOptions {
  /** Statuses to include; all by default. */
  statuses?: readonly PauseStatus[] | undefined;
  /** Pauses per request, at most 1,000; 100 by default. */
  pageSize?: number | undefined;
}

/**
 * Iterates over the pauses of all runs of the tenant, newest first. Use the
 * status `WAITING` to list those that need a decision. App keys cannot list
 * pauses. `timeoutMs` applies to each page.
 */
export async function* listPauses(
  connection: Connection,
  options: PauseOptions = {},
): AsyncGenerator<Pause, void, undefined> {
  const { statuses = [], pageSize = 100, ...rest } = options;
  if (!Array.isArray(statuses))
    throw new ConfigurationError("statuses must be a list");
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 1_000)
    throw new ConfigurationError("pageSize must be between 1 and 1000");
  const query = new URLSearchParams();
  for (const status of statuses) query.append("status", String(status));
  if (pageSize !== 100) query.set("limit", String(pageSize));
  let cursor: string | undefined;
  do {
    if (cursor !== undefined) query.set("cursor", cursor);
    const path = `/invocations/v1/pauses?${query.toString()}`;
    const response = await connection.send(path.replace(/\?$/, ""), null, rest);
    const asked = cursor;
    const page = connection.read(response, () => readPauses(response, asked));
    for (const pause of page.pauses) {
      checkAborted(rest.signal);
      yield pause;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
