import { z } from 'zod';

/**
 * The format of `cases/*.yaml`: a group of cases, each of them calls of one client, what the scripted server answers them, and
 * the expected results. README.md describes it. Unknown keys are refused, so that a typing error shows.
 */
const json = z.json();
export type Json = z.infer<typeof json>;
const headers = z.record(z.string(), z.string());

/** What the server does with a WebSocket, one of these. */
const socketStepSchema = z.union([
  z.strictObject({
    /** A text message with this JSON. */
    send: json,
    /** Makes the message this long, by spaces behind the JSON. */
    padTo: z.int().optional(),
    /** Sends it in so many frames of about one size. */
    fragments: z.int().optional(),
  }),
  z.strictObject({ sendText: z.string() }),
  /** Waits until so many messages have arrived. */
  z.strictObject({ await: z.int() }),
  /** Sends a ping and waits for its answer. */
  z.strictObject({ ping: z.literal(true) }),
  z.strictObject({ pauseMs: z.int() }),
  z.strictObject({ close: z.int(), reason: z.string().optional() }),
  /** Ends the connection without closing the WebSocket: orderly, or by a reset. */
  z.strictObject({ end: z.enum(['close', 'reset']) }),
]);
export type SocketStep = z.infer<typeof socketStepSchema>;

/** The server's answer to one request. By default 200 with the body `{}`. */
const answerSchema = z.strictObject({
  /** Gives the answer to so many requests in a row; 1 by default. */
  times: z.int().optional(),
  status: z.int().optional(),
  headers: headers.optional(),
  /** The body, one of: JSON, text as it stands, bytes as base64, or the output of a flow within the answer to its invocation. */
  json: json.optional(),
  text: z.string().optional(),
  base64: z.base64().optional(),
  flowOutput: json.optional(),
  /** An event stream: as text, or of these payloads, a frame each, and a last frame. */
  events: z.string().optional(),
  frames: z.array(json).optional(),
  /** With `frames`: fields of the last one instead of `success`; null for a stream without one. */
  last: z.union([json, z.null()]).optional(),
  /** Adds `Retry-After` as a date, this many seconds from the answer on, rounded up to the second. */
  retryAfterDate: z.int().optional(),
  /** Waits before the head is sent. */
  delayMs: z.int().optional(),
  /** Cuts the body into pieces of these many bytes, with a pause between any two; the last takes the rest. */
  pieces: z.array(z.int()).optional(),
  /** Makes a variant of the case for every position at which the body can be cut into two pieces. */
  split: z.literal('eachByte').optional(),
  pauseMs: z.int().optional(),
  /** Sends the length of the body by `Transfer-Encoding: chunked` instead of `Content-Length`. */
  chunked: z.boolean().optional(),
  /** Ends the connection after these many bytes of the body; `eachByte` makes a variant of the case for every position. */
  cut: z.union([z.int(), z.literal('eachByte')]).optional(),
  /** Ends the connection without an answer, or where `cut` says: orderly, or by a reset. */
  end: z.enum(['close', 'reset']).optional(),
  /** Never answers, or never goes on after the head and the first half of the body, or after the pieces. */
  stall: z.enum(['head', 'body', 'pieces']).optional(),
  /** Answers as soon as the first bytes of the request's body are there, and goes on to read it. */
  early: z.literal(true).optional(),
  /**
   * Accepts a WebSocket and does this with it. If nothing of it closes the socket, it stays open until the SDK closes it. Any other
   * answer refuses the upgrade.
   */
  socket: z.array(socketStepSchema).optional(),
});
export type ScriptedAnswer = z.infer<typeof answerSchema>;

/** A request as it must arrive. Absent fields are not looked at. `${key}` stands for the API key. */
const requestSchema = z.strictObject({
  method: z.string().optional(),
  /** Below the base URL, with the query. */
  path: z.string().optional(),
  /** A text that has to be equal, `present`, `absent`, or `/pattern/`. */
  headers: headers.optional(),
  /** Compared as JSON. */
  body: json.optional(),
  /** JSON that the body contains: objects may hold more. */
  bodyHolds: json.optional(),
  /** The input that a flow is invoked with, compared as JSON. */
  flowInput: json.optional(),
  /** The lines of a streamed input, each compared as JSON. */
  lines: z.array(json).optional(),
  /** The number of an earlier request of the case, from 0, that carries the same idempotency key; or `new`. */
  keyOf: z.union([z.int(), z.literal('new')]).optional(),
  /** The messages that the SDK sent over a WebSocket, each compared as JSON. */
  messages: z.array(json).optional(),
  /** The SDK ended the connection before its answer, or closed the WebSocket. */
  abandoned: z.literal(true).optional(),
  /** Of the `timeout_seconds` in the body: the whole seconds of this time, less what has passed since the case began. */
  secondsLeft: z.strictObject({ ofMs: z.int(), rounded: z.enum(['up', 'down']) }).optional(),
  /** Since the end of the answer before was sent. */
  waitedAtLeastMs: z.int().optional(),
  waitedAtMostMs: z.int().optional(),
  /** Between the first bytes of its body and the last. */
  tookAtLeastMs: z.int().optional(),
});
export type ExpectedRequest = z.infer<typeof requestSchema>;

