import { z } from 'zod';

/**
 * The format of `cases/*.yaml`, which README.md describes: a group of cases, each with the calls of one client, the responses of
 * the scripted server, and the expected results. Unknown keys are refused, to catch typing errors.
 */
const json = z.json();
export type Json = z.infer<typeof json>;
const headers = z.record(z.string(), z.string());

/** An action of the server on a WebSocket, one of these. */
const socketStepSchema = z.union([
  z.strictObject({
    /** A text message with this JSON. */
    send: json,
    /** Pads the message to this length with trailing spaces. */
    padTo: z.int().optional(),
    /** Splits the message into this many frames of about the same size. */
    fragments: z.int().optional(),
  }),
  z.strictObject({ sendText: z.string() }),
  /** Waits until this many messages have arrived. */
  z.strictObject({ await: z.int() }),
  /** Sends a ping and waits for the pong. */
  z.strictObject({ ping: z.literal(true) }),
  z.strictObject({ pauseMs: z.int() }),
  z.strictObject({ close: z.int(), reason: z.string().optional() }),
  /** Ends the connection without closing the WebSocket, in order or with a reset. */
  z.strictObject({ end: z.enum(['close', 'reset']) }),
]);
export type SocketStep = z.infer<typeof socketStepSchema>;

/** The response of the server to one request, by default 200 with the body `{}`. */
const answerSchema = z.strictObject({
  /** Number of consecutive requests with this response; 1 by default. */
  times: z.int().optional(),
  status: z.int().optional(),
  headers: headers.optional(),
  /** The body, one of: JSON, verbatim text, bytes as base64, or the output of a flow in the response to its invocation. */
  json: json.optional(),
  text: z.string().optional(),
  base64: z.base64().optional(),
  flowOutput: json.optional(),
  /** An event stream: as text, or as a frame for each of these payloads and a final frame. */
  events: z.string().optional(),
  frames: z.array(json).optional(),
  /** With `frames`: fields of the final frame instead of `success`; null for a stream without one. */
  last: z.union([json, z.null()]).optional(),
  /** Adds `Retry-After` as a date this many seconds after the response, rounded up to the second. */
  retryAfterDate: z.int().optional(),
  /** Waits before sending the head. */
  delayMs: z.int().optional(),
  /** Splits the body into chunks of these sizes in bytes, with a pause between them; the last chunk is the rest. */
  pieces: z.array(z.int()).optional(),
  /** Makes a variant of the case for every position at which the body can be split into two chunks. */
  split: z.literal('eachByte').optional(),
  pauseMs: z.int().optional(),
  /** Sends the body with `Transfer-Encoding: chunked` instead of `Content-Length`. */
  chunked: z.boolean().optional(),
  /** Truncates the body after this many bytes and ends the connection; `eachByte` makes a variant for every position. */
  cut: z.union([z.int(), z.literal('eachByte')]).optional(),
  /** Ends the connection without a response, or at the position of `cut`, in order or with a reset. */
  end: z.enum(['close', 'reset']).optional(),
  /** Never responds, or stalls after the head and the first half of the body, or after the chunks. */
  stall: z.enum(['head', 'body', 'pieces']).optional(),
  /** Responds when the first bytes of the request's body arrive, and continues to read it. */
  early: z.literal(true).optional(),
  /**
   * Accepts a WebSocket and performs these actions. If none of them closes the socket, it stays open until the SDK closes it. Any
   * other response refuses the upgrade.
   */
  socket: z.array(socketStepSchema).optional(),
});
export type ScriptedAnswer = z.infer<typeof answerSchema>;

/** An expected request. Absent fields are not checked. `${key}` stands for the API key. */
const requestSchema = z.strictObject({
  method: z.string().optional(),
  /** Relative to the base URL, with the query. */
  path: z.string().optional(),
  /** An exact text, `present`, `absent`, or `/pattern/`. */
  headers: headers.optional(),
  /** Compared as JSON. */
  body: json.optional(),
  /** JSON that the body contains; objects may have more fields. */
  bodyHolds: json.optional(),
  /** The input of a flow invocation, compared as JSON. */
  flowInput: json.optional(),
  /** The lines of a streamed input, each compared as JSON. */
  lines: z.array(json).optional(),
  /** The number of an earlier request of the case, from 0, that carries the same idempotency key; or `new`. */
  keyOf: z.union([z.int(), z.literal('new')]).optional(),
  /** The messages that the SDK sent over a WebSocket, each compared as JSON. */
  messages: z.array(json).optional(),
  /** The SDK ended the connection before the response, or closed the WebSocket. */
  abandoned: z.literal(true).optional(),
  /** The `timeout_seconds` in the body: the whole seconds of this time minus the time since the case began. */
  secondsLeft: z.strictObject({ ofMs: z.int(), rounded: z.enum(['up', 'down']) }).optional(),
  /** Since the end of the previous response was sent. */
  waitedAtLeastMs: z.int().optional(),
  waitedAtMostMs: z.int().optional(),
  /** Between the first and the last bytes of the body. */
  tookAtLeastMs: z.int().optional(),
});
export type ExpectedRequest = z.infer<typeof requestSchema>;

