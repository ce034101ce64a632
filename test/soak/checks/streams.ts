import type { Harm, HarmKind, SeenStream } from '../history.ts';
import { cutExcuse, failureExcuse } from './excuses.ts';
import type { Check } from './violation.ts';

/**
 * Frames arrive in order. A successful stream has delivered all of its frames and consumed its whole input. For any
 * other stream, its reader left or a fault explains the failure.
 */
export const streams: Check = (history) =>
  history.streams.flatMap((stream) =>
    problemsOf(stream, history.harms).map((problem) => ({
      about: stream.operation,
      text: `execution ${stream.executionId} at ${stream.replica}: ${problem}`,
    })),
  );

function problemsOf(stream: SeenStream, harms: readonly Harm[]): string[] {
  const { wanted, frames, end, error = '', sent, acknowledged } = stream;
  const isPrefix = frames.length <= wanted.length && frames.every((frame, n) => frame === wanted[n]);
  if (!isPrefix) return [`got ${frames.join(' ')}, not ${wanted.join(' ')}`];
  if (end === 'success') {
    return [
      ...(frames.length === wanted.length
        ? []
        : [`succeeded with ${frames.length} of ${wanted.length} frames`]),
      ...(sent === acknowledged ? [] : [`acknowledged ${acknowledged} of ${sent} input frames`]),
    ];
  }
  if (end === 'left' || streamExcuse(stream, harms) !== undefined) return [];
  return [`ended with ${end} after ${frames.length} of ${wanted.length} frames: ${error}`];
}

/** Returns the fault that explains why a stream did not succeed. */
export function streamExcuse(stream: SeenStream, harms: readonly Harm[]): HarmKind | undefined {
  return stream.end === 'cut' ? cutExcuse(harms, stream) : failureExcuse(harms, stream);
}
