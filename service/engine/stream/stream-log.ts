import type { DailyCaps } from '../../store/commit/run-operation.ts';
import { encodeEntries } from '../journal/codec.ts';
import type { Fact, FlowFailed } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import type { RunState } from '../journal/state.ts';
import { createFactLog, type FactLog } from '../run/fact-log.ts';
import { reportRunEnd } from '../run/report-run-end.ts';
import type { RunParts } from '../run/run-parts.ts';
import type { RunTrace } from '../run/run-trace.ts';
import { indexChanges, type RunIdentity } from '../run/transition.ts';
import { writeSurely } from '../run/write-surely.ts';

interface StreamLogOptions {
  parts: RunParts;
  identity: RunIdentity;
  /** The fold of the journal so far. The log advances it. */
  state: RunState;
  shape: GraphShape;
  caps: DailyCaps;
  trace: RunTrace | undefined;
  /** Another replica has taken the run over, or the journal cannot be written. */
  onLost: () => void;
}

/** How long facts wait for further ones before they are committed, in milliseconds. */
const gatherMs = 20;

/** The journal of a run that streams. Frames do not wait for it: facts are committed together, soon after they happen. */
export class StreamLog {
  readonly #options: StreamLogOptions;
  readonly #facts: FactLog;
  #seq = 1;
  #committing: Promise<void> | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #lost = false;

  constructor(options: StreamLogOptions) {
    const { state, shape, parts } = options;
    this.#options = options;
    this.#facts = createFactLog({ state, shape: () => shape, ids: parts.ids, now: () => parts.clock.now() });
  }

  /** Reports whether the journal has rows of another replica, or cannot be written, so that the end of the run is not in it. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Adds a fact, unless the run has ended. */
  note(fact: Fact): void {
    if (this.#options.state.end || this.#lost) return;
    this.#facts.add(fact);
    this.#gathering ??= setTimeout(() => this.#pump(), gatherMs);
  }

  /** Ends the run, and resolves once that is committed or the run is lost. */
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

  /** Commits nothing more. A commit in progress finds out by itself: it may be the one that ended the run. */
  loseUnlessCommitting(): void {
    if (!this.#committing && !this.#options.state.end) this.#lose();
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    clearTimeout(this.#gathering);
    this.#options.onLost();
  }

  #pump(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#committing ??= this.#commitAll().finally(() => (this.#committing = undefined));
  }

  async #commitAll(): Promise<void> {
    const { parts, identity, caps, trace } = this.#options;
    const { tenantId, executionId } = identity;
    try {
      for (
        let entries = this.#facts.take();
        entries.length > 0 && !this.#lost;
        entries = this.#facts.take()
      ) {
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
        const outcome = await writeSurely(parts, row, () => this.#lost || parts.isClosed());
        if (outcome.kind !== 'done') {
          this.#lose();
          return;
        }
        this.#seq += 1;
        trace?.committed(entries);
        reportRunEnd(parts, identity, entries);
        parts.events.stored(executionId);
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
