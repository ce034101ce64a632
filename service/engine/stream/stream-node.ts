import { failureKindOf } from '../../nodes/call/failure-kind.ts';
import { createFrameGate } from '../../nodes/call/frame-gate.ts';
import { createNoteListener, type NoteListener } from '../../nodes/call/call-note.ts';
import type { NodeCalls, NodeStreamCall } from '../../nodes/call/node-calls.ts';
import { openFailureText, streamFailureText } from '../../nodes/call/stream-texts.ts';
import type { NodeUnreachable } from '../../nodes/container/invoke-outcome.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { outlast } from '../../store/outlast.ts';
import { streamTurns } from '../../work/turn-budget.ts';
import { publishMemory } from '../events/publish-memory.ts';
import type { LoadedEdge, LoadedGraph, LoadedMock, LoadedNode } from '../graph/loaded-graph.ts';
import { NodeOutput } from '../graph/node-output.ts';
import type { NodeFailed, StepRef, StreamTotals } from '../journal/entry.ts';
import { nextRunId } from '../journal/next-run-id.ts';
import type { RunState } from '../journal/state.ts';
import { prepareStep, withContainer } from '../run/call-step.ts';
import { inputOf } from '../run/joins.ts';
import type { RunParts } from '../run/run-parts.ts';
import { databaseAway, pauseRefused } from '../run/run-texts.ts';
import { failureOf } from '../run/step-failure.ts';
import { createStepListener } from '../run/step-listener.ts';
import { WorkMeter } from '../work/work-meter.ts';
import type { Inbox } from './inbox.ts';
import { StreamFailure } from './stream-failure.ts';
import type { StreamLog } from './stream-log.ts';

interface StreamNodeOptions {
  parts: RunParts;
  calls: NodeCalls;
  tenantId: string;
  loaded: LoadedGraph;
  state: RunState;
  /** Deadline of the run, on the clock of `performance.now()`. */
  endsAt: number;
  /** Node id. */
  id: string;
  inbox: Inbox;
  inboxOf: (id: string) => Inbox;
  log: Pick<StreamLog, 'note' | 'isFull' | 'room'>;
  /** Aborts when the run ends. */
  signal: AbortSignal;
  /** Receives an output frame of the terminal node. Resolves once the caller has read it. */
  onResult: (bytes: Uint8Array) => Promise<void>;
}

/**
 * One node of a run that streams. It starts with its first frame. A pipeline node has one stream for all frames. A
 * unary node is called once for each frame, in order.
 */
export class StreamNode {
  readonly #options: StreamNodeOptions;
  readonly #loaded: LoadedNode;
  readonly #gates = { input: createFrameGate(), output: createFrameGate() };
  readonly #edges: { edge: LoadedEdge; gate: ReturnType<typeof createFrameGate> }[];
  readonly #notes: NoteListener;
  readonly #listener: CallListener;
  #ref: StepRef | undefined;

