import { limits } from '../../../specs/limits.ts';
import type { NoteListener } from '../../nodes/call/call-note.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';

interface StepListenerOptions {
  notes: NoteListener;
  /** Collects the mutation fragments that the node sends. */
  mutations: string[];
  /** Receives memory activity, which no journal stores. */
  onMemory: NonNullable<CallListener['onMemory']>;
}

/** Handles the messages that a node sends before it answers a step. */
export function createStepListener({ notes, mutations, onMemory }: StepListenerOptions): CallListener {
  return {
    onLog: notes.onLog,
    onProgress: notes.onProgress,
    onMemory,
    onMutation: (fragment) => {
      // One beyond the limit is enough to detect that the limit is exceeded.
      if (mutations.length <= limits.mutationsPerCall) mutations.push(fragment);
    },
  };
}
