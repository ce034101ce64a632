import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, ScriptedAnswer } from './conformance-case.ts';
import { eventStream } from './event-stream.ts';
import { playSocket } from './scripted-socket.ts';

/** A received request. */
export interface RecordedRequest {
  method: string;
  /** Relative to the base URL, with the query. */
  path: string;
  /** By lowercase name. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Between the first and the last bytes of the body, in milliseconds. */
  tookMs: number;
  /** Since the script was opened, in milliseconds. */
  sinceMs: number;
  /** Since the end of the previous response was sent, in milliseconds; undefined for the first request. */
  waitedMs: number | undefined;
  /** Of a WebSocket request: the received messages. */
  messages?: string[];
  /** The connection ended before the response, or the SDK closed the WebSocket. */
  abandoned: boolean;
  /** No response was left for it. */
  unscripted: boolean;
}

/** The responses and requests of one case. */
export interface Script {
  /** The script responds to every request below this URL. */
  baseUrl: string;
  requests: readonly RecordedRequest[];
}

/** The server of all languages. Each script has its own base URL, so scripts can run concurrently. */
export interface ScriptedServer {
  open(answers: readonly ScriptedAnswer[]): Script;
  stop(): Promise<void>;
}

interface OpenScript {
  answers: readonly ScriptedAnswer[];
  requests: RecordedRequest[];
  openedAt: number;
  answeredAt: number | undefined;
  /**
   * The path of the last refused WebSocket, and the response. JavaScript platforms do not report the reason, so the SDK may repeat
   * the request without an upgrade.
   */
  refused?: { path: string; answer: ScriptedAnswer };
}

/** The run of `flowOutput`. */
export const SCRIPTED_EXECUTION_ID = '0af7651916cd43dd8448eb211c80319c';

/** Starts on a free port of 127.0.0.1. Pages of any origin may call it. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const scripts = new Map<string, OpenScript>();
  const server = createServer((request, response) => {
    serve(scripts, request, response).catch(() => request.socket.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => undefined);
    upgrade(scripts, request, { socket, head }).catch(() => socket.destroy());
  });
  // A connection that closes while a busy SDK reuses it would fail calls that are not retried.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open(answers) {
      const name = `case-${scripts.size + 1}`;
      const script: OpenScript = {
        answers,
        requests: [],
        openedAt: performance.now(),
        answeredAt: undefined,
      };
      scripts.set(name, script);
      return { baseUrl: `http://127.0.0.1:${port}/${name}/svc`, requests: script.requests };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function serve(
  scripts: ReadonlyMap<string, OpenScript>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  allowOrigins(request, response);
  if (request.method === 'OPTIONS') {
    // Browsers repeat a request themselves if a reused connection is reset.
    response.writeHead(204, { connection: 'close' }).end();
    return;
  }
  const { script, path } = scriptOf(scripts, request);
  if (script === undefined) {
    request.resume();
    response.writeHead(418).end(`no script at ${String(request.url)}`);
    return;
  }
  if (request.method === 'GET' && script.refused?.path === path) {
    await play(script.refused.answer, response, () => undefined);
    return;
  }
  const { answer, recorded } = record(script, path, request);
  response.on('close', () => {
    recorded.abandoned = !response.writableFinished;
  });
  const upload = receive(request, recorded);
  await (answer?.early === true ? upload.begun : upload.ended);
  await play(answer ?? noAnswer, response, () => {
    script.answeredAt = performance.now();
  });
}

const noAnswer: ScriptedAnswer = { status: 418, text: 'there is no answer left' };

/** Responds to a WebSocket request. */
async function upgrade(
  scripts: ReadonlyMap<string, OpenScript>,
  request: IncomingMessage,
  connection: { socket: Socket; head: Buffer },
): Promise<void> {
  const { script, path } = scriptOf(scripts, request);
  if (script === undefined) throw new Error(`no script at ${String(request.url)}`);
  const { refused } = script;
  if (refused?.path === path && refused.answer.status === 401) {
    // The WebSocket of Node.js repeats an upgrade that is refused with 401.
    await refuse(refused.answer, request, connection.socket);
    return;
  }
  const { answer = noAnswer, recorded } = record(script, path, request);
  recorded.messages = [];
  if (answer.socket === undefined) {
    script.refused = { path, answer };
    await refuse(answer, request, connection.socket);
  } else {
    delete script.refused;
    await playSocket(answer.socket, request, {
      ...connection,
      onMessage: (text) => recorded.messages?.push(text),
      onAbandoned: () => {
        recorded.abandoned = true;
      },
    });
  }
  script.answeredAt = performance.now();
}

async function refuse(answer: ScriptedAnswer, request: IncomingMessage, socket: Socket): Promise<void> {
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.shouldKeepAlive = false;
  response.on('finish', () => socket.end());
  await play(answer, response, () => undefined);
}

