/**
 * The part of `fetch` that this package uses. The global one fits, and so does
 * a function of ten lines in a test.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** Absent for GET. */
  body?: string;
  redirect: "manual";
  /** Set for a request that may outlive its page. */
  keepalive?: boolean;
  /** Ends the request when the call is aborted or out of time. */
  signal: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: {
    forEach(visit: (value: string, name: string) => void): void;
  };
  text(): Promise<string>;
}
