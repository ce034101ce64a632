import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** What is read: the streams of a container itself, or the answers of a service to a request, whose body has FRAMES for their number. */
export type StreamSource = { endpoint: string } | { url: string; key: string; body: string };

/** Reads one stream of so many frames to its end. */
export type ReadFrames = (frames: number) => Promise<{ firstMs: number }>;

export interface StreamLoadRequest {
  source: StreamSource;
  /** Of each stream. */
  frames: number;
  /** Streams are read one after the other; the last one is read to its end. */
  seconds: number;
}

export interface StreamLoadResult {
  framesPerSecond: number;
  /** From the request to the first frame, milliseconds: the median. */
  firstMs: number;
}

/** @throws Error when a stream was refused, failed, or had another number of frames */
export async function loadStreams(request: StreamLoadRequest): Promise<StreamLoadResult> {
  return runLoad('stream-load.ts', request);
}

/** Runs a script of `processes` with its request; returns what it prints. */
export async function runLoad<Result>(script: string, request: object): Promise<Result> {
  const file = path.resolve(import.meta.dirname, 'processes', script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(request)]);
  return JSON.parse(stdout) as Result;
}