function scriptOf(
  scripts: ReadonlyMap<string, OpenScript>,
  { url = '' }: IncomingMessage,
): { script: OpenScript | undefined; path: string } {
  const [, name = '', path = ''] = /^\/([^/]+)\/svc(.*)$/.exec(url) ?? [];
  return { script: scripts.get(name), path };
}

function record(
  script: OpenScript,
  path: string,
  request: IncomingMessage,
): { answer: ScriptedAnswer | undefined; recorded: RecordedRequest } {
  const answer = script.answers[script.requests.length];
  const recorded: RecordedRequest = {
    method: request.method ?? '',
    path,
    headers: request.headers as Record<string, string>,
    body: '',
    tookMs: 0,
    sinceMs: performance.now() - script.openedAt,
    waitedMs: script.answeredAt === undefined ? undefined : performance.now() - script.answeredAt,
    abandoned: false,
    unscripted: answer === undefined,
  };
  script.requests.push(recorded);
  return { answer, recorded };
}

/** Reads the body of a request into its record. */
function receive(
  request: IncomingMessage,
  recorded: RecordedRequest,
): { begun: Promise<void>; ended: Promise<void> } {
  const chunks: Buffer[] = [];
  let begunAt: number | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      begunAt ??= performance.now();
      chunks.push(chunk);
      recorded.tookMs = performance.now() - begunAt;
    });
    request.on('end', () => {
      recorded.body = Buffer.concat(chunks).toString('utf8');
      resolve();
    });
    request.on('error', reject);
  });
  const begun = new Promise<void>((resolve) => request.once('data', () => resolve()));
  return { begun: Promise.race([begun, ended]), ended };
}

/**
 * Sends a response. Calls `onEnd` immediately before the end is sent. A clock that starts afterwards would start too late if this
 * process were delayed while the SDK already waits.
 */
async function play(answer: ScriptedAnswer, response: ServerResponse, onEnd: () => void): Promise<void> {
  const { status = 200, delayMs, cut, end, stall, pieces = [], pauseMs = 0 } = answer;
  const socket = response.socket;
  if (delayMs !== undefined) await pause(delayMs);
  if (stall === 'head') return;
  if (cut === undefined && end !== undefined) onEnd();
  if (end === 'reset' && cut === undefined) {
    socket?.resetAndDestroy();
    return;
  }
  if (end === 'close' && cut === undefined) {
    socket?.end();
    return;
  }
  const { type, bytes } = bodyOf(answer);
  response.setHeader('content-type', type);
  for (const [header, value] of Object.entries(answer.headers ?? {})) response.setHeader(header, value);
  if (answer.retryAfterDate !== undefined)
    response.setHeader('retry-after', secondsFromNow(answer.retryAfterDate));
  if (answer.chunked !== true && status !== 204) response.setHeader('content-length', bytes.length);
  response.writeHead(status);
  response.flushHeaders();
  if (typeof cut === 'number') {
    onEnd();
    if (cut > 0) await new Promise((resolve) => response.write(bytes.subarray(0, cut), resolve));
    if (end === 'reset') socket?.resetAndDestroy();
    else socket?.end();
    return;
  }
  if (stall === 'body') {
    response.write(bytes.subarray(0, bytes.length / 2));
    return;
  }
  let sent = 0;
  for (const length of pieces) {
    response.write(bytes.subarray(sent, sent + length));
    sent += length;
    await pause(pauseMs);
  }
  if (stall === 'pieces') return;
  onEnd();
  await new Promise<void>((resolve) => response.end(bytes.subarray(sent), resolve));
}

/** The body of a response and its type. */
export function bodyOf(answer: ScriptedAnswer): { type: string; bytes: Buffer } {
  const { json, text, base64, flowOutput, status } = answer;
  const events = eventStream(answer);
  if (events !== undefined) return { type: 'text/event-stream', bytes: Buffer.from(events) };
  if (text !== undefined) return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(text) };
  if (base64 !== undefined) return { type: 'application/json', bytes: Buffer.from(base64, 'base64') };
  const value = flowOutput === undefined ? (json ?? {}) : completedRun(flowOutput);
  return { type: 'application/json', bytes: Buffer.from(status === 204 ? '' : JSON.stringify(value)) };
}

/** The response to a waiting invocation of a flow with this output. */
export function completedRun(output: Json): Json {
  const result = { success: true, output, completed_at: 1769851800000 };
  return { accepted: true, execution_id: SCRIPTED_EXECUTION_ID, result };
}

/** Like `completedRun` for an output as verbatim JSON text; `before` is the number of bytes before it. */
export function inCompletedRun(output: string): { text: string; before: number } {
  const [head = '', tail = ''] = JSON.stringify(completedRun('here')).split('"here"');
  return { text: `${head}${output}${tail}`, before: Buffer.byteLength(head) };
}

function secondsFromNow(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000).toUTCString();
}

function allowOrigins({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', '*');
  const requested = headers['access-control-request-headers'];
  if (requested !== undefined) response.setHeader('access-control-allow-headers', requested);
}
