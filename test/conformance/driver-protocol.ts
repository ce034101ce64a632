/**
 * The messages between the suite and a driver, one JSON object per line (README.md). Fields named `...Text` contain JSON text, so
 * that the JSON parser of the driver's language does not change large numbers.
 */
export interface DriverRequest {
  id: string;
  client: DriverClientOptions;
  steps: DriverStep[];
}

/** Options that are absent are not passed to the client at all. */
export interface DriverClientOptions {
  apiKey?: string;
  baseUrl?: string;
  timeoutMs?: number;
  attemptTimeoutMs?: number;
  maxRetries?: number;
  retryDelayMs?: number;
  maxRetryDelayMs?: number;
  retryBudget?: number;
  headers?: Record<string, string>;
}

export interface DriverStep {
  do:
    | 'call'
    | 'start'
    | 'get'
    | 'wait'
    | 'events'
    | 'warm'
    | 'stream'
    | 'cancel'
    | 'pauses'
    | 'resume'
    | 'inbox'
    | 'fork'
    | 'follow'
    | 'create'
    | 'upload'
    | 'output'
    | 'live';
  alias: string;
  /** Of `call`, `start` and `stream`: ProtoJSON of the input. */
  inputText?: string | undefined;
  /** Of `stream` with streamed input, instead of `inputText`; of `upload` and `live`. */
  inputTexts?: string[] | undefined;
  inputPauseMs?: number | undefined;
  takes?: number | undefined;
  streamId?: string | undefined;
  after?: string | undefined;
  inTurn?: true | undefined;
  executionId?: string | undefined;
  types?: string[] | undefined;
  nodeName?: string | undefined;
  pageSize?: number | undefined;
  statuses?: string[] | undefined;
  pauseId?: string | undefined;
  checkpointId?: string | undefined;
  /** Of `resume` and `fork`, at most one: ProtoJSON of the alias's input, JSON, or bytes in base64. */
  decisionText?: string | undefined;
  decisionJsonText?: string | undefined;
  decisionBytes?: string | undefined;
  resumedBy?: string | undefined;
  goesOn?: true | undefined;
  raw?: boolean | undefined;
  cancelAfterMs?: number | undefined;
  options: DriverCallOptions;
}

/** As in `DriverClientOptions`. */
interface DriverCallOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export interface DriverResponse {
  id: string;
  /** One per step, up to the first failure that does not go on. A client that cannot be created fails the first step. */
  results: DriverResult[];
  /** Every event of the logging hook with all of its fields. */
  log: string[];
}

export interface DriverResult {
  /** Of `call` and `wait`: ProtoJSON of the output from the SDK. Of others: README.md. */
  valueText?: string;
  /** Of `stream` and `live`. */
  executionId?: string | null;
  /** Of `live`. */
  limits?: unknown;
  /** Of a step with `raw`. */
  answer?: { status: number; headers: Record<string, string>; body: string };
  error?: DriverError;
}

export interface DriverError {
  class: string;
  /** The message without its class name and causes. */
  message: string;
  /** The full text that a program could print, including causes, which must not contain the API key. */
  printed?: string;
  status?: number | null;
  /** The body of the error: JSON if it is JSON, otherwise text. */
  body?: unknown;
  executionId?: string | null;
  requestId?: string | null;
  /** The key of the request that started the call or run. */
  idempotencyKey?: string | null;
  retryAfterMs?: number | null;
  pauseId?: string | null;
  code?: string | null;
}

/** A running driver. It takes one request at a time. */
export interface Driver {
  run(request: DriverRequest): Promise<DriverResponse>;
  stop(): Promise<void>;
}
