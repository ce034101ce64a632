import { limits } from '../../../specs/limits.ts';
import type { Clock } from '../../clock.ts';
import type { CallListener } from '../container/read-answer.ts';
import { createLogGate, type LogGate } from './log-gate.ts';
import type { TokenBucket } from '../token-bucket.ts';
import { createProgressGate, type ProgressGate } from './progress-gate.ts';

/** Log lines and progress that a node reports while it works, in the form that journals store. */
export type CallNote = NodeLog | NodeProgress;

interface NodeLog {
  type: 'NODE_LOG';
  level: string;
  message: string;
}

interface NodeProgress {
  type: 'NODE_PROGRESS';
  kind: string;
  /** JSON text from the node's author, not parsed. */
  json: string;
  /** Ascending within a call, from 0. Gaps are dropped frames. */
  seq: number;
}

/** Receives the log and the progress of one call. What exceeds a limit is cut or dropped. */
export interface NoteListener extends Required<Pick<CallListener, 'onLog' | 'onProgress'>> {
  /** Returns the number of progress frames dropped by the rate limit. */
  progressDropped(): number;
}

interface NoteListenerOptions {
  /** The tokens that the calls of the tenant share. */
  logTokens: TokenBucket;
  clock: Clock;
  onNote: (note: CallNote) => void;
}

/** Turns the log and the progress of one call into notes, within the limits of a call and of its tenant. */
export function createNoteListener({ logTokens, clock, onNote }: NoteListenerOptions): NoteListener {
  // Most calls report nothing.
  let logGate: LogGate | undefined;
  let progressGate: ProgressGate | undefined;
  return {
    onLog: ({ level, message }) => {
      logGate ??= createLogGate(logTokens);
      const text = message.slice(0, limits.logCharacters).toWellFormed();
      for (const line of logGate.pass({ level, message: text })) onNote({ type: 'NODE_LOG', ...line });
    },
    onProgress: ({ kind, json }) => {
      progressGate ??= createProgressGate(() => clock.now());
      const seq = progressGate.pass(json);
      if (seq !== undefined) onNote({ type: 'NODE_PROGRESS', kind, json, seq });
    },
    progressDropped: () => progressGate?.dropped() ?? 0,
  };
}
