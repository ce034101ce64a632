/**
 * The part of `fetch` that this package uses. The global `fetch` implements it,
 * and tests can implement it in a few lines.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** Null for GET, a stream for streamed input. */
  body: string | UploadBody | null;
  /** Set for streamed input: the response is read after the request is sent. */
  duplex?: "half";
  redirect: "manual";
  /** Set in browsers, which would otherwise cache responses. */
  cache?: "no-store";
  /** Set if the request may outlive its page. */
  keepalive?: true;
  /** Aborts the request when the call is aborted or times out. */
  signal: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: {
    forEach(visit: (value: string, name: string) => void): void;
  };
  text(): Promise<string>;
  /** Used by streams, which otherwise read `text`. */
  readonly body?: ResponseBody | null;
}

/** The part of a `ReadableStream` that this package uses. */
export interface ResponseBody {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/**
 * The body of a request with streamed input. Accepted by the global `fetch` and
 * by that of undici.
 */
export type UploadBody = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
