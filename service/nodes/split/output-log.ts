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
import { appendSurely } from '../call/outlasting-records.ts';

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

/** Bytes of frames that are gathered for a commit. */
const gatherBytes = 262_144;
/**
 * Time between the starts of two commits, in milliseconds, unless there is enough for one. A commit for each frame would slow
 * down the node.
 */
const gatherMs = 10;
/** Larger chunks are stored as blobs. */
const inlineBytes = 65_536;

/**
 * Stores the output of a split stream, and its end. Frames that arrive during a commit share the next one; readers see them once they are
 * committed. Every commit checks that the replica still owns the upload.
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

  /** Stores the number of input frames, if it has changed. */
  touch(): void {
    if (this.#inputFrames() !== this.#storedInput) this.#commitPending().catch(() => undefined);
  }

  /** Records the call of the node: the end of its execution ends the stream, in one transaction. */
  get executions(): CallRecordParts['executions'] {
    return {
      append: (row: CallJournalRow) => {
        const appended = appendSurely(this.#options.executions, row);
        this.#rows.push(appended);
        return appended;
      },
      write: async (execution: Execution) => {
        // A reader of the execution finds its journal. A row is refused if another replica has closed the journal.
        await Promise.allSettled(this.#rows);
        const cutOff = execution.status === 'CANCELLED';
        const message = cutOff ? this.#cutOffText() : execution.errorMessage;
        // The id of the execution is as old as the stream, and lists are in the order of ids.
        const { createdAt } = this.#options.stream;
        await this.#end(message, { ...execution, createdAt, errorMessage: message });
      },
    };
  }

  /** Ends the stream of an upload that was refused, unless it has ended. */
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
    // The caller may not wait. The next append, or the end, fails for the same reason.
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
      // Cleared in the turn that found nothing pending: a frame in the next turn starts a new commit.
      this.#committing = undefined;
    }
  }

  async #commitOnce(): Promise<void> {
    const waitMs = this.#committedAt + gatherMs - performance.now();
    if (waitMs > 0 && this.#pendingBytes < gatherBytes) await pause(waitMs);
    this.#committedAt = performance.now();
    const { db, stream, owner, onStored } = this.#options;
    // The first row has the first input frame, which the record keeps even if the process dies once output has been read.
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
    // An output with a gap must not end as if it were complete.
    if (this.#failure) throw this.#failure;
    const { db, stream, owner, onStored } = this.#options;
    const progress = await this.#takePending();
    const end = () => endStream(db, stream, { owner, error, execution, ...progress });
    if (!(await outlast(end)) && !(await this.#hasEnded(progress.frames, error))) throw new StreamLost();
    onStored();
  }

  /** Reports whether the stream has already ended this way, because an attempt whose response was lost was committed. */
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
