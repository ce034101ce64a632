import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export interface CycleRequest {
  /** Base URLs of the replicas. Runs are started on the first and decided on the last. */
  urls: string[];
  key: string;
  graphId: string;
  /** Whether the flow pauses for a decision, which the load sends. */
  asks: boolean;
  seconds: number;
  callers: number;
  /** Waits for the end of each run, and measures the time from the decision to the start of the node. */
  isTimed: boolean;
}

export interface CycleResult {
  /** Completed runs per second. */
  perSecond: number;
  /** Milliseconds from sending the decision to the start of the node with it; only if timed. */
  delays: number[];
}

export interface RestateRequest extends Pick<CycleRequest, 'seconds' | 'callers'> {
  /** URL of the ingress. */
  ingress: string;
  /** URL of `restate-asks.ts` that returns the awakeables at which runs wait. */
  side: string;
}

/**
 * Runs the load in a separate process.
 * @throws Error if a request is refused, a response is wrong, or a run is stuck
 */
export function loadCycles(request: CycleRequest): Promise<CycleResult> {
  return runLoad('cycles.ts', request);
}

/** Loads Restate in the same way, with runs that wait at awakeables. */
export function loadRestateCycles(request: RestateRequest): Promise<CycleResult> {
  return runLoad('restate-cycles.ts', request);
}

async function runLoad(script: string, request: object): Promise<CycleResult> {
  const file = path.resolve(import.meta.dirname, 'processes', script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(request)], {
    maxBuffer: 64 * 1_048_576,
  });
  return JSON.parse(stdout) as CycleResult;
}
