import type { Logger } from 'pino';
import { limits } from '../../../specs/limits.ts';
import type { Clock } from '../../clock.ts';
import { ApiError } from '../../errors/api-error.ts';
import { refusalText } from '../../errors/refusal-text.ts';
import {
  streamHasUpload,
  streamNotFound,
  streamTakenOver,
  unknownEventId,
} from '../../errors/stream-errors.ts';
import type { Ids } from '../../ids.ts';
import { createPolling, type Polling } from '../../polling.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import {
  abandonedStreams,
  claimStream,
  findStream,
  insertStream,
  type SplitStream,
  type StreamKey,
} from '../../store/split-streams.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import { type DirectCalls, requireStreamed } from '../call/direct-call.ts';
import type { CallRecordParts } from '../call/direct-record.ts';
import type { OutputFrame } from '../call/direct-output.ts';
import type { SentMessage } from '../call/message-form.ts';
import type { NodeReference } from '../published-nodes.ts';
import { endAbandoned } from './end-abandoned.ts';
import { OutputLog } from './output-log.ts';
import { readOutput } from './read-output.ts';
import { StreamWatch } from './stream-watch.ts';
import { watchUpload } from './upload.ts';

interface SplitStreamsOptions {
  db: Database;
  blobs: Pick<BlobStore, 'put' | 'read'>;
  directCalls: Pick<DirectCalls, 'find' | 'stream' | 'track'>;
  executions: CallRecordParts['executions'];
  clock: Clock;
  ids: Pick<Ids, 'ulid' | 'executionId'>;
  logger: Logger;
  /** Id of this process. Another component stores its heartbeat. */
  replica: string;
  /**
   * Reports whether replicas without heartbeats may be considered dead. False right after an outage of the
   * database.
   */
  heartbeatsAreReliable: () => boolean;
  /** Stores a heartbeat of this replica if the last one is old. */
  endSilence: () => Promise<void>;
  /** Time in milliseconds after which a replica without a heartbeat is dead. */
  deadAfterMs?: number;
}

interface UploadRequest {
  tenant: Tenant;
  streamId: string;
  input: AsyncIterable<SentMessage<'json'>>;
  /** Fires when the connection is lost. */
  signal: AbortSignal;
  invokedBy: SpanContext | undefined;
}

/** The response to an upload. */
interface Uploaded {
  executionId: string;
  /** Frames that were accepted. */
  inputFrames: number;
}

/** The output of a stream from an event on. */
interface Output {
  executionId: string;
  /** Index of the first frame. */
  from: number;
  frames: AsyncGenerator<OutputFrame, void, undefined>;
}

const processStopped = 'the process that ran the stream has stopped: streams are not resumed';
const uploadFailed = 'the upload failed: the log of the service contains the cause';

/**
 * Interval of polls for changes by other replicas, in milliseconds. With SQLite there are no other replicas,
 * but streams expire.
 */
const pollMs = { postgres: 200, sqlite: 1_000 };
/** Interval of searches for streams of dead replicas, in milliseconds. */
const searchMs = 1_000;

/** Streams of pipeline nodes in three requests: one creates it, one uploads the input, and any number read the output. */
export class SplitStreams {
  readonly #options: SplitStreamsOptions;
  readonly #deadAfterMs: number;
  readonly #watch: StreamWatch;
  /** The uploads of this process, by stream id. */
  readonly #uploads = new Map<string, OutputLog>();
  readonly #polls: readonly Polling[];

