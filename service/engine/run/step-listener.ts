import { limits } from '../../../specs/limits.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import type { Fact } from '../journal/entry.ts';
import type { ActiveStep } from '../journal/state.ts';
import { createLogGate } from './log-gate.ts';
import type { ProgressGate } from './progress-gate.ts';

type MemoryChange = Parameters<NonNullable<CallListener['onMemory']>>[0];

interface StepListenerOptions {
  gate: ProgressGate;
  /** Collects the mutation fragments that the node sends. */
  mutations: string[];
  /** Receives facts for the journal. */
  onFact: (fact: Fact) => void;
  /** Receives memory activity, which no journal stores. */
  onMemory: (change: MemoryChange) => void;
}

/** Handles the messages that a node sends before it answers a step. */
export function createStepListener(
  active: ActiveStep,
  { gate, mutations, onFact, onMemory }: StepListenerOptions,
): CallListener {
  const { step, node, branch } = active;
  const logGate = createLogGate();
  return {
    onLog: ({ level, message }) => {
      const text = message.slice(0, limits.logCharacters).toWellFormed();
      for (const line of logGate.pass({ level, message: text })) {
        onFact({ type: 'NODE_LOG', step, node, branch, ...line });
      }
    },
    onProgress: ({ kind, json }) => {
      const seq = gate.pass(json);
      if (seq !== undefined) onFact({ type: 'NODE_PROGRESS', step, node, branch, kind, json, seq });
    },
    onMemory,
    onMutation: (fragment) => {
      // One beyond the limit is enough to detect that the limit is exceeded.
      if (mutations.length <= limits.mutationsPerCall) mutations.push(fragment);
    },
  };
}
