import type { z } from 'zod';
import type { Operation } from '../../../specs/operations/operation.ts';
import type { ClientSocket } from '../upgrade/client-socket.ts';
import type { LongObject } from './long-object.ts';
import type { PartlyRaw } from './partly-raw.ts';
import type { RawJson } from './raw-json.ts';

/** Response headers other than `Content-Type` and the gate's headers. */
type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * What a handler returns: one of the statuses of its operation, with a body that the operation declares for that status.
 *
 * - JSON: `{ status: 200, body: { name: 'a' } }`
 * - a JSON array of any length: `{ status: 200, kind: 'list', body: parts }`
 * - a JSON object with such an array: `{ status: 200, body: new LongObject(fields, 'items', parts) }`
 * - bytes or text: `{ status: 200, kind: 'bytes', body: archive, contentType: 'application/zip' }`
 * - Server-Sent Events: `{ status: 200, kind: 'events', body: frames }`, one event per frame
 * - NDJSON: `{ status: 200, kind: 'lines', body: frames }`, one line per frame
 * - a WebSocket: `{ status: 101, kind: 'socket', serve: async (socket) => { ... } }`
 * - no body: `{ status: 204 }`
 *
 * Handlers throw refusals (`ApiError`) instead of returning them.
 */
export type Answer<O extends Operation> = {
  [Status in keyof O['responses'] & number]: AnswerOf<Status, O['responses'][Status]>;
}[keyof O['responses'] & number];

/** The JSON that an operation sends with a status. */
export type AnswerBody<O extends Operation, Status extends keyof O['responses']> = ShapeBody<
  O['responses'][Status],
  'shape'
>;

type AnswerOf<Status extends number, R> =
  | JsonAnswer<Status, ShapeBody<R, 'shape'>>
  | ListAnswer<Status, ShapeBody<R, 'shape'>>
  | (R extends { contentType: string } | { otherContentTypes: readonly string[] }
      ? BytesAnswer<Status>
      : never)
  | StreamAnswer<Status, 'events', ShapeBody<R, 'events'>>
  | StreamAnswer<Status, 'lines', ShapeBody<R, 'lines'>>
  | SocketAnswer<Status, SentMessage<R>>
  | (R extends { [Key in BodyKey]: Readonly<Record<Key, unknown>> }[BodyKey] ? never : EmptyAnswer<Status>);

/** JSON as a handler returns it. */
type Sendable<Body> = Body | RawJson | (Body extends object ? PartlyRaw<Body> : never);

type BodyKey = 'shape' | 'contentType' | 'otherContentTypes' | 'events' | 'lines' | 'socket';

/** Never, if the response is not a WebSocket. */
type SentMessage<R> = R extends { socket: { sends: infer Shape extends z.ZodType } } ? z.input<Shape> : never;

/** Never, if the response declares no such shape. */
type ShapeBody<R, Key extends 'shape' | 'events' | 'lines'> =
  R extends Readonly<Record<Key, infer Shape extends z.ZodType>> ? z.input<Shape> : never;

type JsonAnswer<Status, Body> = [Body] extends [never]
  ? never
  : {
      status: Status;
      kind?: undefined;
      body: Sendable<Body> | (Body extends object ? LongObject<Body> : never);
      headers?: AnswerHeaders;
    };

type ListAnswer<Status, Body> = Body extends readonly unknown[]
  ? {
      status: Status;
      kind: 'list';
      /** Short arrays, one after the other. Other requests are served between them. */
      body: AsyncIterable<Body>;
      headers?: AnswerHeaders;
    }
  : never;

interface BytesAnswer<Status> {
  status: Status;
  kind: 'bytes';
  body: Uint8Array | string;
  contentType: string;
  headers?: AnswerHeaders;
}

type StreamAnswer<Status, Kind extends 'events' | 'lines', Frame> = [Frame] extends [never]
  ? never
  : {
      status: Status;
      kind: Kind;
      /**
       * Pulled one frame at a time, as fast as the caller reads. An error before the first frame is an ordinary HTTP error; a
       * later one breaks off the connection. Its `return` is called when the caller leaves.
       */
      body: AsyncIterable<Sendable<Frame>>;
      /** Events only: gives each event an `id`, which is its position. The first one has this id. */
      firstId?: number;
      /** Sends the status and the headers before the first frame. An error before it then also breaks off the connection. */
      atOnce?: boolean;
      headers?: AnswerHeaders;
    };

type SocketAnswer<Status, Message> = [Message] extends [never]
  ? never
  : {
      status: Status;
      kind: 'socket';
      /**
       * Serves the socket, which closes with 1000 when the promise resolves, and with 1011 when it rejects. Refusals are thrown by the
       * handler: from here on there is no HTTP status.
       */
      serve: (socket: ClientSocket<Sendable<Message>>) => Promise<void>;
      /**
       * What happens when the process is about to exit: the socket closes with 1001 at once, or it may finish within the grace
       * period of the process.
       */
      onShutdown: 'close' | 'finish';
    };

interface EmptyAnswer<Status> {
  status: Status;
  kind?: undefined;
  body?: undefined;
  headers?: AnswerHeaders;
}

/** Any response, for the code that checks and sends it. */
export type AnyAnswer =
  | { status: number; kind?: undefined; body?: unknown; headers?: AnswerHeaders }
  | ListAnswer<number, readonly unknown[]>
  | BytesAnswer<number>
  | StreamAnswer<number, 'events' | 'lines', unknown>
  | (SocketAnswer<number, unknown> & { headers?: AnswerHeaders });
