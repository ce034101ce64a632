import { setImmediate as nextTurn } from 'node:timers/promises';
import { streamTypes } from '../../../specs/operations/declared-answer.ts';
import type { AnyAnswer } from './answer.ts';
import type { AnswerCheck } from './check-answer.ts';
import { FrameSource } from './frame-source.ts';
import { LongObject } from './long-object.ts';
import { PartlyRaw } from './partly-raw.ts';
import { RawJson } from './raw-json.ts';

/** A response that is ready to be sent. */
export interface Outgoing {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | OpenStream | OfferedSocket | undefined;
}

/** A WebSocket that may be opened. */
export interface OfferedSocket extends Pick<AnyAnswer & { kind: 'socket' }, 'serve' | 'onShutdown'> {
  /** Returns the text of a message, or its UTF-8 bytes. */
  encode: (message: unknown) => string | Uint8Array;
  /** Maximum size of a message from the client; undefined if it may send none. */
  maxBytes: number | undefined;
}

/** A stream that may be sent: its first frame has arrived, or the stream does not wait for one. */
export interface OpenStream {
  first: string | undefined;
  source: FrameSource;
  /** Sent while there is no frame, so that proxies and clients see that the stream is alive. */
  heartbeat: string | undefined;
}

interface PrepareOptions {
  /** The operation's limit. Set only for a WebSocket. */
  maxMessageBytes: number | undefined;
  check: AnswerCheck;
  /** Receives each difference between the response and its operation; may throw. */
  onProblem: (problem: string) => void;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}

/** A comment of an event stream, which clients ignore. */
const comment = ':\n\n';

const jsonType = 'application/json; charset=utf-8';

/** Keeps caches and proxies from holding back frames until the response is complete. */
const streamHeaders = { 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' };

/**
 * Prepares a response and checks it. Waits for the first frame of a stream, so that its failure can still
 * become a refusal, unless the stream is sent at once.
 */
export function prepareAnswer(answer: AnyAnswer, options: PrepareOptions): Outgoing | Promise<Outgoing> {
  const { status, headers = {} } = answer;
  const inJson = (body: string | Uint8Array): Outgoing => ({
    status,
    headers: { ...headers, 'Content-Type': jsonType },
    body,
  });
  switch (answer.kind) {
    case 'events':
    case 'lines': {
      report(answer, 0, options);
      const sent = { ...streamHeaders, ...headers, 'Content-Type': streamTypes[answer.kind] };
      return openStream(answer, options).then((body) => ({ status, headers: sent, body }));
    }
    case 'socket': {
      report(answer, 0, options);
      const { serve, onShutdown } = answer;
      const { maxMessageBytes: maxBytes } = options;
      return { status, headers, body: { serve, onShutdown, maxBytes, encode: encoder(answer, options) } };
    }
    case 'bytes':
      report(answer, answer.body.length, options);
      return { status, headers: { ...headers, 'Content-Type': answer.contentType }, body: answer.body };
    case 'list':
      return listContent(answer, options).then(inJson);
    case undefined: {
      if (answer.body === undefined) {
        report(answer, 0, options);
        return { status, headers, body: undefined };
      }
      if (LongObject.is(answer.body)) return listContent(answer, options).then(inJson);
      const body = jsonContent(answer.body);
      report(answer, body.length, options);
      return inJson(body);
    }
  }
}

/** Serializes a list part by part, so that a long one does not occupy the main thread. */
async function listContent(
  answer: AnyAnswer & { kind?: 'list' | undefined },
  options: PrepareOptions,
): Promise<Uint8Array> {
  const { status, headers = {} } = answer;
  const holder = LongObject.is(answer.body) ? answer.body : undefined;
  const parts = holder ? holder.parts : (answer.body as AsyncIterable<readonly unknown[]>);
  const [before, after] = holder ? holder.around : ['[', ']'];
  const aroundSize = holder ? before.length + after.length : 0;
  const reportPart = (part: readonly unknown[], size: number): void =>
    report({ status, headers, body: holder ? holder.with(part) : part }, aroundSize + size, options);
  // A list without parts is sent as an empty array, so that form is checked too.
  if (holder) reportPart([], 0);
  const pieces = [Buffer.from(before)];
  for await (const part of parts) {
    const json = JSON.stringify(part);
    reportPart(part, json.length);
    if (part.length > 0) pieces.push(Buffer.from(`${pieces.length > 1 ? ',' : ''}${json.slice(1, -1)}`));
    await nextTurn();
  }
  pieces.push(Buffer.from(after));
  return Buffer.concat(pieces);
}

function report(answer: AnyAnswer, size: number, { check, onProblem }: PrepareOptions): void {
  const problem = check.answerProblem(answer, size);
  if (problem !== undefined) onProblem(problem);
}

/** Returns the JSON of a frame or a message, and checks it. */
function encoder(
  answer: AnyAnswer,
  { check, onProblem }: PrepareOptions,
): (frame: unknown) => string | Uint8Array {
  return (frame) => {
    const json = jsonContent(frame);
    const problem = check.frameProblem(answer, frame, json.length);
    if (problem !== undefined) onProblem(problem);
    return json;
  };
}

async function openStream(
  answer: AnyAnswer & { kind: 'events' | 'lines' },
  options: PrepareOptions,
): Promise<OpenStream> {
  const encode = encoder(answer, options);
  let id = answer.firstId;
  const source = new FrameSource(answer.body, {
    signal: options.signal,
    encode: (frame) => {
      const json = textOf(encode(frame));
      if (answer.kind === 'lines') return `${oneLine(json)}\n`;
      return id === undefined ? eventOf(json) : `id: ${id++}\n${eventOf(json)}`;
    },
  });
  const heartbeat = answer.kind === 'events' ? comment : undefined;
  return { first: answer.atOnce === true ? (heartbeat ?? '') : await source.next(), source, heartbeat };
}

function jsonContent(body: unknown): string | Uint8Array {
  if (PartlyRaw.is(body)) return body.text;
  return RawJson.is(body) ? body.content : JSON.stringify(body);
}

function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

function eventOf(json: string): string {
  return `data: ${oneLine(json)}\n\n`;
}

/**
 * A newline would end the event or the line. JSON has newlines only between tokens, where a space is
 * equivalent.
 */
function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]+/g, ' ') : json;
}
