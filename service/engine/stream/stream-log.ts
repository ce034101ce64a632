import type { DailyCaps } from '../../store/commit/run-operation.ts';
import { encodeEntries } from '../journal/codec.ts';
import type { Fact, FlowFailed, JournalEntry } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { payloadBytes } from '../journal/payload.ts';
import type { RunState } from '../journal/state.ts';
import { createFactLog, type FactLog } from '../run/fact-log.ts';
import { reportRunEnd } from '../run/report-run-end.ts';
import type { RunParts } from '../run/run-parts.ts';
import type { RunTrace } from '../run/run-trace.ts';
import { indexChanges, type RunIdentity } from '../run/transition.ts';
import { writeWithRetries } from '../run/write-with-retries.ts';

interface StreamLogOptions {
  parts: RunParts;
  identity: RunIdentity;
  /** The fold of the journal so far. The log advances it. */
  state: RunState;
  shape: GraphShape;
  caps: DailyCaps;
  trace: RunTrace | undefined;
  /** Called when another replica has taken over the run, or the journal cannot be written. */
  onLost: () => void;
}

/** How long facts are gathered before they are committed, in milliseconds. */
const gatherMs = 20;

/**
 * Bytes of facts after which a row ends. In a single row, the facts of a large flow could exceed V8's maximum string
 * length.
 */
const rowBytes = 1_048_576;

/** Bytes of uncommitted facts beyond which frames wait. A flow may produce facts faster than they can be stored. */
const backlogBytes = 8 * rowBytes;

/** Approximate bytes of a fact without its messages. */
const factBytes = 256;

/**
 * The journal of a run that streams. Facts are committed in batches, soon after they occur. Frames do not wait for
 * the commit, unless the backlog of uncommitted facts is large.
 */
export class StreamLog {
  readonly #options: StreamLogOptions;
  readonly #facts: FactLog;
  /** Facts that were taken for a commit, and are not in a row yet. */
  #taken: JournalEntry[] = [];
  /** Bytes of all facts that are not committed yet. */
  #backlog = 0;
  /** Callbacks that wait until the log is no longer full. */
  #waiting: (() => void)[] = [];
  #waitsForNothing = false;
  #seq = 1;
  #committing: Promise<void> | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #lost = false;

  constructor(options: StreamLogOptions) {
    const { state, shape, parts } = options;
    this.#options = options;
    this.#facts = createFactLog({ state, shape: () => shape, ids: parts.ids, now: () => parts.clock.now() });
  }

  /**
   * Reports whether the journal has rows of another replica, or cannot be written. In both cases, the journal lacks
   * the end of the run as decided here.
   */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Adds a fact, unless the run has ended. It is committed after `gatherMs`, or as soon as the facts fill a row. */
  note(fact: Fact): void {
    if (this.#options.state.end || this.#lost) return;
    this.#facts.add(fact);
    this.#backlog += bytesOf(fact);
    if (this.#backlog >= rowBytes && !this.#committing) this.#pump();
    else this.#gathering ??= setTimeout(() => this.#pump(), gatherMs);
  }

  /** Reports whether the backlog is so large that no frame should be passed on. */
  get isFull(): boolean {
    return this.#backlog >= backlogBytes && !this.#waitsForNothing;
  }

  /** Resolves once the log is no longer full. */
  room(): Promise<void> {
    return this.isFull ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  /** Stops frames from waiting, because the run is about to end. */
  stopWaiting(): void {
    this.#waitsForNothing = true;
    this.#letPass();
  }

  /** Ends the run. Resolves once that is committed or the run is lost. */
  async end(end: { output: Uint8Array } | Omit<FlowFailed, 'type'>): Promise<void> {
    if (!this.#options.state.end) {
      if ('output' in end) this.#facts.finish(end.output);
      else this.#facts.end(end);
    }
    // A commit that is ending may already have taken its last facts.
    await this.#committing;
    this.#pump();
    await this.#committing;
  }

  /**
   * Commits nothing more. Does nothing during a commit, which detects the loss itself and may be the one that ended
   * the run.
   */
  loseUnlessCommitting(): void {
    if (!this.#committing && !this.#options.state.end) this.#lose();
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    clearTimeout(this.#gathering);
    this.stopWaiting();
    this.#options.onLost();
  }

  #pump(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#committing ??= this.#commitAll().finally(() => (this.#committing = undefined));
  }

  #letPass(): void {
    for (const pass of this.#waiting.splice(0)) pass();
  }

  /** Returns the entries of the next row. Empty if there are none. */
  #takeRow(): JournalEntry[] {
    if (this.#taken.length === 0) this.#taken = this.#facts.take();
    let bytes = 0;
    let count = 0;
    for (const entry of this.#taken) {
      bytes += bytesOf(entry);
      count += 1;
      if (bytes >= rowBytes) break;
    }
    return this.#taken.splice(0, count);
  }

  async #commitAll(): Promise<void> {
    const { parts, identity, caps, trace } = this.#options;
    const { tenantId, executionId } = identity;
    try {
      for (let entries = this.#takeRow(); entries.length > 0 && !this.#lost; entries = this.#takeRow()) {
        const body = await encodeEntries(entries, (bytes) => parts.blobs.put(tenantId, executionId, bytes));
        const at = entries.at(-1)?.at ?? parts.clock.now();
        const changes = indexChanges(identity, { seq: this.#seq, entries });
        const row = {
          kind: 'append',
          tenantId,
          executionId,
          seq: this.#seq,
          body,
          at,
          caps,
          ...changes,
        } as const;
        const outcome = await writeWithRetries(parts, row, () => this.#lost || parts.isClosed());
        if (outcome.kind !== 'done') {
          this.#lose();
          return;
        }
        this.#seq += 1;
        trace?.committed(entries);
        reportRunEnd(parts, identity, entries);
        parts.events.stored(executionId);
        this.#backlog -= entries.reduce((bytes, entry) => bytes + bytesOf(entry), 0);
        if (!this.isFull) this.#letPass();
      }
    } catch (error) {
      parts.logger.error(
        { err: error, execution: executionId },
        'the journal of a stream could not be written',
      );
      this.#lose();
    }
  }
}

function bytesOf(fact: Fact): number {
  const message = 'message' in fact && typeof fact.message === 'string' ? fact.message : '';
  return factBytes + message.length + payloadBytes(fact);
}
