/**
 * The part of `fetch` that this package uses. The global one fits, and so does
 * a function of ten lines in a test.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** Null for GET. */
  body: string | null;
  redirect: "manual";
  /** Whether the request may outlive its page. */
  keepalive: boolean;
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
