import { limits } from '../../../specs/limits.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import { createLogGate } from './log-gate.ts';
import type { NextActions } from './next-actions.ts';
import type { ProgressGate } from './progress-gate.ts';
import type { ActiveStep } from './run-state.ts';

type MemoryChange = Parameters<NonNullable<CallListener['onMemory']>>[0];

export interface StepListenerOptions {
  gate: ProgressGate;
  /** Collects the fragments of graphs that the node gives. */
  mutations: string[];
  /** Facts for the journal. */
  note: (fact: Parameters<NextActions['note']>[0]) => void;
  /** What is only told as it happens. */
  tellMemory: (step: ActiveStep, change: MemoryChange) => void;
}

/** Hears what a node says beside its output while a step is under way. */
export function createStepListener(
  active: ActiveStep,
  { gate, mutations, note, tellMemory }: StepListenerOptions,
): CallListener {
  const { step, node, branch } = active;
  const logGate = createLogGate();
  return {
    onLog: ({ level, message }) => {
      const text = message.slice(0, limits.logCharacters).toWellFormed();
      for (const line of logGate.pass({ level, message: text })) {
        note({ type: 'NODE_LOG', step, node, branch, ...line });
      }
    },
    onProgress: ({ kind, json }) => {
      const number = gate.pass(json);
      if (number !== undefined) note({ type: 'NODE_PROGRESS', step, node, branch, kind, json, seq: number });
    },
    onMemory: (change) => tellMemory(active, change),
    onMutation: (fragment) => {
      // One more than may be: enough to tell.
      if (mutations.length <= limits.mutationsPerCall) mutations.push(fragment);
    },
  };
}