/** Names of failures that every language has a type or kind for (README.md). */
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
  /** The reported number may be this much smaller: a date is read later than it was written. */
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
  /** The input as JSON text, where YAML would not keep it as it is. */
  inputText: z.string().optional(),
  /** Of `stream`, `upload` and `live`: streamed input, and how long its source takes for each after the first. */
  inputs: z.array(json).optional(),
  inputPauseMs: z.int().optional(),
  /** Of `stream`, `follow`, `output` and `live`: the caller ends it after so many frames or events. */
  takes: z.int().optional(),
  /** Of `get`, `wait`, `events` and `follow`: the run by its id; without one, the run of the last `start`, or of a step that `goesOn`. */
  executionId: z.string().optional(),
  /** Of `upload` and `output`: the split stream by its id; without one, that of the last `create`. */
  streamId: z.string().optional(),
  /** Of `output`: the id of the last event that the caller has. */
  after: z.string().optional(),
  /** Of `live`: a frame is read between any two inputs. */
  inTurn: z.literal(true).optional(),
  /** Of `events`. */
  types: z.array(z.string()).optional(),
  nodeName: z.string().optional(),
  pageSize: z.int().optional(),
  /** Of `inbox`. */
  statuses: z.array(z.string()).optional(),
  /** Of `resume`: the pause; without one, that of the last step that failed as `flow-paused`. */
  pauseId: z.string().optional(),
  /** Of `fork`. */
  checkpointId: z.string().optional(),
  /** Of `resume` and `fork`: the decision, or the input, as a message of the alias's input, as free JSON, or as bytes in base64. */
  decision: json.optional(),
  decisionJson: json.optional(),
  decisionBytes: z.string().optional(),
  resumedBy: z.string().optional(),
  /** The step fails, and the next one is done all the same, with the run and the pause of the error. */
  goesOn: z.literal(true).optional(),
  options: optionsSchema.optional(),
  /** Cancels the call, in the language's own way, this long after it began; 0: before. */
  cancelAfterMs: z.int().optional(),
  /** Requests status, headers and body in addition to the value. */
  raw: z.boolean().optional(),
  /** Of `stream`, `follow`, `output` and `live`: all frames or events, also those before a failure. */
  gives: json.optional(),
  givesText: z.string().optional(),
  /** Of `stream`: the execution that the stream names. */
  givesExecutionId: z.string().optional(),
  /** Of `live`: the limits that the session names. */
  givesLimits: json.optional(),
  /** JSON that the value contains: objects may hold more. */
  givesHolds: json.optional(),
  fails: failureSchema.optional(),
  answer: z
    .strictObject({ status: z.int().optional(), headers: headers.optional(), body: json.optional() })
    .optional(),
});
export type ExpectedStep = z.infer<typeof stepSchema>;

/** Features that a language may lack; `features.yaml` lists them by language. */
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
   * requests of split streams need `split`, `live` needs `live`. A message of a live session that a connection ends right behind,
   * without a close frame, needs `last-words`. A call that is cancelled when it begins needs `cancelled-before`. A completed run whose history must have a final event at once needs
   * `final-events`. A stream that ends because nothing arrives, although its time is not up, needs `silence`.
   */
  needs: z.array(z.enum(FEATURES)).optional(),
  /** Environment of the driver's process. `${baseUrl}` and `${key}` are filled in. */
  env: headers.optional(),
  /** Added to the usual options, or replacing them; null removes one. `${baseUrl}` and `${key}` are filled in. */
  client: clientSchema.optional(),
  /** The server's answers, in the order of requests. */
  answers: z.array(answerSchema).optional(),
  /** No server listens at the base URL. */
  unreachable: z.boolean().optional(),
  steps: z.array(stepSchema),
  /** All requests, in order; a number when only their count matters; as many as there are answers when absent. */
  requests: z.union([z.int(), z.array(requestSchema)]).optional(),
  /** Patterns; each must match a line of the log. */
  logs: z.array(z.string()).optional(),
  tookAtLeastMs: z.int().optional(),
  tookAtMostMs: z.int().optional(),
  /** Also run against the real service, where echoes answer. */
  real: z.boolean().optional(),
});

/** A case of node calls also runs by flows, where a language calls those alone (`as-flow.ts`). */
const caseSchema = ownCaseSchema.extend({
  /** Its replacements in that case, or false if the case would test nothing. */
  asFlow: z.union([z.literal(false), ownCaseSchema.omit({ name: true }).partial()]).optional(),
});
export type ConformanceCase = z.infer<typeof caseSchema>;

/**
 * A call that echoes: `input` is sent as `sends`, `answer` is read and written again as `gives`. Each defaults to the one
 * before it.
 */
const roundTripSchema = z.strictObject({
  name: z.string(),
  needs: z.array(z.enum(FEATURES)).optional(),
  /** `echo` when absent. */
  alias: z.enum(['echo', 'echo-kinds', 'echo-free']).optional(),
  input: json.optional(),
  inputText: z.string().optional(),
  sends: json.optional(),
  answer: json.optional(),
  answerText: z.string().optional(),
  gives: json.optional(),
  /** The input cannot be read: class `value`, and nothing is sent. */
  refused: z.boolean().optional(),
  /** The answer cannot be read: class `invalid-response`. */
  invalid: z.boolean().optional(),
  /** The real service does not answer this as an echo; says why. */
  notReal: z.string().optional(),
});
export type RoundTrip = z.infer<typeof roundTripSchema>;

/** One file of `cases/`. */
export const caseFileSchema = z.strictObject({
  cases: z.array(caseSchema).optional(),
  roundTrips: z.array(roundTripSchema).optional(),
});