  constructor(options: StreamNodeOptions) {
    const { parts, tenantId, loaded, id, log, state } = options;
    this.#options = options;
    this.#loaded = loaded.node(id);
    this.#edges = loaded.outgoing(id).map((edge) => ({ edge, gate: createFrameGate() }));
    this.#notes = createNoteListener({
      logTokens: parts.logTokens.of(tenantId),
      clock: parts.clock,
      onNote: (note) => log.note({ ...note, ...this.#step }),
    });
    this.#listener = createStepListener({
      notes: this.#notes,
      // No mutations: the graph of a stream does not change.
      onMemory: (change) => {
        const stamp = { id: nextRunId(state, parts.ids), at: parts.clock.now() };
        publishMemory(parts.events, state.executionId, this.#step, { ...change, ...stamp });
      },
    });
  }

  get hasStarted(): boolean {
    return this.#ref !== undefined;
  }

  /**
   * Resolves once the node has ended and its frames have been taken.
   *
   * @throws StreamFailure if the node or one of its edges fails
   */
  async run(): Promise<void> {
    const { inbox, inboxOf, signal } = this.#options;
    const first = await inbox.next();
    if (first && !signal.aborted) {
      this.#start(first);
      await this.#work(first);
      // A node may end before its input does.
      inbox.discard();
      this.#complete();
    }
    for (const { edge } of this.#edges) inboxOf(edge.compiled.to).close();
  }

  get #step(): StepRef {
    if (!this.#ref) throw new Error(`node ${this.#options.id} has not started`);
    return this.#ref;
  }

  #start(input: Uint8Array): void {
    const { state, id, log } = this.#options;
    this.#ref = { step: state.steps, node: id, branch: state.executionId };
    log.note({ type: 'NODE_STARTED', ...this.#ref, input });
  }

  async #work(first: Uint8Array): Promise<void> {
    const { mock, compiled } = this.#loaded;
    if (mock) await this.#answerFromMock(mock, first);
    else if (compiled.mode === 'pipeline') await this.#stream(first);
    else await this.#callEach(first);
  }

  async #answerFromMock(mock: LoadedMock, first: Uint8Array): Promise<void> {
    this.#noteFrame('input', first);
    switch (mock.kind) {
      case 'error':
        throw this.#failure({ message: mock.error, failureKind: 'NODE_ERROR' });
      case 'output':
        await this.#deliver(mock.output);
        for await (const frame of this.#input()) {
          this.#noteFrame('input', frame);
          await this.#deliver(mock.output);
        }
        return;
      case 'frames':
        for (const frame of mock.frames) await this.#deliver(frame);
    }
  }

  async #stream(first: Uint8Array): Promise<void> {
    const { calls, id, signal } = this.#options;
    const prepared = await this.#prepare();
    const stream = await calls.stream({ ...prepared, deadlineMs: this.#deadlineMs() });
    if ('kind' in stream) {
      const message = openFailureText(id, this.#withContainer(prepared, stream));
      throw this.#failure({ message, failureKind: failureKindOf(stream) });
    }
    const feed = async (): Promise<void> => {
      this.#noteFrame('input', first);
      let open = await stream.send(first);
      for await (const frame of this.#input()) {
        if (!open) return;
        this.#noteFrame('input', frame);
        open = await stream.send(frame);
      }
      stream.endInput();
    };
    const feeding = feed();
    try {
      for (;;) {
        const event = await stream.next();
        if (event.kind === 'done') break;
        if (event.kind !== 'frame') {
          const payload = event.kind === 'failure' ? event.payloadJson : '';
          throw this.#failure({
            message: streamFailureText(id, event),
            failureKind: failureKindOf(event),
            ...(payload !== '' && { failurePayload: payload }),
          });
        }
        await this.#deliver(event.bytes);
        signal.throwIfAborted();
      }
    } finally {
      stream.cancel();
      this.#options.inbox.discard();
      await feeding;
    }
  }

  async #callEach(first: Uint8Array): Promise<void> {
    await this.#call(first, 0);
    let index = 1;
    for await (const frame of this.#input()) {
      await this.#call(frame, index);
      index += 1;
    }
  }

  async #call(input: Uint8Array, frame: number): Promise<void> {
    const { calls, id } = this.#options;
    this.#noteFrame('input', input);
    const prepared = await this.#prepare(frame);
    const outcome = await calls.invoke({
      ...prepared,
      input,
      deadlineMs: Math.min(prepared.deadlineMs, this.#deadlineMs()),
    });
    if (outcome.kind === 'output') {
      await this.#deliver(outcome.bytes);
      return;
    }
    if (outcome.kind === 'pause') {
      const message = pauseRefused(id, 'a stream cannot wait for it');
      throw this.#failure({ message, failureKind: failureKindOf(outcome) });
    }
    const {
      message,
      failureKind,
      payloadJson = '',
    } = failureOf(outcome.kind === 'unreachable' ? this.#withContainer(prepared, outcome) : outcome);
    throw this.#failure({
      message,
      ...(failureKind && { failureKind }),
      ...(payloadJson !== '' && { failurePayload: payloadJson }),
    });
  }

  /** Returns the deadline of the run for a call that begins now, in epoch milliseconds. */
  #deadlineMs(): number {
    const { parts, endsAt } = this.#options;
    return Math.round(parts.clock.now() + endsAt - performance.now());
  }

  async #prepare(frame?: number) {
    const { parts, calls, tenantId, state, signal } = this.#options;
    const step = {
      tenantId,
      executionId: state.executionId,
      node: this.#loaded.compiled,
      step: this.#step.step,
      attempt: 1,
      ...(frame !== undefined && { frame }),
      config: state.config,
      development: state.debugSessionId !== undefined,
      isPublic: state.isPublic,
      signal,
      listener: this.#listener,
    };
    // Waits out a database outage, because a run that streams cannot be resumed.
    const prepare = () => prepareStep({ calls, clock: parts.clock }, step);
    const prepared = await outlast(prepare, { signal }).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      const { executionId } = state;
      const stopped = { err: error, execution: executionId, node: this.#step.node };
      parts.logger.error(stopped, 'a node of a stream could not be called');
      throw this.#failure({ message: databaseAway });
    });
    if (prepared.ok) return prepared.call;
    const { message, failureKind } = failureOf(prepared.outcome);
    throw this.#failure({ message, ...(failureKind && { failureKind }) });
  }

  #withContainer(call: NodeStreamCall, failure: NodeUnreachable): NodeUnreachable {
    const { tenantId, state } = this.#options;
    return withContainer({ node: this.#loaded.compiled, tenantId, isPublic: state.isPublic }, call, failure);
  }

  async *#input(): AsyncGenerator<Uint8Array, void, undefined> {
    const { inbox } = this.#options;
    for (let frame = await inbox.next(); frame; frame = await inbox.next()) yield frame;
  }

  /** Passes on an output frame. Resolves once every receiver has it. */
  async #deliver(bytes: Uint8Array): Promise<void> {
    const { loaded, id, inboxOf, onResult, log, signal } = this.#options;
    if (log.isFull || streamTurns.isSpent()) {
      // Mocked nodes wait for nothing else. Without this wait, no timeout could end them, and they would outrun the
      // journal.
      await log.room();
      await streamTurns.yieldIfSpent();
      signal.throwIfAborted();
    }
    this.#noteFrame('output', bytes);
    const passed = this.#followEdges(bytes);
    await Promise.all([
      ...passed.map(({ to, input }) => inboxOf(to).send(input)),
      ...(id === loaded.graph.terminal ? [onResult(bytes)] : []),
    ]);
  }

  /** All edges of a frame share one budget, as the edges of a step do. */
  #followEdges(bytes: Uint8Array): { to: string; input: Uint8Array }[] {
    const { loaded } = this.#options;
    const meter = new WorkMeter();
    const output = new NodeOutput(bytes, meter);
    const passed: { to: string; input: Uint8Array }[] = [];
    const { node, branch } = this.#step;
    for (const { edge, gate } of this.#edges) {
      const { id, to } = edge.compiled;
      const outcome = edge.evaluate(output);
      if ('error' in outcome) {
        this.#noteEdge(id, { conditionPass: outcome.pass, adapterApplied: false, error: outcome.error });
        throw new StreamFailure({ message: outcome.error, failureKind: outcome.kind, node });
      }
      const { pass, adapterApplied } = outcome;
      if (gate.pass(0) !== undefined) this.#noteEdge(id, { conditionPass: pass, adapterApplied });
      if (!pass) continue;
      const arrival = { edge: id, branch, payload: outcome.input ?? bytes };
      const made = inputOf(loaded, to, [arrival], meter);
      if ('error' in made)
        throw new StreamFailure({ message: made.error, failureKind: 'EDGE_ADAPTER', node: to });
      passed.push({ to, input: made.input });
    }
    return passed;
  }

  #noteEdge(
    edge: string,
    outcome: { conditionPass: boolean; adapterApplied: boolean; error?: string },
  ): void {
    const { node, branch } = this.#step;
    this.#options.log.note({ type: 'EDGE_EVALUATED', edge, node, branch, ...outcome });
  }

  #noteFrame(direction: 'input' | 'output', frame: Uint8Array): void {
    const index = this.#gates[direction].pass(frame.length);
    if (index === undefined) return;
    const type = direction === 'input' ? 'NODE_INPUT_FRAME' : 'NODE_FRAME';
    this.#options.log.note({ type, ...this.#step, index, frame });
  }

  #complete(): void {
    if (this.#options.signal.aborted) return;
    this.#options.log.note({
      type: 'NODE_STREAM_COMPLETE',
      ...this.#step,
      ...this.#totals(),
      ...this.#end(),
    });
  }

  #totals(): StreamTotals {
    const { input, output } = this.#gates;
    return {
      inputFrames: input.total(),
      totalFrames: output.total(),
      framesDropped: input.dropped() + output.dropped(),
    };
  }

  #end(): Pick<NodeFailed, 'mocked' | 'progressDropped'> {
    const progressDropped = this.#notes.progressDropped();
    return { ...(this.#loaded.mock && { mocked: true }), ...(progressDropped > 0 && { progressDropped }) };
  }

  /** Records the failure of the node, which also fails the run. */
  #failure(cause: ConstructorParameters<typeof StreamFailure>[0]): StreamFailure {
    const { message, failureKind } = cause;
    const { log, signal } = this.#options;
    if (!signal.aborted) {
      log.note({
        type: 'NODE_FAILED',
        ...this.#step,
        message,
        ...(failureKind && { failureKind }),
        streamed: this.#totals(),
        ...this.#end(),
      });
    }
    return new StreamFailure({ ...cause, node: this.#step.node });
  }
}
