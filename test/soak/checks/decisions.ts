import type { Evidence, StoredPause } from '../evidence/evidence.ts';
import type { SeenDecision } from '../history.ts';
import type { Check } from './violation.ts';

/**
 * Exactly one decision wins a resumed pause. Every successful response names it, it was made before the pause expired,
 * and the node received it. A pause without an accepted decision has no winner.
 */
export const decisions: Check = (history, { pauses, executions }) => {
  const byPause = Map.groupBy(history.decisions, ({ pauseId }) => pauseId);
  const stored = new Map(pauses.map((pause) => [pause.id, pause]));
  return [
    ...[...byPause].flatMap(([id, seen]) =>
      problemsOfAnswers(seen, stored.get(id)).map((problem) => ({
        about: 'paused run',
        text: `pause ${id} of ${seen[0]?.executionId}: ${problem}`,
      })),
    ),
    ...pauses.flatMap((pause) =>
      problemsOfPause(pause, executions).map((problem) => ({
        about: 'paused run',
        text: `pause ${pause.id} of ${pause.executionId}: ${problem}`,
      })),
    ),
  ];
};

function problemsOfAnswers(seen: readonly SeenDecision[], pause: StoredPause | undefined): string[] {
  const taken = seen.filter(({ status }) => status === 200);
  if (taken.length === 0) return [];
  const winners = new Set(taken.map(({ winner }) => winner));
  const firsts = taken.filter(({ isRepeated }) => isRepeated === false);
  const late = firsts.filter(({ sentAt, expiresAt }) => sentAt > expiresAt);
  return [
    ...(winners.size === 1 ? [] : [`the winners are ${[...winners].join(', ')}`]),
    ...(firsts.length <= 1 ? [] : [`${firsts.length} decisions came first`]),
    ...late.map(({ sentAt, expiresAt }) => `a decision was sent ${sentAt - expiresAt} ms too late, and won`),
    ...(pause?.status === 'RESUMED' ? [] : [`a decision was accepted, but it is ${pause?.status}`]),
    ...(pause && winners.has(pause.decision)
      ? []
      : [`the winner is ${[...winners].join(', ')}, but ${pause?.decision} is stored`]),
  ];
}

function problemsOfPause(pause: StoredPause, executions: Evidence['executions']): string[] {
  if (pause.status !== 'RESUMED') return [];
  const events = executions.get(pause.executionId)?.events ?? [];
  const output = events.find(({ type }) => type === 'FLOW_COMPLETED')?.output;
  const resumed = events.filter(({ type, pause_id }) => type === 'HITL_RESUMED' && pause_id === pause.id);
  return [
    ...(pause.resumedAt !== undefined && pause.resumedAt <= pause.expiresAt
      ? []
      : [`it was decided at ${pause.resumedAt}, and had expired at ${pause.expiresAt}`]),
    ...(events.length === 0 || resumed.length === 1 ? [] : [`its run has ${resumed.length} HITL_RESUMED`]),
    ...(!output || output.decision === pause.decision
      ? []
      : [`the node got ${output.decision}, but ${pause.decision} won`]),
  ];
}