/** Names of failures for which every language has a type or kind (README.md). */
const ERROR_CLASSES = [
  'configuration',
  'value',
  'cancelled',
  'timed-out',
  'wait-timed-out',
  'connection',
  'interrupted-response',
  'invalid-response',
  'flow-failed',
  'flow-paused',
  'stream-interrupted',
  'status',
  'bad-request',
  'unauthorized',
  'forbidden',
  'tenant-suspended',
  'app-key-graph-denied',
  'not-found',
  'payload-too-large',
  'node-failed',
  'rate-limited',
  'quota-exceeded',
  'server',
  'upstream-unavailable',
  'idempotency-mismatch',
] as const;

const failureSchema = z.strictObject({
  class: z.enum(ERROR_CLASSES),
  status: z.int().optional(),
  body: json.optional(),
  executionId: z.string().optional(),
  requestId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  retryAfterMs: z.int().optional(),
  /** Tolerance below the reported number, since a date is read later than it was written. */
  retryAfterToleranceMs: z.int().optional(),
  pauseId: z.string().optional(),
  /** The error code of the service. */
  code: z.string().optional(),
  /** A pattern. */
  message: z.string().optional(),
});
export type ExpectedFailure = z.infer<typeof failureSchema>;

const optionsSchema = z.strictObject({
  timeoutMs: z.int().optional(),
  maxRetries: z.int().optional(),
  idempotencyKey: z.string().optional(),
  headers: headers.optional(),
});

const clientSchema = z.strictObject({
  apiKey: z.string().nullish(),
  baseUrl: z.string().nullish(),
  timeoutMs: z.int().nullish(),
  maxRetries: z.int().nullish(),
  retryDelayMs: z.int().nullish(),
  maxRetryDelayMs: z.int().nullish(),
  attemptTimeoutMs: z.int().nullish(),
  retryBudget: z.int().nullish(),
  headers: headers.nullish(),
});

/** The SDK call of a step. */
const ACTIONS = [
  'call',
  'start',
  'get',
  'wait',
  'events',
  'warm',
  'stream',
  'cancel',
  'pauses',
  'resume',
  'inbox',
  'fork',
  'follow',
  'create',
  'upload',
  'output',
  'live',
] as const;

const stepSchema = z.strictObject({
  do: z.enum(ACTIONS).optional(),
  alias: z.string().optional(),
  input: json.optional(),
  /** The input as JSON text, where YAML would change it. */
  inputText: z.string().optional(),
  /** Of `stream`, `upload` and `live`: streamed input, and the delay of its source before each message after the first. */
  inputs: z.array(json).optional(),
  inputPauseMs: z.int().optional(),
  /** Of `stream`, `follow`, `output` and `live`: the caller stops after this many frames or events. */
  takes: z.int().optional(),
  /** Of `get`, `wait`, `events` and `follow`: the id of the run, by default that of the last `start` or of a step that `goesOn`. */
  executionId: z.string().optional(),
  /** Of `upload` and `output`: the id of the split stream, by default that of the last `create`. */
  streamId: z.string().optional(),
  /** Of `output`: the id of the last event that the caller received. */
  after: z.string().optional(),
  /** Of `live`: reads a frame after each input but the last. */
  inTurn: z.literal(true).optional(),
  /** Of `events`. */
  types: z.array(z.string()).optional(),
  nodeName: z.string().optional(),
  pageSize: z.int().optional(),
  /** Of `inbox`. */
  statuses: z.array(z.string()).optional(),
  /** Of `resume`: the pause, by default that of the last step that failed as `flow-paused`. */
  pauseId: z.string().optional(),
  /** Of `fork`. */
  checkpointId: z.string().optional(),
  /** Of `resume` and `fork`: the decision or input, as a message of the alias's input, as arbitrary JSON, or as bytes in base64. */
  decision: json.optional(),
  decisionJson: json.optional(),
  decisionBytes: z.string().optional(),
  resumedBy: z.string().optional(),
  /** The step fails, and the next one still runs, with the run and the pause of the error. */
  goesOn: z.literal(true).optional(),
  options: optionsSchema.optional(),
  /** Cancels the call in the idiomatic way of the language this long after it began; 0: before it begins. */
  cancelAfterMs: z.int().optional(),
  /** Requests status, headers and body in addition to the value. */
  raw: z.boolean().optional(),
  /** Of `stream`, `follow`, `output` and `live`: all frames or events, including those before a failure. */
  gives: json.optional(),
  givesText: z.string().optional(),
  /** Of `stream`: the execution id of the stream. */
  givesExecutionId: z.string().optional(),
  /** Of `live`: the limits of the session. */
  givesLimits: json.optional(),
  /** JSON that the value contains; objects may have more fields. */
  givesHolds: json.optional(),
  fails: failureSchema.optional(),
  answer: z
    .strictObject({ status: z.int().optional(), headers: headers.optional(), body: json.optional() })
    .optional(),
});
export type ExpectedStep = z.infer<typeof stepSchema>;

