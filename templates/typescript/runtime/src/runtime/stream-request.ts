import type { ErrorDetails, SvcError } from "./errors.ts";
import type { RequestBody } from "./outgoing.ts";
import type { RawResponse } from "./response.ts";

/** Timeout of a stream in milliseconds, equal to the time limit of a node. */
export const usualTimeoutMs = 300_000;

/** The request of a stream and the type of its frames. */
export interface StreamRequest<Given> {
  readonly path: string;
  /** Throws a `ValueError` if the input is invalid. */
  readonly body: () => RequestBody | null;
  /** Decodes a message. Throws an `InvalidResponseError`. */
  readonly read: (payload: unknown, response: RawResponse) => Given;
  /** Class of the error if the last frame has one. */
  readonly Failure: new (message: string, details: ErrorDetails) => SvcError;
  /** Set if the output is stored, so that it can be resumed after an event. */
  readonly resumes?: { readonly after: string | undefined };
  /** Streamed input. Its request is sent once. */
  readonly input?: SentInput;
}

/** The streamed input of a stream. */
interface SentInput {
  /** Number of messages sent. */
  readonly sent: number;
  /** Throws the error of the source, if any. */
  check(): void;
  /** Aborts a pending request body. */
  breakOff(): void;
  /** Closes the source. */
  close(): Promise<void>;
}
