import { aboutRun } from "./about-run.ts";
import { Call } from "./call.ts";
import { checkAborted } from "./check-aborted.ts";
import { checkIdempotency } from "./check-idempotency.ts";
import type { RootType } from "./codec/codec.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import {
  type ErrorDetails,
  InvalidResponseError,
  SvcError,
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
import { isExecutionId } from "./execution-id.ts";
import {
  type ExecutionRecord,
  isTerminal,
  readRecord,
} from "./execution-record.ts";
import { readOutput } from "./flow-output.ts";
import { executionIdOf, facts } from "./flow-request.ts";
import { follow } from "./follow.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { logEvent, partLog } from "./log-event.ts";
import type { CallOptions } from "./options.ts";
import type { Happening } from "./outgoing.ts";
import {
  type Pause,
  readPauses,
  readResumedPause,
  type ResumedPause,
} from "./pause.ts";
import { firstPollDelayMs, pollTimeoutMs, spread } from "./poll-delay.ts";
import { type CallResult, idsOf, type RawResponse } from "./response.ts";
import { objectOf, textOf } from "./response-object.ts";
import {
  type Decision,
  type ForkOptions,
  forkRequest,
  resumeRequest,
  type ResumeOptions,
} from "./resume-request.ts";
import { isRetryable } from "./retry-policy.ts";

/** Maximum delay between polls of a run, in milliseconds. */
const longestPollDelayMs = 2_000;

/** A handle to a run of a flow. Start a flow or pass the id of a run. */
export class Execution<Output> {
  /** Execution id, 32 hexadecimal digits. */
  readonly id: string;
  readonly #connection: Connection;
  readonly #output: RootType<Output>;

  /** Sends no request. Throws a `ValueError` if the id is malformed. */
  constructor(connection: Connection, output: RootType<Output>, id: string) {
    if (!isExecutionId(id))
      throw new ValueError("the execution id must be 32 hexadecimal digits");
    this.id = id;
    this.#connection = connection;
    this.#output = output;
  }

