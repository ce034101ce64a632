import type { Harm, Reading } from '../history.ts';
import { cutExcuse, failureExcuse, outageDuring } from './excuses.ts';
import type { Check, Violation } from './violation.ts';

/**
 * All readers of a split stream get the same frames. The output of an upload that was acknowledged is complete, unless
 * a fault explains its failure.
 */
export const splitReaders: Check = (history) => {
  const byStream = Map.groupBy(history.readings, ({ streamId }) => streamId);
  return [
    ...[...byStream].flatMap(([id, readings]) => differences(id, readings)),
    ...history.readings.flatMap((reading) => cuts(reading, history.harms)),
    ...history.uploads.flatMap(({ streamId, executionId, from, to, sent, acknowledged }) => {
      const problem = (text: string): Violation => ({
        about: 'split stream',
        text: `stream ${streamId}, execution ${executionId}: ${text}`,
      });
      const counted =
        acknowledged === sent.length
          ? []
          : [problem(`acknowledged ${acknowledged} of ${sent.length} frames`)];
      const whole = wholeOutput(byStream.get(streamId) ?? []);
      if (!whole) return [...counted, problem('no reader came to its end')];
      const failed = failureExcuse(history.harms, { from, to });
      if (whole.error !== undefined)
        return failed === undefined ? [...counted, problem(`failed: ${whole.error}`)] : [];
      const same = whole.ids.length === sent.length && whole.ids.every((id, n) => id === sent[n]);
      return same ? counted : [...counted, problem(`has ${whole.ids.join(' ')}, not ${sent.join(' ')}`)];
    }),
  ];
};

/** Finds frames that differ between readers, and streams that ended before another reader's last frame. */
function differences(streamId: string, readings: readonly Reading[]): Violation[] {
  const known: string[] = [];
  const found: Violation[] = [];
  for (const { offset, frames, replica } of readings.toSorted((one, other) => one.from - other.from)) {
    for (const [n, frame] of frames.entries()) {
      known[offset + n] ??= frame;
      if (known[offset + n] === frame) continue;
      const text = `stream ${streamId} at ${replica}: frame ${offset + n} is ${frame}, and was ${known[offset + n]}`;
      found.push({ about: 'split stream', text });
    }
  }
  // A reader with a frame after the last one would also be wrong.
  for (const { offset, frames, end, replica } of readings) {
    if ((end !== 'success' && end !== 'error') || offset + frames.length >= known.length) continue;
    const text = `stream ${streamId} at ${replica}: ended after ${offset + frames.length} of ${known.length} frames`;
    found.push({ about: 'split stream', text });
  }
  return found;
}

function cuts(reading: Reading, harms: readonly Harm[]): Violation[] {
  const { streamId, replica, frames, end } = reading;
  if (end !== 'cut' || (cutExcuse(harms, reading) ?? outageDuring(harms, reading)) !== undefined) return [];
  const text = `stream ${streamId} at ${replica}: a reader was cut off after ${frames.length} frames`;
  return [{ about: 'split stream', text }];
}

/** Combines the output from what all readers got. Undefined if no reader got the last frame. */
function wholeOutput(readings: readonly Reading[]): { ids: string[]; error?: string } | undefined {
  const frames: string[] = [];
  for (const reading of readings)
    for (const [n, frame] of reading.frames.entries()) frames[reading.offset + n] = frame;
  const parsed = Array.from(frames, (frame: string | undefined) => JSON.parse(frame ?? '{}') as Parsed);
  const last = parsed.at(-1);
  if (!last?.is_final) return undefined;
  const ids = parsed.slice(0, -1).map(({ payload }) => payload?.id ?? 'nothing');
  return last.success === true ? { ids } : { ids, error: last.error ?? '' };
}

interface Parsed {
  payload?: { id: string };
  is_final?: boolean;
  success?: boolean;
  error?: string;
}
