import { setMaxListeners } from 'node:events';
import type { NodeCalls } from '../../nodes/call/node-calls.ts';
import { streamTimedOut } from '../../nodes/call/stream-texts.ts';
import type { DailyCaps } from '../../store/commit/run-operation.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { FlowFailed } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import type { RunState } from '../journal/state.ts';
import type { RunParts } from '../run/run-parts.ts';
import type { RunTrace } from '../run/run-trace.ts';
import { cancelled, internalError, noTerminalResult, streamCutOff, streamLost } from '../run/run-texts.ts';
import { Inbox } from './inbox.ts';
import { StreamFailure } from './stream-failure.ts';
import { StreamLog } from './stream-log.ts';
import { StreamNode } from './stream-node.ts';

interface StreamRunOptions {
  parts: RunParts;
  calls: NodeCalls;
  tenantId: string;
  loaded: LoadedGraph;
  /** The fold of the first journal row. */
  state: RunState;
  shape: GraphShape;
  caps: DailyCaps;
  trace: RunTrace | undefined;
  /** Deadline of the run, on the clock of `performance.now()`, which changes of the system time do not affect. */
  endsAt: number;
  onLeave: () => void;
}

/** A result frame, serialized, or the end of the run. */
export type ResultFrame = { kind: 'frame'; bytes: Uint8Array } | { kind: 'end'; error?: string };

/**
 * A run of a pipeline flow. Frames flow from node to node as they are produced, at the pace of the slower side. Nothing is
 * buffered, so the run starts and ends in one process: a takeover records its failure.
 */
export class StreamRun {
  readonly tenantId: string;
  readonly executionId: string;
  readonly #options: StreamRunOptions;
  readonly #log: StreamLog;
  readonly #aborter = new AbortController();
  readonly #results = new Inbox(1);
  readonly #nodes = new Map<string, StreamNode>();
  readonly #ended: Promise<FlowFailed | undefined>;
  #failure: Omit<FlowFailed, 'type'> | undefined;
  #last: Uint8Array | undefined;

  /** @param input serialized input message of the entry; undefined if the run ended at its admission */
  constructor(options: StreamRunOptions, input: Uint8Array | undefined) {
    const { parts, tenantId, loaded, state, shape, caps, trace } = options;
    this.#options = options;
    this.tenantId = tenantId;
    this.executionId = state.executionId;
    setMaxListeners(0, this.#aborter.signal);
    this.#log = new StreamLog({
      parts,
      identity: { tenantId, executionId: state.executionId, graph: loaded.graph },
      state,
      shape,
      caps,
      trace,
      onLost: () => this.#stop({ status: 'FAILED', message: streamLost }),
    });
    this.#ended = this.#run(input);
  }

  /** Yields the output frames of the terminal node as it produces them, and the end once it is committed. */
  async *frames(): AsyncGenerator<ResultFrame, void, undefined> {
    for (let bytes = await this.#results.next(); bytes; bytes = await this.#results.next()) {
      yield { kind: 'frame', bytes };
    }
    const failed = await this.#ended;
    yield { kind: 'end', ...(failed && { error: failed.message }) };
  }

  /**
   * Cancels the run, also when the caller has left. Resolves once the end of the run is committed: with false if the
   * run ended otherwise or was lost.
   */
  async cancel(): Promise<boolean> {
    this.#stop({ status: 'CANCELLED', message: cancelled, failureKind: 'CANCELLED' });
    return (await this.#ended)?.status === 'CANCELLED';
  }

  /** Ends the run, because the process is about to exit. Resolves once the end is committed. */
  async cutOff(): Promise<void> {
    this.#stop({ status: 'FAILED', message: streamCutOff });
    await this.#ended;
  }

  /** Drops the run, which this replica no longer owns according to the database. Does nothing during a commit. */
  loseUnlessCommitting(): void {
    this.#log.loseUnlessCommitting();
  }

  async #run(input: Uint8Array | undefined): Promise<FlowFailed | undefined> {
    const { endsAt, state, loaded, onLeave } = this.#options;
    const timer = setTimeout(
      () => this.#stop({ status: 'FAILED', message: streamTimedOut, failureKind: 'NODE_TIMEOUT' }),
      Math.max(0, endsAt - performance.now()),
    );
    if (!state.end && input) await this.#flow(input);
    clearTimeout(timer);
    this.#failure ??= this.#nodes.get(loaded.graph.terminal)?.hasStarted
      ? undefined
      : { status: 'FAILED', message: noTerminalResult };
    await this.#log.end(this.#failure ?? { output: this.#last ?? new Uint8Array() });
    this.#results.discard();
    onLeave();
    // No matter how the run ended here, its record has the end that another replica stored.
    if (this.#log.isLost) return { type: 'FLOW_FAILED', status: 'FAILED', message: streamLost };
    const { end } = state;
    if (end?.type === 'FLOW_FAILED') return end;
    return this.#failure && { type: 'FLOW_FAILED', ...this.#failure };
  }

  /** Resolves once every node has ended. */
  async #flow(input: Uint8Array): Promise<void> {
    const { parts, calls, tenantId, loaded, state, endsAt } = this.#options;
    const { graph } = loaded;
    const inboxes = new Map(
      graph.nodes.map(({ id }) => [id, new Inbox(loaded.incoming(id).length + (id === graph.entry ? 1 : 0))]),
    );
    const inboxOf = (id: string): Inbox => inboxes.get(id) ?? new Inbox(0);
    this.#aborter.signal.addEventListener('abort', () => {
      for (const inbox of inboxes.values()) inbox.discard();
      this.#results.discard();
      this.#log.stopWaiting();
    });
    for (const { id } of graph.nodes) {
      const node = new StreamNode({
        parts,
        calls,
        tenantId,
        loaded,
        state,
        endsAt,
        id,
        inbox: inboxOf(id),
        inboxOf,
        log: this.#log,
        signal: this.#aborter.signal,
        onResult: (bytes) => {
          this.#last = bytes;
          return this.#results.send(bytes);
        },
      });
      this.#nodes.set(id, node);
    }
    const entry = inboxOf(graph.entry);
    void entry.send(input).then(() => entry.close());
    await Promise.all(
      this.#nodes.values().map((node) => node.run().catch((error: unknown) => this.#fail(error))),
    );
  }

  #fail(error: unknown): void {
    if (error instanceof StreamFailure) {
      this.#stop(error.end);
      return;
    }
    if (this.#aborter.signal.aborted) return;
    const { logger } = this.#options.parts;
    logger.error({ err: error, execution: this.executionId }, 'a stream failed');
    this.#stop({ status: 'FAILED', message: internalError });
  }

  /** Stops the run. The first failure wins. */
  #stop(failure: Omit<FlowFailed, 'type'>): void {
    if (this.#options.state.end) return;
    this.#failure ??= failure;
    this.#aborter.abort();
  }
}
