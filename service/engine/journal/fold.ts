import type { EdgeEvaluated, JournalEntry, NodeStarted, Stamp, StepRef } from './entry.ts';
import { type ActiveStep, type JoinState, type RunState } from './state.ts';

/** The part of a graph that the fold of a journal needs. */
export interface FoldedGraph {
  terminal: string;
  /** Target of an edge, by the edge's id. */
  targetOf(edge: string): string;
}

/** Applies one entry to a state. */
export function applyEntry(graph: FoldedGraph, state: RunState, entry: JournalEntry): void {
  state.lastId = entry.id;
  switch (entry.type) {
    case 'admitted':
      state.input = entry.input;
      state.config = entry.config;
      state.debugSessionId = entry.debugSessionId;
      state.isPublic = entry.startedBy !== undefined;
      state.invokedBy = entry.invokedBy;
      return;
    case 'fork_began':
      if (entry.config) state.config = entry.config;
      state.debugSessionId = entry.debugSessionId;
      state.invokedBy = entry.invokedBy;
      if (entry.replaced !== undefined) state.active.delete(entry.replaced);
      return;
    case 'NODE_STARTED': {
      startStep(state, entry);
      return;
    }
    case 'NODE_COMPLETED':
      state.active.delete(entry.step);
      if (entry.node === graph.terminal) state.result = entry.output;
      return;
    case 'NODE_FAILED':
    case 'NODE_STREAM_COMPLETE':
      state.active.delete(entry.step);
      return;
    case 'EDGE_EVALUATED': {
      arrive(graph, state, entry);
      return;
    }
    case 'GRAPH_MUTATED':
      state.mutations.push({ nodes: entry.nodes, edges: entry.edges });
      return;
    case 'branch_opened':
      state.branches.add(entry.branch);
      for (const { late } of state.joins.values()) if (late.has(entry.parent)) late.add(entry.branch);
      return;
    case 'branch_ended':
      state.branches.delete(entry.branch);
      return;
    case 'NODE_RETRY_SCHEDULED': {
      const step = stepOf(state, entry);
      step.retryAt = entry.nextAttemptAt;
      step.progressDropped += entry.progressDropped ?? 0;
      return;
    }
    case 'NODE_RETRY_STARTED': {
      const step = stepOf(state, entry);
      step.attempt = entry.attempt;
      step.startedAt = entry.at;
      step.retryAt = undefined;
      return;
    }
    case 'pause_requested': {
      const { question, resumeSchema, timeoutMs, escalateAfterMs } = entry;
      const step = stepOf(state, entry);
      step.progressDropped += entry.progressDropped ?? 0;
      step.asks = {
        question,
        resumeSchema,
        timeoutMs,
        ...(escalateAfterMs !== undefined && { escalateAfterMs }),
      };
      return;
    }
    case 'HITL_PAUSED': {
      const { pauseId, step, expiresAt, escalateAt } = entry;
      stepOf(state, entry).asks = 'waiting';
      state.pause = { pauseId, step, expiresAt, escalateAt };
      return;
    }
    case 'ESCALATION_TRIGGERED':
      if (state.pause) state.pause.escalateAt = undefined;
      return;
    case 'HITL_RESUMED':
      state.active.delete(entry.step);
      state.pause = undefined;
      return;
    case 'HITL_TIMEOUT':
    case 'pause_cancelled':
      state.pause = undefined;
      return;
    case 'FLOW_COMPLETED':
    case 'FLOW_FAILED':
      state.end = entry;
      // Responses to open calls are ignored from here on.
      state.active.clear();
      return;
    case 'survived':
      state.survived = entry;
      return;
    case 'taken_over':
    case 'FORKED':
    case 'HITL_RESUME_FAILED':
    case 'NODE_RETRY_EXHAUSTED':
    case 'NODE_LOG':
    case 'NODE_PROGRESS':
    case 'NODE_FRAME':
    case 'NODE_INPUT_FRAME':
    case 'streamed':
    case 'progress_dropped':
      return;
  }
}

function startStep(
  state: RunState,
  { step, node, branch, input, joined, late, resumed, at }: NodeStarted & Stamp,
): void {
  state.steps = step + 1;
  const attempt = { attempt: 1, startedAt: at, retryAt: undefined, progressDropped: 0 };
  state.active.set(step, { step, node, branch, input, ...attempt, resumed, asks: undefined });
  for (const edge of joined ?? []) {
    const { arrivals } = joinOf(state, node);
    const first = arrivals.findIndex((arrival) => arrival.edge === edge);
    arrivals.splice(first, 1);
  }
  for (const each of late ?? []) joinOf(state, node).late.add(each);
}

function arrive(graph: FoldedGraph, state: RunState, { edge, branch, waits }: EdgeEvaluated): void {
  if (waits === undefined) return;
  joinOf(state, targetOf(graph, state, edge)).arrivals.push({ edge, branch, payload: waits });
}

/**
 * Returns the target of an edge. `graph` is the graph as compiled, so edges that mutations added are looked up in the
 * state.
 */
function targetOf(graph: FoldedGraph, { mutations }: RunState, edge: string): string {
  for (const { edges } of mutations) {
    const added = edges.find(({ id }) => id === edge);
    if (added) return added.to;
  }
  return graph.targetOf(edge);
}

function joinOf(state: RunState, node: string): JoinState {
  let join = state.joins.get(node);
  if (!join) state.joins.set(node, (join = { arrivals: [], late: new Set() }));
  return join;
}

function stepOf(state: RunState, { step }: StepRef): ActiveStep {
  const active = state.active.get(step);
  if (!active) throw new Error(`the journal names step ${step}, which is not active`);
  return active;
}
