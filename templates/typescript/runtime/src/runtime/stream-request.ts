import type { ErrorDetails, SvcError } from "./errors.ts";
import type { RequestBody } from "./outgoing.ts";
import type { RawResponse } from "./response.ts";

/** Timeout of a stream in milliseconds: what the service allows a node. */
export const usualTimeoutMs = 300_000;

/** The request of a stream, and what its frames are. */
export interface StreamRequest<Given> {
  readonly path: string;
  /** Throws a `ValueError` if the input is invalid. */
  readonly body: () => RequestBody | null;
  /** Decodes a message. Throws an `InvalidResponseError`. */
  readonly read: (payload: unknown, response: RawResponse) => Given;
  /** Class of the error if the last frame has one. */
  readonly Failure: new (message: string, details: ErrorDetails) => SvcError;
  /** The output is stored, so it can be read on after an event. */
  readonly resumes?: { readonly after: string | undefined };
  /** Streamed input: a request that is sent once. */
  readonly input?: SentInput;
}

/** What a stream asks of its streamed input. */
interface SentInput {
  /** Number of messages sent. */
  readonly sent: number;
  /** Throws what the source of the messages threw. */
  check(): void;
  /** Breaks off what is still being sent. */
  breakOff(): void;
  /** Closes the source. */
  close(): Promise<void>;
}
