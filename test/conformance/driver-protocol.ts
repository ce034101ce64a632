/**
 * The messages between the suite and a driver, one JSON object per line (README.md). Texts named `...Text` hold JSON, so that
 * large numbers arrive unchanged by the JSON parser of the driver's language.
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

/** As of `DriverClientOptions`. */
interface DriverCallOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  idempotencyKey?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export interface DriverResponse {
  id: string;
  /** One of each step, up to the first that failed and does not go on. A client that cannot be made fails as the first step. */
  results: DriverResult[];
  /** Every event of the logging hook, printed with all of its fields. */
  log: string[];
}

export interface DriverResult {
  /** Of `call` and `wait`: ProtoJSON of the output, printed by the SDK. Of others: README.md. */
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
  /** The message itself, without the name of its class and without its causes. */
  message: string;
  /** All that a program could print of it, causes included: the API key must not be in there. */
  printed?: string;
  status?: number | null;
  /** The body as the error holds it: JSON where it is JSON, else text. */
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