  constructor(options: SplitStreamsOptions) {
    this.#options = options;
    this.#deadAfterMs = options.deadAfterMs ?? 15_000;
    this.#watch = new StreamWatch(options);
    const { db, logger } = options;
    this.#polls = [
      createPolling(pollMs[db.dialect], () => this.#watch.poll(), logger),
      createPolling(searchMs, () => this.#search(), logger),
    ];
  }

  /** Starts polling for changes by other replicas, and for abandoned streams. */
  async start(): Promise<void> {
    await Promise.all(this.#polls.map((poll) => poll.start()));
  }

  /** Ends the readers, which can continue on another replica. Called when the process is about to exit. */
  endReads(): void {
    this.#watch.close();
  }

  async close(): Promise<void> {
    this.endReads();
    await Promise.all(this.#polls.map((poll) => poll.stop()));
  }

  /**
   * Creates a stream.
   *
   * @throws ApiError 404 for an unknown node, 400 for a node that does not accept a stream
   */
  async create(tenant: Tenant, reference: NodeReference): Promise<SplitStream> {
    const { db, directCalls, clock, ids } = this.#options;
    const found = await directCalls.find(tenant.id, reference);
    requireStreamed(found);
    const createdAt = clock.now();
    const stream: SplitStream = {
      tenantId: tenant.id,
      id: ids.ulid(),
      executionId: ids.executionId(),
      nodeId: found.node.id,
      nodeFqn: found.fqn,
      status: 'created',
      owner: null,
      inputFrames: 0,
      frames: 0,
      error: null,
      createdAt,
      expiresAt: createdAt + limits.splitStreamSeconds * 1000,
    };
    await insertStream(db.knex, stream);
    return stream;
  }

  /**
   * Handles the upload of a stream: sends its frames to the node as they arrive, and stores the node's output. Resolves when the
   * node has ended and everything is stored, even if the node has failed.
   *
   * @throws ApiError 404, 409, and the errors of a node call for an upload that is refused before the node is called. Such a
   *   refusal ends the stream.
   */
  upload(request: UploadRequest): Promise<Uploaded> {
    return this.#options.directCalls.track(this.#upload(request));
  }

  /**
   * Opens the output of a stream.
   *
   * @param after index of the last frame that the reader has; undefined to read from the beginning
   * @returns `undefined` if the stream has ended, and the reader has its last frame
   * @throws ApiError 404 for an unknown or expired stream, 400 for a frame that the stream has not sent
   */
  async read(
    tenantId: string,
    streamId: string,
    { after, signal }: { after: number | undefined; signal: AbortSignal },
  ): Promise<Output | undefined> {
    const { db, blobs, clock } = this.#options;
    const stream = await this.#find({ tenantId, id: streamId });
    const { executionId, status, frames } = stream;
    const from = after === undefined ? 0 : after + 1;
    const sent = status === 'ended' ? frames + 1 : frames;
    if (from > sent) throw unknownEventId();
    if (status === 'ended' && from === sent) return undefined;
    const parts = { db, blobs, clock, watch: this.#watch };
    return { executionId, from, frames: readOutput(parts, stream, { from, signal }) };
  }

  async #upload({ tenant, streamId, input, signal, invokedBy }: UploadRequest): Promise<Uploaded> {
    const { db, blobs, directCalls, executions, replica, endSilence } = this.#options;
    const stream = await this.#find({ tenantId: tenant.id, id: streamId });
    if (stream.status !== 'created') throw streamHasUpload();
    const found = await directCalls.find(tenant.id, { ulid: stream.nodeId });
    // Two concurrent uploads may both find the stream without an upload. The first one wins.
    if (this.#uploads.has(streamId)) throw streamHasUpload();
    const log = new OutputLog({
      db,
      blobs,
      executions,
      stream,
      owner: replica,
      onStored: () => this.#watch.announce(streamId),
    });
    this.#uploads.set(streamId, log);
    try {
      await endSilence();
      if (!(await claimStream(db.knex, stream, replica))) throw streamHasUpload();
      const { executionId } = stream;
      const upload = watchUpload(input, signal);
      const call = {
        tenant,
        found,
        input: upload.input,
        signal: upload.cutOff,
        invokedBy,
        executionId,
        upload: 'full' as const,
        maxOutputBytes: limits.splitOutputBytes,
      };
      const opened = await directCalls.stream(call, log.executions).catch(async (error: unknown) => {
        if (error instanceof ApiError) await log.refuse(refusalText(error));
        throw error;
      });
      log.countInput(opened.inputFrames);
      for await (const frame of opened.frames) {
        if (frame.kind === 'frame') await log.append(frame.json ?? '{}');
      }
      return { executionId, inputFrames: opened.inputFrames() };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // If the stream has ended, the reason is that another replica took it over.
      const now = await findStream(db.knex, stream);
      if (now?.status === 'ended') throw streamTakenOver(stream.executionId);
      throw error;
    } finally {
      this.#uploads.delete(streamId);
    }
  }

  /** @throws ApiError 404 for an unknown, foreign or expired stream */
  async #find(key: StreamKey): Promise<SplitStream> {
    const { db, clock } = this.#options;
    const stream = await findStream(db.knex, key);
    if (!stream || clock.now() >= stream.expiresAt) throw streamNotFound();
    return stream;
  }

  /** Ends abandoned streams. */
  async #search(): Promise<void> {
    const { db, clock, replica } = this.#options;
    for (const log of this.#uploads.values()) log.touch();
    const abandoned = await abandonedStreams(db, { replica, deadAfterMs: this.#deadAfterMs });
    // Evaluated after the query, which may have waited out a database outage.
    const heartbeatsAreReliable = this.#options.heartbeatsAreReliable();
    for (const stream of abandoned) {
      // An upload of this replica is still running, unless it failed without ending its stream.
      const isOwn = stream.owner === replica;
      if (isOwn ? this.#uploads.has(stream.id) : !heartbeatsAreReliable) continue;
      await endAbandoned({ db, clock }, stream, isOwn ? uploadFailed : processStopped);
      this.#watch.announce(stream.id);
    }
  }
}
