import type { Harm, HarmKind, SeenStream } from '../history.ts';
import { harmDuring } from './excuses.ts';
import type { Check } from './violation.ts';

/** Frames come in order. A stream that succeeded has all of them and has taken its whole input; one that did not has a reason. */
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

/**
 * Returns the harm that explains why a stream did not succeed: it is cut off with its process, and fails with its container. It
 * outlasts a database that is away.
 */
export function streamExcuse(stream: SeenStream, harms: readonly Harm[]): HarmKind | undefined {
  const kinds: readonly HarmKind[] =
    stream.end === 'cut' ? ['kill', 'freeze'] : ['kill', 'freeze', 'container'];
  return harmDuring(harms, stream, kinds);
}
