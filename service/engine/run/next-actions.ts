import { limits } from '../../../specs/limits.ts';
import type { Ids } from '../../ids.ts';
import { expressionLimits } from '../expression-limits.ts';
import type { LoadedEdge, LoadedGraph } from '../graph/loaded-graph.ts';
import { NodeOutput } from '../graph/node-output.ts';
import { inlineBytes } from '../journal/codec.ts';
import { payloadBytes } from '../journal/payload.ts';
import type {
  Fact,
  FlowFailed,
  ForkBegan,
  JournalEntry,
  NodeStarted,
  Payload,
  PauseQuestion,
  StepRef,
} from '../journal/entry.ts';
import { type GraphShape, incomingIds } from '../journal/graph-shape.ts';
import { nextRunId } from '../journal/next-run-id.ts';
import { type ActiveStep, type RunState, tokensOf } from '../journal/state.ts';
import { createFactLog, type FactLog } from './fact-log.ts';
import { findComplete, firstArrivals, inputOf, isLate, lateFor, waitingJoins } from './joins.ts';
import type { Mutation } from './run-graph.ts';
import { WorkMeter } from '../work/work-meter.ts';
import { cancelled, exceededSteps, joinFailed, noTerminalResult, pauseExpired } from './run-texts.ts';
import { endOfAttempts, type StepEnd } from './step-end.ts';
import type { StepFailure } from './step-failure.ts';
import { delayAfter } from './step-timers.ts';

/**
 * Units of work after which the rest of a decision waits for `proceed`. One decision may exceed this by a whole
 * budget.
 */
const unitsPerTurn = expressionLimits.workUnits / 4;

/**
 * Units of work per entry, and per byte of its messages: 500 entries or 1 MB fill a turn. The entries become one row,
 * which is encoded, written and read in one turn each.
 */
const unitsPerEntry = unitsPerTurn / 500;
const unitsPerByte = unitsPerTurn / 1_000_000;

/** A passing edge and its payload: the target's input, or the source's output if the target has a compose plan. */
interface Passing {
  edge: LoadedEdge;
  adapterApplied: boolean;
  payload: Uint8Array;
}

/** A human's decision on a pause. */
export interface PauseDecision {
  pauseId: string;
  /** Unique to this decision. */
  decisionId: string;
  /** Empty if the caller provided no name. */
  resumedBy: string;
  /** The decision for the record of the pause: JSON text, redacted. */
  value?: string | undefined;
  /** The decision as the node's input, or the reason that it cannot be converted. */
  decision: { input: Uint8Array } | { error: string };
}

interface NextActionsOptions {
  graph: LoadedGraph;
  shape: GraphShape;
  state: RunState;
  ids: Pick<Ids, 'ulid' | 'executionId'>;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Decides what follows from an event of a run: facts for the journal, in order. Each method applies its facts to the state at
 * once, so the next decision builds on them; `take` returns the facts. There are no other effects: the steps that a decision
 * starts are dispatched once their facts are committed. After the end of the run, every call is ignored.
 *
 * A call blocks the event loop for a bounded time: it may leave decisions on joins and mocks to `proceed`.
 */
export class NextActions {
  readonly #state: RunState;
  readonly #ids: NextActionsOptions['ids'];
  readonly #now: () => number;
  readonly #facts: FactLog;
  /** Execution id of the run, which is the root branch. */
  readonly #root: string;
  /** Steps whose nodes are mocked, in starting order. They are processed in sequence, never recursively. */
  readonly #mocked: ActiveStep[];
  /** Units of work spent since the current call began, on expressions, searches and entries. */
  #spent = 0;
  #isInterrupted: boolean;
  #graph: LoadedGraph;
  #shape: GraphShape;