/** Features that a language may lack, by language in `features.yaml`. */
export const FEATURES = [
  'nodes',
  'flows',
  'warm',
  'cancel',
  'environment',
  'sockets',
  'streams',
  'pauses',
  'forks',
  'follow',
  'split',
  'live',
  'full-key',
  'last-words',
  'cancelled-before',
  'final-events',
  'silence',
] as const;
export type Feature = (typeof FEATURES)[number];

const ownCaseSchema = z.strictObject({
  name: z.string(),
  /**
   * In addition to the features of the steps: a node's alias needs `nodes`, `stream` needs `streams`, `cancelAfterMs` needs `cancel`,
   * `env` needs `environment`, pauses need `pauses`, forks need `forks`, `follow` needs `follow`,
   * requests of split streams need `split`, `live` needs `live`. A message of a live session immediately before the connection ends
   * without a close frame needs `last-words`. A call that is cancelled before it begins needs `cancelled-before`. A completed run
   * whose history must have a final event immediately needs `final-events`. A stream that ends before its timeout because nothing
   * arrives needs `silence`.
   */
  needs: z.array(z.enum(FEATURES)).optional(),
  /** Environment of the driver's process. `${baseUrl}` and `${key}` are filled in. */
  env: headers.optional(),
  /** Added to the usual options, or replacing them; null removes one. `${baseUrl}` and `${key}` are filled in. */
  client: clientSchema.optional(),
  /** The server's responses, in the order of requests. */
  answers: z.array(answerSchema).optional(),
  /** No server listens at the base URL. */
  unreachable: z.boolean().optional(),
  steps: z.array(stepSchema),
  /** All requests in order, or their number; by default the number of responses. */
  requests: z.union([z.int(), z.array(requestSchema)]).optional(),
  /** Minimum number of requests, instead of `requests`, where a machine that stalls may cause more. */
  requestsAtLeast: z.int().optional(),
  /** Patterns, each of which must match a line of the log. */
  logs: z.array(z.string()).optional(),
  tookAtLeastMs: z.int().optional(),
  tookAtMostMs: z.int().optional(),
  /** Also runs against the real service, where nodes echo their input. */
  real: z.boolean().optional(),
});

/** In languages that call flows only, a case of node calls runs with flows (`as-flow.ts`). */
const caseSchema = ownCaseSchema.extend({
  /** Replacements for flows, or false if the case would test nothing. */
  asFlow: z.union([z.literal(false), ownCaseSchema.omit({ name: true }).partial()]).optional(),
});
export type ConformanceCase = z.infer<typeof caseSchema>;

/**
 * A call of an echo: `input` is sent as `sends`, and the response `answer` is parsed and serialized as `gives`. Each defaults to
 * the previous one.
 */
const roundTripSchema = z.strictObject({
  name: z.string(),
  needs: z.array(z.enum(FEATURES)).optional(),
  /** By default `echo`. */
  alias: z.enum(['echo', 'echo-kinds', 'echo-free']).optional(),
  input: json.optional(),
  inputText: z.string().optional(),
  sends: json.optional(),
  answer: json.optional(),
  answerText: z.string().optional(),
  gives: json.optional(),
  /** The input is invalid: class `value`, and no request is sent. */
  refused: z.boolean().optional(),
  /** The response is invalid: class `invalid-response`. */
  invalid: z.boolean().optional(),
  /** The reason why the real service does not echo this input. */
  notReal: z.string().optional(),
});
export type RoundTrip = z.infer<typeof roundTripSchema>;

/** One file of `cases/`. */
export const caseFileSchema = z.strictObject({
  cases: z.array(caseSchema).optional(),
  roundTrips: z.array(roundTripSchema).optional(),
});
