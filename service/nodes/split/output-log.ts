import { setTimeout as pause } from 'node:timers/promises';
import type { BlobStore } from '../../objects/blob-store.ts';
import { columnText } from '../../store/column-text.ts';
import type { CallJournalRow } from '../../store/commit/call-write.ts';
import type { Database } from '../../store/database.ts';
import type { Execution } from '../../store/executions.ts';
import { outlast } from '../../store/outlast.ts';
import type { SplitChunk } from '../../store/split-chunks.ts';
import { advanceStream, endStream, findStream, type SplitStream } from '../../store/split-streams.ts';
import type { CallRecordParts } from '../call/direct-record.ts';
import { appendWithRetries } from '../call/outlasting-records.ts';

interface OutputLogOptions {
  db: Database;
  blobs: Pick<BlobStore, 'put'>;
  /** Journals of direct calls. */
  executions: CallRecordParts['executions'];
  stream: Pick<SplitStream, 'tenantId' | 'id' | 'createdAt'>;
  /** The replica that owns the upload. */
  owner: string;
  /** Called after each commit. */
  onStored: () => void;
}

/** Bytes of frames that are gathered before a commit is due at once. */
const gatherBytes = 262_144;
/**
 * Minimum time between the starts of two commits, in milliseconds, unless enough frames are gathered. A
 * commit per frame would slow down the node.
 */
const gatherMs = 10;
/** Larger chunks are stored as blobs. */
const inlineBytes = 65_536;

/**
 * Stores the output of a split stream, and its end. Frames that arrive during a commit share the next one.
 * Readers see frames once they are committed. Every commit checks that the replica still owns the upload.
 */
export class OutputLog {
  readonly #options: OutputLogOptions;
  #pending: string[] = [];
  #pendingBytes = 0;
  /** Committed output frames. */
  #frames = 0;
  /** Input frames at the last commit. */
  #storedInput = 0;
  #inputFrames: () => number = () => 0;
  #committing: Promise<void> | undefined;
  /** Start of the last commit, in milliseconds of a monotonic clock. */
  #committedAt = -Infinity;
  readonly #rows: Promise<void>[] = [];
  #ended = false;
  #failure: Error | undefined;

  constructor(options: OutputLogOptions) {
    this.#options = options;
  }

  /** Sets the function that returns the number of input frames. */
  countInput(inputFrames: () => number): void {
    this.#inputFrames = inputFrames;
  }

  /**
   * Adds a frame. Resolves when there is room for the next one.
   *
   * @throws Error if the output cannot be stored
   */
  async append(json: string): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#pending.push(json);
    this.#pendingBytes += Buffer.byteLength(json) + 1;
    const committing = this.#commitPending();
    if (this.#pendingBytes >= gatherBytes) await committing;
  }

  /** Schedules a commit if the number of input frames has changed. */
  touch(): void {
    if (this.#inputFrames() !== this.#storedInput) this.#commitPending().catch(() => undefined);
  }

  /** Records the node's call. The end of its execution ends the stream, in the same transaction. */
  get executions(): CallRecordParts['executions'] {
    return {
      append: (row: CallJournalRow) => {
        const appended = appendWithRetries(this.#options.executions, row);
        this.#rows.push(appended);
        return appended;
      },
      write: async (execution: Execution) => {
        // The journal is committed first, so that a reader of the execution finds it. A row is refused if
        // another replica has closed the journal.
        await Promise.allSettled(this.#rows);
        const cutOff = execution.status === 'CANCELLED';
        const message = cutOff ? this.#cutOffText() : execution.errorMessage;
        // Execution ids are as old as their streams, and lists are sorted by id.
        const { createdAt } = this.#options.stream;
        await this.#end(message, { ...execution, createdAt, errorMessage: message });
      },
    };
  }

  /** Ends the stream of a refused upload, unless it has already ended. */
  async refuse(error: string): Promise<void> {
    await this.#end(columnText(error), undefined);
  }

  #cutOffText(): string {
    return `the upload was cut off after ${this.#inputFrames()} frames`;
  }

  /** Commits one batch after the other until nothing is pending. */
  #commitPending(): Promise<void> {
    if (this.#committing) return this.#committing;
    const committing = this.#commitAll();
    // The caller may not await the promise. The next append, or the end, reports the same failure.
    committing.catch(() => undefined);
    this.#committing = committing;
    return committing;
  }

  async #commitAll(): Promise<void> {
    try {
      do await this.#commitOnce();
      while (this.#pending.length > 0 && !this.#ended);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // Cleared in the turn that found nothing pending, so that a frame in the next turn starts a new commit.
      this.#committing = undefined;
    }
  }

  async #commitOnce(): Promise<void> {
    const waitMs = this.#committedAt + gatherMs - performance.now();
    if (waitMs > 0 && this.#pendingBytes < gatherBytes) await pause(waitMs);
    this.#committedAt = performance.now();
    const { db, stream, owner, onStored } = this.#options;
    // The first row contains the first input frame. It is committed first, so that the record has it even if
    // the process dies after output has been read.
    await this.#rows[0]?.catch(() => undefined);
    const { chunk, frames, inputFrames } = await this.#takePending();
    const advance = () => advanceStream(db, stream, { owner, frames, inputFrames, chunk });
    if (!(await outlast(advance))) throw new StreamLost();
    this.#frames = frames;
    this.#storedInput = inputFrames;
    onStored();
  }

  async #end(error: string | null, execution: Execution | undefined): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#committing?.catch(() => undefined);
    // An incomplete output must not end as if it were complete.
    if (this.#failure) throw this.#failure;
    const { db, stream, owner, onStored } = this.#options;
    const progress = await this.#takePending();
    const end = () => endStream(db, stream, { owner, error, execution, ...progress });
    if (!(await outlast(end)) && !(await this.#hasEnded(progress.frames, error))) throw new StreamLost();
    onStored();
  }

  /**
   * Reports whether the stream has already ended this way, which happens if an earlier attempt was committed
   * but its response was lost.
   */
  async #hasEnded(frames: number, error: string | null): Promise<boolean> {
    const { db, stream } = this.#options;
    const stored = await outlast(() => findStream(db.knex, stream));
    return stored?.status === 'ended' && stored.frames === frames && stored.error === error;
  }

  async #takePending(): Promise<{ chunk: SplitChunk | undefined; frames: number; inputFrames: number }> {
    const { blobs, stream } = this.#options;
    const inputFrames = this.#inputFrames();
    const pending = this.#pending;
    const frames = this.#frames + pending.length;
    if (pending.length === 0) return { chunk: undefined, frames, inputFrames };
    this.#pending = [];
    this.#pendingBytes = 0;
    const text = pending.join('\n');
    const place = { tenantId: stream.tenantId, streamId: stream.id, firstFrame: this.#frames };
    if (text.length <= inlineBytes)
      return { chunk: { ...place, body: text, blob: null }, frames, inputFrames };
    const blob = await blobs.put(stream.tenantId, stream.id, Buffer.from(text));
    return { chunk: { ...place, body: null, blob }, frames, inputFrames };
  }
}

/** Another replica has ended the stream, because it considered this one dead. */
class StreamLost extends Error {
  override readonly name = 'StreamLost';
}
