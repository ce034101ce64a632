import { createNoteListener } from '../../nodes/call/call-note.ts';
import { type MemoryUse, publishMemory } from '../events/publish-memory.ts';
import type { Fact } from '../journal/entry.ts';
import { nextRunId } from '../journal/next-run-id.ts';
import type { ActiveStep, RunState } from '../journal/state.ts';
import { loadedBytes } from '../journal/payload.ts';
import type { NextActions } from './next-actions.ts';
import type { RunGraph } from './run-graph.ts';
import type { RunParts } from './run-parts.ts';
import { internalError } from './run-texts.ts';
import { readQuestion } from './read-question.ts';
import { failureOf, type StepFailure } from './step-failure.ts';
import { GatheredMutations } from './gathered-mutations.ts';
import { createStepListener } from './step-listener.ts';

interface StepRunnerOptions {
  parts: RunParts;
  tenantId: string;
  state: RunState;
  actions: NextActions;
  graph: RunGraph;
  /** Cancels the open calls. */
  signal: AbortSignal;
  /** Reports whether the run has left this process: responses are then ignored. */
  hasLeft: () => boolean;
  /** Called when a response was processed. `actions` may hold entries. */
  onDecided: () => void;
  /** Called when a log line or progress was noted. `actions` holds an entry that can wait. */
  onNoted: () => void;
  /** Called when a step could not be called for a reason outside the run. */
  onError: () => void;
}

/** Calls the nodes of a run's steps, and lets `actions` decide on their responses. */
export class StepRunner {
  readonly #options: StepRunnerOptions;
  #openCalls = 0;

  constructor(options: StepRunnerOptions) {
    this.#options = options;
  }

  get openCalls(): number {
    return this.#openCalls;
  }

  /** Calls the node of a step, unless the node is mocked. */
  start(active: ActiveStep): void {
    const { parts, state, graph, onError } = this.#options;
    const { step } = active;
    if (graph.current.node(active.node).mock) return;
    this.#openCalls += 1;
    this.#call(active)
      .catch((error: unknown) => {
        parts.logger.error({ err: error, execution: state.executionId, step }, 'a step could not be called');
        onError();
      })
      .finally(() => {
        this.#openCalls -= 1;
      });
  }

  /** Continues an interrupted decision, if there is one. */
  proceed(): void {
    const { actions } = this.#options;
    if (actions.isInterrupted) this.#decide(undefined, () => actions.proceed());
  }

  async #call(active: ActiveStep): Promise<void> {
    const { parts, tenantId, state, actions, graph, signal, hasLeft } = this.#options;
    const { executionId } = state;
    const { step, attempt, node, branch, input, resumed } = active;
    const notes = createNoteListener({
      logTokens: parts.logTokens.of(tenantId),
      clock: parts.clock,
      onNote: (note) => this.#note({ ...note, step, node, branch }),
    });
    const mutations = new GatheredMutations({ isEnabled: graph.current.graph.mutationEnabled });
    if (parts.probe) await parts.probe('before_dispatch', { executionId, step });
    const outcome = await parts.callStep({
      tenantId,
      executionId,
      node: graph.current.node(node).compiled,
      step,
      attempt,
      input: loadedBytes(input),
      config: state.config,
      resumed,
      development: state.debugSessionId !== undefined,
      isPublic: state.isPublic,
      signal,
      listener: createStepListener({
        notes,
        mutations,
        onMemory: (change) => this.#publishMemory(active, change),
      }),
    });
    if (parts.probe) await parts.probe('after_dispatch', { executionId, step });
    const invalid = outcome.kind === 'output' ? await this.#invalidResult(node, outcome.bytes) : undefined;
    if (hasLeft()) return;
    const progressDropped = notes.progressDropped();
    const end = progressDropped > 0 ? { progressDropped } : {};
    const fail = (failure: StepFailure): void => actions.fail(step, failure, end);
    if (outcome.kind === 'pause') {
      const read = readQuestion(graph.current.node(node), outcome);
      this.#decide(step, () => {
        if ('error' in read) fail({ message: read.error, retryable: false, failureKind: 'NODE_ERROR' });
        else actions.pause(step, read, end);
      });
    } else if (invalid !== undefined) {
      this.#decide(step, () => fail({ message: invalid, retryable: false, failureKind: 'OUTPUT_INVALID' }));
    } else if (outcome.kind !== 'output') {
      // Mutations of a failed attempt are dropped.
      this.#decide(step, () => fail(failureOf(outcome)));
    } else if (mutations.isEmpty) {
      this.#decide(step, () => actions.complete(step, outcome.bytes, end));
    } else {
      await graph.mutate(node, mutations.all(), (mutated) => {
        if (hasLeft()) return;
        this.#decide(step, () => {
          if ('error' in mutated)
            fail({ message: mutated.error, retryable: false, failureKind: 'NODE_ERROR' });
          else actions.complete(step, outcome.bytes, end, mutated);
        });
      });
    }
  }

  /**
   * Checks the output of the terminal node, which is the result of the run. Returns an error message if it is
   * invalid. Other outputs need no check: expressions read them, and containers reject invalid inputs.
   */
  async #invalidResult(node: string, bytes: Uint8Array): Promise<string | undefined> {
    const { parts, tenantId, graph } = this.#options;
    if (node !== graph.current.graph.terminal) return undefined;
    const { registry, output } = graph.current.node(node);
    const result = { registry, typeName: output.typeName, input: bytes };
    const checked = await parts.messages.convert('check-output', { ...result, tenantId, accepted: true });
    return checked.ok ? undefined : `calling node: ${checked.error.message}`;
  }

  #decide(step: number | undefined, decision: () => void): void {
    const { parts, state, actions, onDecided } = this.#options;
    try {
      decision();
    } catch (error) {
      // A bug in the engine. Resuming the run would hit it again, and call the node each time.
      parts.logger.error(
        { err: error, execution: state.executionId, step },
        'deciding on the answer of a step failed',
      );
      actions.abort({ status: 'FAILED', message: internalError });
    }
    onDecided();
  }

  #note(fact: Fact): void {
    if (this.#options.hasLeft()) return;
    this.#options.actions.note(fact);
    this.#options.onNoted();
  }

  #publishMemory({ node, branch }: ActiveStep, change: MemoryUse): void {
    const { parts, state, hasLeft } = this.#options;
    if (hasLeft()) return;
    const stamp = { id: nextRunId(state, parts.ids), at: parts.clock.now() };
    publishMemory(parts.events, state.executionId, { node, branch }, { ...change, ...stamp });
  }
}