  /** Retrieves the current state of the run. */
  get(options: CallOptions = {}): Call<ExecutionRecord> {
    return new Call(this.#get(options));
  }

  /**
   * Waits for the run to end and returns its output. Throws a `FlowFailedError`
   * if the run failed or was cancelled, a `FlowPausedError` if it is waiting for
   * a decision, and a `WaitTimedOutError` if it did not end within `timeoutMs`.
   */
  wait(options: CallOptions = {}): Call<Output> {
    return new Call(this.#wait(options));
  }

  /**
   * Cancels the run and returns its state. If the run has already ended, the
   * call has no effect and throws a `StatusError`. App keys cannot cancel.
   */
  cancel(options: CallOptions = {}): Call<ExecutionRecord> {
    return new Call(this.#cancel(options));
  }

  /** Lists the pauses of the run, oldest first. At most one is waiting. */
  pauses(options: CallOptions = {}): Call<Pause[]> {
    return new Call(this.#pauses(options));
  }

  /**
   * Decides on a pause of the run, which then continues. The first decision
   * wins; the response to a later one says so. Throws a `StatusError` if the
   * decision is rejected; its `code` gives the reason. After
   * `invalid_resume_value`, the pause is still waiting.
   */
  resume(
    pauseId: string,
    decision: Decision,
    options: ResumeOptions = {},
  ): Call<ResumedPause> {
    return new Call(this.#resume(pauseId, decision, options));
  }

  /**
   * Starts a run that continues from a checkpoint of this one. If this run has
   * not ended, it ends with the status `FORKED`. App keys cannot fork.
   */
  fork(options: ForkOptions = {}): Call<Execution<Output>> {
    return new Call(this.#fork(options));
  }

  /**
   * Iterates over the events recorded so far, oldest first. It does not wait for
   * new events.
   */
  async *events(
    options: EventOptions = {},
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    const { types, nodeName, pageSize, ...rest } = options;
    const filter = { types, nodeName, pageSize };
    for await (const page of this.#pages(filter, () => rest))
      for (const event of page.events) {
        checkAborted(rest.signal, this.id);
        yield event;
      }
  }

  /**
   * Iterates over the events of the run as they happen, from the first event to
   * `FLOW_COMPLETED` or `FLOW_FAILED`. It continues while the run is paused, and
   * reconnects when the connection is lost. Where WebSockets are missing or
   * blocked, it polls the history about once a second instead. Leaving the loop
   * closes the connection; the run continues. `timeoutMs` limits each request
   * and each opening of a socket, not the whole iteration.
   */
  follow(
    options: CallOptions = {},
  ): AsyncGenerator<ExecutionEvent, void, undefined> {
    return follow(this.#connection, this.id, options);
  }

  get #path(): string {
    return `/invocations/v1/executions/${this.id}`;
  }

  readonly #facts = { executionIdIn: () => this.id };

  /** Sends a request about the run. With `waitKey`, it is part of a wait. */
  #send(
    rest: string,
    options: CallOptions,
    waitKey?: string,
  ): Promise<RawResponse> {
    const connection = this.#connection;
    const path = this.#path + rest;
    return connection.send(path, null, options, {
      ...this.#facts,
      ...(waitKey && {
        log: partLog(connection, { path, idempotencyKey: waitKey }),
      }),
    });
  }

  async #get(
    options: CallOptions,
    waitKey?: string,
  ): Promise<CallResult<ExecutionRecord>> {
    const connection = this.#connection;
    const response = await this.#send("", options, waitKey);
    return { value: connection.read(response, readRecord), response };
  }

  async #cancel(options: CallOptions): Promise<CallResult<ExecutionRecord>> {
    const connection = this.#connection;
    const path = `${this.#path}/cancel`;
    const endsAt = performance.now() + connection.timeoutMs(options);
    try {
      const response = await connection.send(path, "{}", options, this.#facts);
      return { value: connection.read(response, readRecord), response };
    } catch (error) {
      const { code, attempts = 0 } = error as SvcError;
      const isOver = /^execution_not_cancellable$/i.test(code);
      if (!isOver || attempts < 2) throw error;
      // An earlier attempt whose response was lost may have cancelled the run.
      const timeoutMs = Math.max(1, endsAt - performance.now());
      const current = await this.#get({ ...options, timeoutMs });
      if (current.value.status !== "CANCELLED") throw error;
      return current;
    }
  }

  async #pauses(options: CallOptions): Promise<CallResult<Pause[]>> {
    const connection = this.#connection;
    const path = `${this.#path}/pauses`;
    const response = await connection.send(path, null, options, this.#facts);
    const { pauses } = connection.read(response, () => readPauses(response));
    return { value: pauses, response };
  }

  async #resume(
    pauseId: string,
    decision: Decision,
    { resumedBy, ...options }: ResumeOptions,
  ): Promise<CallResult<ResumedPause>> {
    const connection = this.#connection;
    const body = resumeRequest(pauseId, decision, resumedBy);
    const path = `/invocations/v1/flows/${this.id}/resume`;
    const response = await connection.send(path, body, options, this.#facts);
    return { value: connection.read(response, readResumedPause), response };
  }

  async #fork({
    checkpointId,
    input,
    ...options
  }: ForkOptions): Promise<CallResult<Execution<Output>>> {
    const connection = this.#connection;
    const body = forkRequest({ checkpointId, input });
    const path = `${this.#path}/fork`;
    const response = await connection.send(path, body, options, {
      ...facts,
      executionIdIn: (text) => facts.executionIdIn(text) ?? this.id,
    });
    const value = connection.read(response, () => {
      checkIdempotency(response);
      const id = executionIdOf(objectOf(response), response);
      return new Execution(connection, this.#output, id);
    });
    return { value, response };
  }

  async #wait(options: CallOptions): Promise<CallResult<Output>> {
    const timeoutMs = this.#connection.timeoutMs(options);
    const deadline = new Deadline(timeoutMs, options.signal);
    const settings = settingsOf(this.#connection);
    const {
      idempotencyKey = newIdempotencyKey(),
      maxRetries = settings.maxRetries,
    } = options;
    const attemptTimeoutMs = pollTimeoutMs(options, settings);
    // Not retried: the next poll acts as the retry, without the retry budget.
    const rest = (): CallOptions => ({
      ...options,
      idempotencyKey,
      attemptTimeoutMs,
      maxRetries: 0,
      timeoutMs: Math.max(1, Math.ceil(deadline.remainingMs)),
    });
    const log = (error: SvcError, event: Happening): void => {
      const attempt = error.attempts ?? 1;
      const call = { path: this.#path, idempotencyKey, attempt };
      logEvent(this.#connection, call, event);
    };
    /** The error of the last poll, if it failed. */
    let failure: SvcError | undefined;
    /** The response to the last poll, if the run is running. */
    let running: RawResponse | undefined;
    try {
      for (let delayMs = firstPollDelayMs; ; delayMs *= 1.5) {
        try {
          running = undefined;
          const looked = await this.#look(rest, idempotencyKey);
          if ("value" in looked) return looked;
          failure = undefined;
          running = looked.response;
        } catch (error) {
          // The run continues during an outage of the service.
          if (maxRetries === 0 || !isRetryable(error)) throw error;
          const isLate = deadline.remainingMs < 2;
          if (isLate && error instanceof TimedOutError) throw error;
          failure = error;
        }
        const pollMs = spread(Math.min(delayMs, longestPollDelayMs));
        const nextMs = pollMs + (failure?.retryAfterMs ?? 0);
        if (failure)
          log(failure, { type: "retry", error: failure, delayMs: nextMs });
        // The deadline applies to a Retry-After as well.
        await deadline.sleep(nextMs);
      }
    } catch (thrown) {
      /** Timers may fire early by a fraction of a millisecond. */
      const isLate = deadline.remainingMs < 2;
      let error = thrown as SvcError;
      if (isLate && error instanceof TimedOutError) {
        const cause = running ? undefined : (failure ?? error);
        const { attempts, requestId } = running ?? failure ?? error;
        const state = cause
          ? `may still be running: ${cause.message}`
          : "is still running";
        error = new WaitTimedOutError(`execution ${this.id} ${state}`, this, {
          cause,
          attempts,
          idempotencyKey,
          requestId,
        });
      } else if (error instanceof SvcError)
        aboutRun(error, { executionId: this.id, idempotencyKey });
      // A paused run is not a failure.
      if (!(error instanceof FlowPausedError))
        log(error, { type: "failure", error, executionId: this.id });
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  /** Polls the run. Returns its result if it has ended, otherwise the response. */
  async #look(
    rest: () => CallOptions,
    waitKey: string,
  ): Promise<CallResult<Output> | Pick<CallResult<Output>, "response">> {
    const { value, response } = await this.#get(rest(), waitKey);
    const details = { ...response, body: value.fields };
    if (isTerminal(value.status)) {
      const result = await this.#result(rest, waitKey);
      if (result) return result;
      const { errorMessage: error } = value;
      if (value.status !== "COMPLETED")
        throw this.#failure({ error }, response);
      throw new InvalidResponseError(
        `the events of execution ${this.id} have no final event`,
      );
    }
    if (value.pauseId === undefined) return { response };
    const { id } = this;
    throw new FlowPausedError(pausedText(id), this, value.pauseId, details);
  }

  /** Reads the result of an ended run from its final event, if it has one. */
  async #result(
    rest: () => CallOptions,
    waitKey: string,
  ): Promise<CallResult<Output> | undefined> {
    const types = ["FLOW_COMPLETED", "FLOW_FAILED"];
    for await (const page of this.#pages({ types }, rest, waitKey)) {
      const { events, response, exactOutput } = page;
      for (const [index, { type, fields }] of events.entries()) {
        if (!types.includes(type)) continue;
        const value = this.#connection.read(response, () => {
          if (type === "FLOW_FAILED") throw this.#failure(fields, response);
          return readOutput(this.#output, exactOutput(index), response);
        });
        return { value, response };
      }
    }
    return undefined;
  }

  #failure(fields: object, response: EventPage["response"]): FlowFailedError {
    const said = textOf(fields, "error") ?? "no error message";
    const executionId = this.id;
    const ids = idsOf({ executionId, requestId: response.requestId });
    return flowFailed(`${said} (${ids.slice(2)})`, this, {
      ...response,
      body: fields,
    });
  }

  /** Reads pages of events. `options` is evaluated for each request. */
  async *#pages(
    filter: EventOptions,
    rest: () => CallOptions,
    waitKey?: string,
  ): AsyncGenerator<EventPage, void, undefined> {
    const connection = this.#connection;
    let cursor: string | undefined;
    do {
      const query = eventQuery(filter, cursor);
      const response = await this.#send(`/events?${query}`, rest(), waitKey);
      const asked = cursor;
      const page = connection.read(response, () =>
        readEventPage(response, asked),
      );
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}

/** The run of a flow failed or was cancelled. `message` contains the reason. */
export class FlowFailedError extends SvcError {
  override readonly name: string = "FlowFailedError";
  /** Handle to the run, for example to read its record; undefined for streams. */
  declare readonly execution: Execution<unknown> | undefined;
}

/** Returns the error of a failed run. */
export function flowFailed(
  message: string,
  execution: Execution<unknown>,
  details: ErrorDetails,
): FlowFailedError {
  const executionId = execution.id;
  const error = new FlowFailedError(message, { ...details, executionId });
  return Object.assign(error, { execution });
}

/** The run of a flow did not end within the timeout. It continues. */
export class WaitTimedOutError extends TimedOutError {
  override readonly name: string = "WaitTimedOutError";
  /** Handle to the run, for example to wait again. */
  readonly execution: Execution<unknown>;

  constructor(
    message: string,
    execution: Execution<unknown>,
    details: ErrorDetails = {},
  ) {
    super(message, { ...details, executionId: execution.id });
    this.execution = execution;
  }
}

/** The run of a flow is waiting for a decision. It continues when resumed. */
export class FlowPausedError extends SvcError {
  override readonly name: string = "FlowPausedError";
  /** Handle to the paused run. */
  readonly execution: Execution<unknown>;
  /** Id of the pause. */
  readonly pauseId: string;

  constructor(
    message: string,
    execution: Execution<unknown>,
    pauseId: string,
    details: ErrorDetails = {},
  ) {
    super(message, { ...details, executionId: execution.id });
    this.execution = execution;
    this.pauseId = pauseId;
  }
}

/** Returns the error message for a paused run. */
export function pausedText(executionId: string): string {
  return `execution ${executionId} is paused and waits for a decision`;
}
