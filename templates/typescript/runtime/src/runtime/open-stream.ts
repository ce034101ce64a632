import { checkIdempotency } from "./check-idempotency.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { onAbort } from "./deadline.ts";
import type { Fetch, FetchResponse, ResponseBody } from "./fetch.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { CallOptions } from "./options.ts";
import type { RequestBody, RequestFacts } from "./outgoing.ts";
import type { RawResponse } from "./response.ts";

/** A response whose body is read as it arrives. */
export interface OpenedStream {
  /** The response with an empty body. */
  readonly response: RawResponse;
  /** Undefined if there is nothing to read: 204. */
  readonly body: ResponseBody | undefined;
  /** Aborts the exchange, including a pending request body. */
  readonly abort: () => void;
}

/** Properties of a stream request. */
export interface StreamFacts extends Pick<RequestFacts, "log"> {
  /** Id of the event to start after. */
  readonly lastEventId?: string | undefined;
}

/**
 * Posts a request, or reads the path if it has no body, and returns once the
 * response headers have arrived. Retries like other calls, unless the body is a
 * stream. Throws a `SvcError` if the response is not an event stream.
 */
export async function openStream(
  connection: Connection,
  path: string,
  body: RequestBody | null,
  options: CallOptions,
  { lastEventId, log }: StreamFacts = {},
): Promise<OpenedStream> {
  let opened: ResponseBody | null | undefined;
  let refused: FetchResponse | undefined;
  let exchange = new AbortController();
  const isUpload = typeof body === "object" && body !== null;
  const settings = settingsOf(connection);
  const fetch: Fetch = async (url, init) => {
    // A streamed input cannot be sent again, even with a renewed token.
    if (refused) return refused;
    // The signal of the attempt no longer applies once the headers have arrived.
    const attempted = new AbortController();
    exchange = attempted;
    onAbort(init.signal, () => {
      attempted.abort(init.signal.reason);
    });
    const begun = await settings.fetch(url, {
      ...init,
      ...(isUpload && { duplex: "half" }),
      signal: attempted.signal,
    });
    const { status, headers } = begun;
    let type = "";
    headers.forEach((value, name) => {
      if (/^content-type$/i.test(name)) type = value;
    });
    if (status < 200 || status > 299 || !/^text\/event-stream\b/i.test(type))
      return isUpload ? (refused = withText(begun)) : begun;
    opened = begun.body ?? new Response(await begun.text()).body;
    return { status, headers, text: () => Promise.resolve("") };
  };
  const headers = {
    accept: "text/event-stream, application/json",
    ...(isUpload && { "content-type": "application/x-ndjson" }),
    ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
  };
  const abort = (): void => {
    exchange.abort();
  };
  const facts = { headers, fetch, ...(log && { log }) };
  const response = await connection.send(path, body, options, facts);
  try {
    return connection.read(response, () => {
      checkIdempotency(response);
      if (opened || (body === null && response.status === 204))
        return { response, body: opened ?? undefined, abort };
      throw invalidResponse(response, "not an event stream");
    });
  } catch (error) {
    // The body is not read, and the server might keep sending.
    abort();
    opened
      ?.getReader()
      .cancel()
      .catch(() => undefined);
    throw error;
  }
}

/**
 * Returns the transport of an upload whose response is not a stream. The source
 * can be read only once, so the first response is final.
 */
export function uploadOnce(fetch: Fetch): Fetch {
  let response: FetchResponse | undefined;
  return async (url, init) =>
    (response ??= withText(await fetch(url, { ...init, duplex: "half" })));
}

/** A response whose text can be read repeatedly. */
function withText(begun: FetchResponse): FetchResponse {
  const { status, headers } = begun;
  const text = begun.text();
  text.catch(() => undefined);
  return { status, headers, text: () => text };
}
