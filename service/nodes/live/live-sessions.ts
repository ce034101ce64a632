import type { Logger } from 'pino';
import { limits } from '../../../specs/limits.ts';
import { startStopwatch } from '../../clock.ts';
import { inflightExceeded, quotaUnavailable } from '../../errors/flow-errors.ts';
import type { Ids } from '../../ids.ts';
import type { Metrics } from '../../metrics.ts';
import { createPolling, type Polling } from '../../polling.ts';
import type { Database } from '../../store/database.ts';
import {
  reconcileSlots,
  giveSlotBack,
  type LiveSession as SessionSlot,
  openExecutions,
  takeSlot,
} from '../../store/live-sessions.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import { type DirectCalls, requireStreamed } from '../call/direct-call.ts';
import type { CallRecordParts } from '../call/direct-record.ts';
import type { OutputFrame } from '../call/direct-output.ts';
import type { SentMessage } from '../call/message-form.ts';
import type { NodeReference } from '../published-nodes.ts';

interface LiveSessionsOptions {
  db: Database;
  directCalls: Pick<DirectCalls, 'find' | 'stream' | 'requireStreamable'>;
  ids: Pick<Ids, 'executionId'>;
  logger: Logger;
  metrics: Pick<Metrics, 'countLiveSession' | 'openLiveSessions'>;
  /** Id of this process. Another component stores its heartbeat. */
  replica: string;
  /** Reports whether replicas without a recent heartbeat count as dead. */
  heartbeatsAreReliable: () => boolean;
  /** Time in milliseconds after which a replica without a heartbeat is dead. */
  deadAfterMs?: number;
}

interface SessionRequest {
  tenant: Tenant;
  reference: NodeReference;
  /** Fires when the client has gone. */
  signal: AbortSignal;
  invokedBy: SpanContext | undefined;
}

/** How a session ended. */
type SessionEnd =
  'completed' | 'failed' | 'client_left' | 'slow_consumer' | 'key_invalid' | 'service_stopped';

/** The stream of a node whose container has been called. */
export interface LiveSession {
  executionId: string;
  /** Output frames, and the end. Pulls from the container only as the caller pulls. */
  frames: AsyncGenerator<OutputFrame, void, undefined>;
  /** Passes on the input as fast as the node accepts it. Call it once. */
  feed(input: AsyncIterable<SentMessage<'json'>>): void;
  /** Ends the call of the container if it is still open, and releases the tenant's slot. Later calls do nothing. */
  end(how: SessionEnd): Promise<void>;
}

/** Live sessions are not recorded. */
const unrecorded: CallRecordParts['executions'] = {
  write: () => Promise.resolve(),
  append: () => Promise.resolve(),
};

/**
 * Interval at which slots are compared with sessions, and slots of dead replicas are searched for, in
 * milliseconds.
 */
const searchMs = 1_000;

/**
 * Sessions of pipeline nodes, with input and output at the same time. A session exists in one process and
 * leaves no record.
 */
export class LiveSessions {
  readonly #options: LiveSessionsOptions;
  /** By execution id; undefined while the slot is being taken. */
  readonly #open = new Map<string, SessionSlot | undefined>();
  readonly #search: Polling;

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
    const { db, logger, replica, heartbeatsAreReliable, deadAfterMs = 15_000, metrics } = options;
    metrics.openLiveSessions(() => this.#open.size);
    this.#search = createPolling(
      searchMs,
      () => reconcileSlots(db, { replica, open: this.#open, deadAfterMs, heartbeatsAreReliable }),
      logger,
    );
  }

  /** Starts releasing the slots of dead replicas. */
  async start(): Promise<void> {
    await this.#search.start();
  }

  async close(): Promise<void> {
    await this.#search.stop();
  }

  /**
   * Refuses what `open` would refuse before it calls the container. Opens nothing.
   *
   * @throws ApiError 400, 404, 429 for a tenant without a free slot, or 503 if its slots cannot be counted
   */
  async check({ tenant, reference }: Pick<SessionRequest, 'tenant' | 'reference'>): Promise<void> {
    const { db, directCalls } = this.#options;
    await directCalls.requireStreamable(tenant, reference);
    const cap = tenant.limits.inflight;
    if (cap === undefined) return;
    const open = await openExecutions(db.knex, tenant.id).catch(this.#slotsUnavailable);
    if (open >= cap) throw inflightExceeded(cap);
  }

  readonly #slotsUnavailable = (error: unknown): never => {
    this.#options.logger.error({ err: error }, 'the slots of live sessions are unavailable');
    throw quotaUnavailable();
  };

  /**
   * Opens a session: takes a slot of the tenant, and calls the container.
   *
   * @throws ApiError 400 for a node that does not accept a stream, 404, 429 for a tenant without a free slot,
   *   502 or 503
   */
  async open({ tenant, reference, signal, invokedBy }: SessionRequest): Promise<LiveSession> {
    const { db, directCalls, ids, logger, metrics, replica } = this.#options;
    const found = await directCalls.find(tenant.id, reference);
    requireStreamed(found);
    const executionId = ids.executionId();
    const slot = { tenantId: tenant.id, executionId, owner: replica };
    const cap = tenant.limits.inflight;
    // Set before the slot is stored, so that the search does not release the slot.
    this.#open.set(executionId, undefined);
    const giveBack = async (): Promise<void> => {
      this.#open.delete(executionId);
      await giveSlotBack(db.knex, slot).catch((error: unknown) =>
        logger.warn({ err: error, execution: executionId }, 'a slot is given back later'),
      );
    };
    const ended = new AbortController();
    const input = Promise.withResolvers<AsyncIterable<SentMessage<'json'>>>();
    try {
      const isTaken = await takeSlot(db, slot, cap).catch(this.#slotsUnavailable);
      if (!isTaken) throw inflightExceeded(cap ?? 0);
      this.#open.set(executionId, slot);
      const elapsedMs = startStopwatch();
      const stream = await directCalls.stream(
        {
          tenant,
          found,
          input: untilKnown(input.promise),
          signal: ended.signal,
          invokedBy,
          executionId,
          upload: 'full',
          isLive: true,
          maxOutputBytes: limits.liveOutputBytes,
        },
        unrecorded,
      );
      let end: Promise<void> | undefined;
      const endOnce = async (how: SessionEnd): Promise<void> => {
        ended.abort(new Error('the session has ended'));
        metrics.countLiveSession(how);
        const ms = Math.round(elapsedMs());
        const inputFrames = stream.inputFrames();
        logger.info(
          { tenant: tenant.handle, node: found.fqn, execution: executionId, end: how, ms, inputFrames },
          'a live session has ended',
        );
        await giveBack();
      };
      const session: LiveSession = {
        executionId,
        frames: stream.frames,
        feed: (given) => input.resolve(given),
        end: (how) => (end ??= endOnce(how)),
      };
      const leave = (): void => void session.end('client_left');
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      return session;
    } catch (error) {
      await giveBack();
      throw error;
    }
  }
}

async function* untilKnown<T>(input: Promise<AsyncIterable<T>>): AsyncGenerator<T, void, undefined> {
  yield* await input;
}
