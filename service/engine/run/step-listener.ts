import type { NoteListener } from '../../nodes/call/call-note.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import type { GatheredMutations } from './gathered-mutations.ts';

interface StepListenerOptions {
  notes: NoteListener;
  /** Collects mutations. If absent, mutations are ignored. */
  mutations?: GatheredMutations;
  /** Receives memory activity, which no journal stores. */
  onMemory: NonNullable<CallListener['onMemory']>;
}

/** Handles the messages that a node sends before its response to a step. */
export function createStepListener({ notes, mutations, onMemory }: StepListenerOptions): CallListener {
  return {
    onLog: notes.onLog,
    onProgress: notes.onProgress,
    onMemory,
    onMutation: (fragment) => mutations?.add(fragment),
  };
}
