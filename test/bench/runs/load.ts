import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export interface LoadRequest {
  url: string;
  key: string;
  seconds: number;
  connections: number;
  /** The flow to invoke. If absent, the body is the input itself. */
  graphId?: string;
  /** Sends a body without `graphId` as JSON with the key, as a node call needs it. */
  isNodeCall?: boolean;
}

/** Counts of autocannon. */
export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Runs a load in a separate process.
 * @throws Error if a response is an error, missing or not that of its run
 */
export async function load(request: LoadRequest): Promise<LoadResult> {
  const script = path.resolve(import.meta.dirname, 'processes/load.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(request)]);
  return JSON.parse(stdout) as LoadResult;
}
