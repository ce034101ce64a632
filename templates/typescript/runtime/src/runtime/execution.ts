import type { CallResult } from "./answer.ts";
import { textOf } from "./answer-object.ts";
import { Call } from "./call.ts";
import type { RootType } from "./codec/codec.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import {
  FlowFailedError,
  InvalidAnswerError,
  TimedOutError,
  ValueError,
} from "./errors.ts";
import {
  type EventOptions,
  type EventPage,
  eventQuery,
  type ExecutionEvent,
  readEventPage,
} from "./execution-event.ts";
import {
  type ExecutionRecord,
  isTerminal,
  readRecord,
} from "./execution-record.ts";
import { WaitTimedOutError } from "./flow-errors.ts";
import { readOutput } from "./flow-output.ts";
import type { CallOptions } from "./options.ts";

/** Bounds of the waits between two looks at a run, in milliseconds. */
const firstLookMs = 100;
const longestLookMs = 2_000;

/** A run of a flow: made by starting it, or from its id in any later program. */
export class Execution<Output> {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly #connection: Connection;
  readonly #output: RootType<Output>;

  /** Sends nothing. Throws a `ValueError` for what cannot be an id. */
  constructor(connection: Connection, output: RootType<Output>, id: string) {
    if (!/^[0-9a-f]{32}$/i.test(id))
      throw new ValueError(
        "the id of an execution is made of 32 hexadecimal digits",
      );
    this.id = id;
    this.#connection = connection;
    this.#output = output;
  }

  /** Reads the record: how far the run is. */
  get(options: CallOptions = {}): Call<ExecutionRecord> {
    return new Call(this.#get(options));
  }

  /**
   * Waits for the end of the run, and gives its output. Throws a
   * `FlowFailedError` when the run failed or was cancelled, and a
   * `WaitTimedOutError` when it has not ended within `timeoutMs`.
   */
  wait(options: CallOptions = {}): Call<Output> {
    return new Call(this.#wait(options));
  }

  /** The events of the run so far, oldest first, page by page as they are read. */
  async *events(
    options: EventOptions = {},
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    for await (const page of this.#pages(options)) yield* page.events;
  }

  async #get(options: CallOptions): Promise<CallResult<ExecutionRecord>> {
    const path = `/invocations/v1/executions/${this.id}`;
    const answer = await this.#connection.get(path, options);
    return { value: readRecord(answer), answer };
  }

  async #wait(options: CallOptions): Promise<CallResult<Output>> {
    const timeoutMs = this.#connection.timeoutMs(options);
    const deadline = new Deadline(timeoutMs, options.signal);
    const rest = (): CallOptions => ({
      ...options,
      timeoutMs: Math.max(1, deadline.remainingMs),
    });
    try {
      for (let delayMs = firstLookMs; ; delayMs *= 1.5) {
        const { value } = await this.#get(rest());
        if (isTerminal(value.status)) return await this.#result(value, rest());
        const spread = 0.5 + Math.random() / 2;
        await deadline.sleep(Math.min(delayMs, longestLookMs) * spread);
      }
    } catch (error) {
      if (!(error instanceof TimedOutError)) throw error;
      throw new WaitTimedOutError(
        `execution ${this.id} has not ended in time; it runs on`,
        this,
        { cause: error },
      );
    } finally {
      deadline.dispose();
    }
  }

  /** What a run that has ended came to: its last event says it. */
  async #result(
    { status }: ExecutionRecord,
    options: CallOptions,
  ): Promise<CallResult<Output>> {
    if (status === "FORKED")
      throw new FlowFailedError(`execution ${this.id} was forked`, {
        executionId: this.id,
      });
    const types = ["FLOW_COMPLETED", "FLOW_FAILED"];
    for await (const page of this.#pages({ ...options, types })) {
      const { events, answer, exactOutput } = page;
      for (const [index, { type, fields }] of events.entries()) {
        if (type === "FLOW_COMPLETED") {
          const output = exactOutput(index);
          return { value: readOutput(this.#output, output, answer), answer };
        }
        if (type === "FLOW_FAILED") throw this.#failure(fields, answer);
      }
    }
    throw new InvalidAnswerError(
      `the history of execution ${this.id} does not tell its end`,
      { executionId: this.id },
    );
  }

  #failure(fields: object, answer: EventPage["answer"]): FlowFailedError {
    const said = textOf(fields, "error") ?? "the flow gave no reason";
    return new FlowFailedError(`${said} (execution ${this.id})`, {
      status: answer.status,
      headers: answer.headers,
      body: fields,
      executionId: this.id,
    });
  }

  async *#pages(
    options: EventOptions,
  ): AsyncGenerator<EventPage, void, undefined> {
    let cursor: string | undefined;
    do {
      const query = eventQuery(options, cursor);
      const path = `/invocations/v1/executions/${this.id}/events?${query}`;
      const page = readEventPage(await this.#connection.get(path, options));
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}
