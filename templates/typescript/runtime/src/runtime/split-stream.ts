import { Call } from "./call.ts";
import { checkedText } from "./checked-text.ts";
import { getOwn } from "./codec/json.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { NodeFailedError, ValueError } from "./errors.ts";
import { readerOf } from "./flow-output.ts";
import { type FrameStream, frameStream } from "./frame-stream.ts";
import { InputLines, type StreamedInput } from "./input-lines.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { NodeOperation } from "./invoke-node.ts";
import { uploadOnce } from "./open-stream.ts";
import type { CallOptions } from "./options.ts";
import { type CallResult, idsOf, type RawResponse } from "./response.ts";
import { objectOf, textOf } from "./response-object.ts";
import { StreamInterruptedError } from "./stream-interrupted-error.ts";
import { usualTimeoutMs } from "./stream-request.ts";

const nodes = "/invocations/v1/nodes/";

/** The result of an upload. */
export interface SplitUpload {
  /** Id of the execution of the node. */
  readonly executionId: string;
  /** Number of messages that the node received; all that were sent. */
  readonly inputFrames: number;
}

/** Options for reading the output of a split stream. */
export interface OutputOptions extends CallOptions {
  /** Id of the event to start after; from the beginning if omitted. */
  after?: string | undefined;
}

/**
 * A stream of a node whose input and output are separate requests, possibly of
 * separate programs. It accepts one upload and any number of readers.
 */
export class SplitStream<Taken, Given> {
  /** Id of the stream. It is valid for ten minutes. */
  readonly id: string;
  readonly #connection: Connection;
  readonly #node: NodeOperation<Taken, Given>;

  /** Sends no request. Throws a `ValueError` if the id is malformed. */
  constructor(
    connection: Connection,
    node: NodeOperation<Taken, Given>,
    id: string,
  ) {
    if (!isStreamId(id))
      throw new ValueError(
        "the id of a stream must be of letters, digits, - and _",
      );
    this.id = id;
    this.#connection = connection;
    this.#node = node;
  }

  /**
   * Uploads the input, which is read while it is sent, and waits until the
   * output is stored. A second upload fails with a `StatusError` (409). Throws a
   * `StreamInterruptedError` if the service did not receive all messages that
   * were sent. A failure of the node is reported to the readers, not here. A
   * call that ends early closes the source in the background, without waiting
   * for it.
   */
  upload(
    inputs: StreamedInput<Taken>,
    options: CallOptions = {},
  ): Call<SplitUpload> {
    return new Call(this.#upload(inputs, options));
  }

  /**
   * Streams the output from the beginning. It waits for further output, and
   * resumes after a lost connection. Throws a `ConfigurationError` if `after` is
   * malformed.
   */
  output({ after, ...options }: OutputOptions = {}): FrameStream<Given> {
    if (after !== undefined) checkedText("the option after", after);
    const request = {
      path: `${nodes}streams/${this.id}/output`,
      body: () => null,
      read: readerOf(this.#node.output),
      Failure: NodeFailedError,
      resumes: { after },
    };
    return frameStream(this.#connection, request, options);
  }

  async #upload(
    inputs: StreamedInput<Taken>,
    options: CallOptions,
  ): Promise<CallResult<SplitUpload>> {
    const connection = this.#connection;
    const input = new InputLines(this.#node.input, inputs);
    const path = `${nodes}streams/${this.id}/input`;
    const sentOnce = {
      ...options,
      maxRetries: 0,
      attemptTimeoutMs: Infinity,
      timeoutMs: connection.timeoutMs(options, usualTimeoutMs),
    };
    try {
      const response = await connection.send(path, input.body(), sentOnce, {
        headers: { "content-type": "application/x-ndjson" },
        fetch: uploadOnce(settingsOf(connection).fetch),
      });
      const value = connection.read(response, () =>
        uploaded(response, input.sent),
      );
      return { value, response };
    } catch (error) {
      input.check();
      throw error;
    } finally {
      input.breakOff();
      // Not awaited: the source may be waiting for its next message.
      input.close().catch(() => undefined);
    }
  }
}

/** Creates a split stream of a node. */
export function createStream<Taken, Given>(
  connection: Connection,
  node: NodeOperation<Taken, Given>,
  options: CallOptions = {},
): Call<SplitStream<Taken, Given>> {
  return new Call(create(connection, node, options));
}

async function create<Taken, Given>(
  connection: Connection,
  node: NodeOperation<Taken, Given>,
  options: CallOptions,
): Promise<CallResult<SplitStream<Taken, Given>>> {
  const path = node.path.slice(nodes.length);
  const node_ref = path.split("/").map(decodeURIComponent).join("/");
  const body = JSON.stringify({ node_ref });
  const response = await connection.send(`${nodes}streams`, body, options);
  const value = connection.read(response, () => {
    const id = textOf(objectOf(response), "stream_id");
    if (id === undefined || !isStreamId(id))
      throw invalidResponse(response, "stream_id is missing or malformed");
    return new SplitStream(connection, node, id);
  });
  return { value, response };
}

/** Reads the response to an upload. Throws a `StreamInterruptedError`. */
function uploaded(response: RawResponse, sent: number): SplitUpload {
  const fields = objectOf(response);
  const executionId = textOf(fields, "execution_id");
  const received = getOwn(fields, "input_frames");
  const details = { ...response, body: fields, executionId };
  const ids = idsOf(details).slice(2);
  if (received !== sent)
    throw new StreamInterruptedError(
      `the service received ${String(received)} of ${String(sent)} input messages${ids && ` (${ids})`}`,
      details,
    );
  return { executionId: executionId ?? "", inputFrames: sent };
}

function isStreamId(id: string): boolean {
  return /^[\w-]+$/.test(id);
}
