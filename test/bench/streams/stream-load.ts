import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** The source: the streams of a container, or the responses of a service to a request whose body has FRAMES for their number. */
export type StreamSource = { endpoint: string } | { url: string; key: string; body: string };

/** Reads one stream with this number of frames to its end. */
export type ReadFrames = (frames: number) => Promise<{ firstMs: number }>;

export interface StreamLoadRequest {
  source: StreamSource;
  /** Of each stream. */
  frames: number;
  /** Duration. Streams are read in sequence, the last one to its end. */
  seconds: number;
}

export interface StreamLoadResult {
  framesPerSecond: number;
  /** Median time from the request to the first frame, in milliseconds. */
  firstMs: number;
}

/**
 * Loads streams in a separate process.
 * @throws Error if a stream is refused, fails, or has another number of frames
 */
export async function loadStreams(request: StreamLoadRequest): Promise<StreamLoadResult> {
  return runLoad('stream-load.ts', request);
}

/** Runs a script of `processes` with its request, and returns its output. */
export async function runLoad<Result>(script: string, request: object): Promise<Result> {
  const file = path.resolve(import.meta.dirname, 'processes', script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(request)]);
  return JSON.parse(stdout) as Result;
}