  constructor({ graph, shape, state, ids, now }: NextActionsOptions) {
    this.#graph = graph;
    this.#shape = shape;
    this.#state = state;
    this.#ids = ids;
    this.#now = now;
    this.#root = state.executionId;
    this.#facts = createFactLog({
      state,
      shape: () => this.#shape,
      ids,
      now,
      onAdded: (entry) => {
        this.#spent += unitsPerEntry + payloadBytes(entry, inlineBytes) * unitsPerByte;
      },
    });
    // The process that worked on the run before may have left decisions to `proceed`.
    this.#mocked = [...state.active.values()].filter(({ node }) => graph.node(node).mock);
    const isWaiting = this.#mocked.length > 0 || state.active.size === 0 || this.#nextJoin() !== undefined;
    this.#isInterrupted = state.steps > 0 && isWaiting;
  }

  start(input: Payload): void {
    this.#follow(() => this.#startStep(this.#shape.entry, this.#root, input));
  }

  /**
   * Begins the run as a fork, with the state of a checkpoint of its parent. Nodes whose response is pending are
   * called again, and a pending question is asked again.
   *
   * @param input the input with which the only pending node of the checkpoint restarts
   */
  fork(began: Omit<ForkBegan, 'type' | 'replaced'>, input?: Payload): void {
    const { active, steps } = this.#state;
    const [only] = input && steps > 0 ? active.values() : [];
    this.#facts.add({ type: 'fork_began', ...began, ...(only && { replaced: only.step }) });
    const first = input ?? this.#state.input;
    if (steps === 0 && first) this.#startStep(this.#shape.entry, this.#root, first);
    else if (only && input) this.#startStep(only.node, only.branch, input);
    else this.#askNext();
    this.#isInterrupted ||= this.#mocked.length > 0;
  }

  /**
   * Completes a step with the response of its node, and applies the mutations that the node sent. Steps that are not
   * active are ignored.
   */
  complete(step: number, output: Uint8Array, end: StepEnd = {}, mutations: readonly Mutation[] = []): void {
    this.#follow(() => this.#completeStep(step, output, end, mutations));
  }

  fail(step: number, failure: StepFailure, end: StepEnd = {}): void {
    this.#follow(() => this.#failStep(step, failure, end));
  }

  /** Starts the scheduled retry of a step. */
  retry(step: number): void {
    this.#follow(() => {
      const active = this.#state.active.get(step);
      const policy = active && this.#shape.compiled(active.node).retry;
      if (!policy || active.retryAt === undefined) return;
      const { maxAttempts } = policy;
      const attempt = active.attempt + 1;
      this.#facts.add({ type: 'NODE_RETRY_STARTED', ...refOf(active), attempt, maxAttempts });
    });
  }

  /**
   * Pauses a step whose node asks a human. While the run waits for another decision, the question waits for its turn.
   */
  pause(step: number, question: PauseQuestion, end: StepEnd = {}): void {
    this.#follow(() => {
      const active = this.#state.active.get(step);
      if (!active || active.asks) return;
      if (this.#state.pause)
        this.#facts.add({ type: 'pause_requested', ...refOf(active), ...question, ...end });
      else this.#ask(active, question, end);
    });
  }

  /**
   * Restarts a node with a human's decision as its input. A decision that cannot be converted to the input fails the
   * run.
   *
   * @returns the time of the decision; `undefined` if the run does not wait for one on this pause, or the pause has
   *   expired
   */
  resume({ pauseId, decisionId, resumedBy, value, decision }: PauseDecision): number | undefined {
    const { pause } = this.#state;
    const active = pause && this.#state.active.get(pause.step);
    if (this.#isOver() || !active || pause.pauseId !== pauseId) return undefined;
    if (pause.expiresAt <= this.#now()) return undefined;
    let resumedAt: number | undefined;
    this.#follow(() => {
      const { node, branch } = active;
      const recorded = value === undefined ? {} : { value };
      const resumed = { type: 'HITL_RESUMED', ...refOf(active), pauseId, decisionId, resumedBy } as const;
      resumedAt = this.#facts.add({ ...resumed, ...recorded }).at;
      if ('error' in decision) {
        this.#facts.add({ type: 'HITL_RESUME_FAILED', ...refOf(active), pauseId, message: decision.error });
        this.#failRun(decision.error, { node, failureKind: 'INPUT_INVALID' });
        return;
      }
      this.#startStep(node, branch, decision.input, { resumed: { pauseId, by: resumedBy } });
      this.#askNext();
    });
    return resumedAt;
  }

  /**
   * Escalates or expires the pending pause if it is due. If both are due, for example after an outage, the pause only
   * expires, because a decision would no longer be accepted.
   */
  checkPause(): void {
    const { pause } = this.#state;
    const active = pause && this.#state.active.get(pause.step);
    if (this.#isOver() || !active) return;
    const { pauseId, expiresAt, escalateAt } = pause;
    const now = this.#now();
    if (expiresAt > now) {
      if (escalateAt === undefined || escalateAt > now) return;
      this.#facts.add({ type: 'ESCALATION_TRIGGERED', ...refOf(active), pauseId });
      return;
    }
    this.#facts.add({ type: 'HITL_TIMEOUT', ...refOf(active), pauseId });
    const { node } = active;
    this.#facts.end({ status: 'CANCELLED', message: pauseExpired(pauseId), failureKind: 'CANCELLED', node });
  }

  /** Reports whether decisions were left to `proceed`. They survive further calls and takeovers. */
  get isInterrupted(): boolean {
    return this.#isInterrupted && !this.#isOver();
  }

  /** Continues an interrupted decision, in a later turn of the event loop. */
  proceed(): void {
    this.#follow(() => undefined);
  }

  /** Adds a fact that does not affect what happens next. */
  note(fact: Fact): void {
    if (!this.#state.end) this.#facts.add(fact);
  }

  /** Ends the run at once. Active branches are cancelled. */
  abort(end: Omit<FlowFailed, 'type'>): void {
    this.#facts.end(end);
  }

  cancel(): void {
    this.#facts.end({ status: 'CANCELLED', message: cancelled, failureKind: 'CANCELLED' });
  }

  /** Returns the facts added since the last call. */
  take(): JournalEntry[] {
    return this.#facts.take();
  }

  /** Makes a decision, and then the decisions that follow from it without a response of a container. */
  #follow(happening: () => void): void {
    if (this.#isOver()) return;
    this.#spent = 0;
    this.#isInterrupted = false;
    happening();
    while (!this.#isOver()) {
      if (this.#spent > unitsPerTurn) {
        this.#isInterrupted = this.#mayContinue();
        return;
      }
      const mocked = this.#mocked.shift();
      if (mocked) this.#answerFromMock(mocked);
      else if (!this.#startOneJoin() && !this.#endIfIdle()) return;
    }
  }

  /**
   * Reports whether decisions may remain for `proceed`. A run that only waits is not interrupted, because it would
   * then stay in memory.
   */
  #mayContinue(): boolean {
    const active = [...this.#state.active.values()];
    if (this.#mocked.length > 0 || active.length === 0) return true;
    // Searching for joins takes time, and a run with open calls stays in memory anyway.
    const isOpen = active.some(({ asks, retryAt }) => asks === undefined && retryAt === undefined);
    return isOpen ? waitingJoins(this.#state).length > 0 : this.#nextJoin() !== undefined;
  }

  #isOver(): boolean {
    return this.#state.end !== undefined;
  }

  #startStep(
    node: string,
    branch: string,
    input: Payload,
    details: Pick<NodeStarted, 'joined' | 'late' | 'resumed'> = {},
  ): void {
    if (this.#state.steps >= limits.stepsPerRun) {
      this.#failRun(exceededSteps(limits.stepsPerRun), { node, failureKind: 'STEP_LIMIT' });
      return;
    }
    const step = this.#state.steps;
    this.#facts.add({ type: 'NODE_STARTED', step, node, branch, input, ...details });
    const active = this.#state.active.get(step);
    if (active && this.#graph.node(node).mock) this.#mocked.push(active);
  }

  #ask(
    active: ActiveStep,
    { question, resumeSchema, timeoutMs, escalateAfterMs }: PauseQuestion,
    end: StepEnd = {},
  ): void {
    const now = this.#now();
    this.#facts.add({
      type: 'HITL_PAUSED',
      ...refOf(active),
      pauseId: nextRunId(this.#state, this.#ids),
      question,
      resumeSchema,
      expiresAt: now + timeoutMs,
      ...(escalateAfterMs !== undefined && { escalateAt: now + escalateAfterMs }),
      ...endOfAttempts(active, end),
    });
  }

  /** Asks the question of the earliest step that waits for its turn. */
  #askNext(): void {
    if (this.#isOver() || this.#state.pause) return;
    for (const active of this.#state.active.values()) {
      if (!active.asks || active.asks === 'waiting') continue;
      this.#ask(active, active.asks);
      return;
    }
  }

  #answerFromMock({ step, node }: ActiveStep): void {
    const { mock } = this.#graph.node(node);
    switch (mock?.kind) {
      case 'output': {
        this.#completeStep(step, mock.output, { mocked: true });
        return;
      }
      case 'error': {
        const failure = { message: mock.error, retryable: false, failureKind: 'NODE_ERROR' } as const;
        this.#failStep(step, failure, { mocked: true });
        return;
      }
      case 'frames':
      case undefined:
        throw new Error(`node "${node}" of a unary flow has no mock that can answer`);
    }
  }

  #completeStep(step: number, output: Uint8Array, end: StepEnd, mutations: readonly Mutation[] = []): void {
    const active = this.#state.active.get(step);
    if (!active) return;
    this.#facts.add({ type: 'NODE_COMPLETED', ...refOf(active), output, ...endOfAttempts(active, end) });
    for (const { fragment, graph, shape } of mutations) {
      this.#graph = graph;
      this.#shape = shape;
      const mutation = this.#state.mutations.length + 1;
      this.#facts.add({ type: 'GRAPH_MUTATED', ...refOf(active), ...fragment, mutation });
    }
    const meter = new WorkMeter();
    this.#followEdges(active, new NodeOutput(output, meter));
    this.#spent += meter.spent;
  }

  #followEdges({ node, branch }: StepRef, output: NodeOutput): void {
    const passing: Passing[] = [];
    for (const edge of this.#graph.outgoing(node)) {
      const outcome = edge.evaluate(output);
      const evaluated = { type: 'EDGE_EVALUATED', edge: edge.compiled.id, node, branch } as const;
      if ('error' in outcome) {
        const { pass: conditionPass, error, kind } = outcome;
        // No edge is followed, but the events show the result of each.
        for (const passed of passing) this.#facts.add(evaluatedOf(passed, branch));
        this.#facts.add({ ...evaluated, conditionPass, adapterApplied: false, error });
        this.#failRun(error, { node, failureKind: kind });
        return;
      }
      const { pass, adapterApplied } = outcome;
      if (pass) passing.push({ edge, adapterApplied, payload: outcome.input ?? output.bytes });
      else this.#facts.add({ ...evaluated, conditionPass: false, adapterApplied });
    }
    if (passing.length === 0) {
      this.#facts.endBranch(branch, 'COMPLETED');
      if (node === this.#shape.terminal) this.#facts.finish(output.bytes);
      return;
    }
    const branches = passing.map(() => (passing.length === 1 ? branch : this.#ids.executionId()));
    if (passing.length > 1) {
      for (const each of branches) this.#facts.add({ type: 'branch_opened', branch: each, parent: branch });
      this.#facts.endBranch(branch, 'COMPLETED');
    }
    passing.forEach((each, index) => this.#followEdge(each, branches[index] ?? branch, output.meter));
  }

  #followEdge({ edge, adapterApplied, payload }: Passing, branch: string, meter: WorkMeter): void {
    if (this.#state.end) return;
    const { id, to } = edge.compiled;
    const { join } = this.#shape.compiled(to);
    const evaluated = evaluatedOf({ edge, adapterApplied }, branch);
    if (join?.policy === 'all') {
      this.#facts.add({ ...evaluated, waits: payload });
      return;
    }
    this.#facts.add(evaluated);
    if (join && isLate(this.#state, to, branch)) {
      this.#facts.endBranch(branch, 'COMPLETED');
      return;
    }
    const made = inputOf(this.#graph, to, [{ edge: id, branch, payload }], meter);
    if ('error' in made) {
      this.#failRun(made.error, { node: to, failureKind: 'EDGE_ADAPTER' });
      return;
    }
    const late = join && lateFor(this.#shape, this.#state, { join: to, branch });
    this.#startStep(to, branch, made.input, late ? { late } : {});
  }

  /** Returns the next join to start. */
  #nextJoin(): string | undefined {
    const waiting = waitingJoins(this.#state);
    const complete = findComplete(this.#shape, this.#state, {
      waiting,
      incoming: (node) => incomingIds(this.#graph, node),
      spend: (units) => {
        this.#spent += units;
      },
    });
    // If joins wait for each other, the one with the oldest arrival starts with the inputs it has.
    return complete ?? (this.#state.active.size === 0 ? waiting[0] : undefined);
  }

  #startOneJoin(): boolean {
    const node = this.#nextJoin();
    if (node === undefined) return false;
    const arrivals = firstArrivals(this.#state, node, incomingIds(this.#graph, node));
    const meter = new WorkMeter();
    const made = inputOf(this.#graph, node, arrivals, meter);
    this.#spent += meter.spent;
    if ('error' in made) {
      this.#failRun(made.error, { node, failureKind: 'EDGE_ADAPTER' });
      return true;
    }
    const alone = tokensOf(this.#state).length === arrivals.length;
    const branch = alone ? this.#root : (arrivals[0]?.branch ?? this.#root);
    for (const arrival of arrivals) {
      if (arrival.branch !== branch) this.#facts.endBranch(arrival.branch, 'COMPLETED');
    }
    this.#startStep(node, branch, made.input, { joined: arrivals.map(({ edge }) => edge) });
    return true;
  }

  /** Ends the run if no step is active. Reports whether it did. */
  #endIfIdle(): boolean {
    if (this.#state.active.size > 0) return false;
    const { result, survived } = this.#state;
    if (result) this.#facts.finish(result);
    else if (survived)
      this.#failRun(joinFailed(survived.join, survived.message), {
        node: survived.join,
        failureKind: 'JOIN',
      });
    else this.#failRun(noTerminalResult);
    return true;
  }

  #failStep(step: number, failure: StepFailure, end: StepEnd): void {
    const active = this.#state.active.get(step);
    if (!active) return;
    const { node, branch, attempt } = active;
    const { retry } = this.#shape.compiled(node);
    const { message, payloadJson, failureKind } = failure;
    const cause = { message, ...(failureKind && { failureKind }) };
    if (retry && failure.retryable) {
      const { maxAttempts } = retry;
      if (attempt < maxAttempts) {
        const nextAttemptAt = this.#now() + delayAfter(retry, attempt);
        this.#facts.add({
          type: 'NODE_RETRY_SCHEDULED',
          ...refOf(active),
          attempt: attempt + 1,
          maxAttempts,
          nextAttemptAt,
          ...cause,
          ...end,
        });
        return;
      }
      this.#facts.add({ type: 'NODE_RETRY_EXHAUSTED', ...refOf(active), attempt, maxAttempts, ...cause });
    }
    this.#facts.add({ type: 'NODE_FAILED', ...refOf(active), ...cause, ...endOfAttempts(active, end) });
    // On the root branch nothing else could reach a join, so the run fails.
    const next = branch === this.#root ? undefined : this.#shape.nextJoin(node);
    const late = next !== undefined && isLate(this.#state, next.id, branch);
    if (late || next?.join?.onError === 'continue') {
      // The join has started without a late branch, so the run does not depend on it.
      if (!late) this.#facts.add({ type: 'survived', join: next.id, message });
      this.#facts.endBranch(branch, 'FAILED', { node, ...cause });
      return;
    }
    const failed = { node, ...(payloadJson && { failurePayload: payloadJson }) };
    if (next) this.#failRun(joinFailed(next.id, message), { ...failed, failureKind: 'JOIN' });
    else this.#failRun(message, { ...failed, ...(failureKind && { failureKind }) });
  }

  #failRun(message: string, details: Pick<FlowFailed, 'failureKind' | 'node' | 'failurePayload'> = {}): void {
    this.#facts.end({ status: 'FAILED', message, ...details });
  }
}

/** Returns the fact of an edge that passed. */
function evaluatedOf({ edge, adapterApplied }: Pick<Passing, 'edge' | 'adapterApplied'>, branch: string) {
  const { id, from } = edge.compiled;
  const passed = { conditionPass: true, adapterApplied };
  return { type: 'EDGE_EVALUATED', edge: id, node: from, branch, ...passed } as const;
}

function refOf({ step, node, branch }: ActiveStep): StepRef {
  return { step, node, branch };
}
