import type { RootType } from "./codec/codec.ts";
import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";
import { AbortedError, ValueError } from "./errors.ts";
import type { UploadBody } from "./fetch.ts";

/** The messages of a streamed input. They are read while they are sent. */
export type StreamedInput<Message> =
  Iterable<Input<Message>> | AsyncIterable<Input<Message>>;

/** A streamed input as lines of JSON. */
export class InputLines<Message> {
  readonly #type: RootType<Message>;
  readonly #inputs: StreamedInput<Message>;
  #source: Iterator<Input<Message>> | AsyncIterator<Input<Message>> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #sent = 0;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(type: RootType<Message>, inputs: StreamedInput<Message>) {
    const given: unknown = inputs;
    const isIterable =
      typeof given === "object" &&
      given !== null &&
      (Symbol.asyncIterator in given || Symbol.iterator in given);
    if (!isIterable)
      throw new ValueError("the input must be an iterable or async iterable");
    this.#type = type;
    this.#inputs = inputs;
  }

  /** Number of messages sent. */
  get sent(): number {
    return this.#sent;
  }

  /** Throws the error of the source, or the `ValueError` of a message. */
  check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /**
   * Aborts the body, unless it has ended, once there is a response. Some
   * platforms keep sending a body even if the request is aborted.
   */
  breakOff(): void {
    this.#body?.error(new AbortedError("the input was closed"));
  }

  /** Closes the source, unless it has ended. */
  async close(): Promise<void> {
    const source = this.#source;
    this.#source = undefined;
    await source?.return?.();
  }

  /** Yields the lines on demand. */
  body(): UploadBody {
    const encoder = new TextEncoder();
    const inputs = this.#inputs;
    this.#source =
      Symbol.asyncIterator in inputs
        ? inputs[Symbol.asyncIterator]()
        : inputs[Symbol.iterator]();
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: async (controller) => {
          const line = await this.#line();
          if (line === undefined) controller.close();
          else controller.enqueue(encoder.encode(line));
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    ) as UploadBody;
  }

  async #line(): Promise<string | undefined> {
    try {
      const next = await this.#source?.next();
      if (next?.done === false) return `${this.#json(next.value)}\n`;
      this.#source = undefined;
      return undefined;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  #json(input: Input<Message>): string {
    try {
      const json = toJson(this.#type, input);
      this.#sent++;
      return json;
    } catch (cause) {
      if (!(cause instanceof ValueError)) throw cause;
      const frame = `input message ${String(this.#sent)}`;
      throw new ValueError(`${frame}: ${cause.message}`, { cause });
    }
  }
}
