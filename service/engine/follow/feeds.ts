import type { Logger } from 'pino';
import { limits } from '../../../specs/limits.ts';
import type { Clock } from '../../clock.ts';
import { tooManyFollowers } from '../../errors/follow-errors.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import type { EventHub } from '../events/event-hub.ts';
import { type RunEvent, withBytes } from '../events/run-event.ts';
import { callSource } from './call-source.ts';
import type { Sized } from './event-ring.ts';
import type { EventSource } from './event-source.ts';
import { Feed, type Follower } from './feed.ts';
import { RunSource } from './run-source.ts';
import { runsOfTopic, type Topic, TopicSource } from './topic-source.ts';

interface FeedsOptions<Message> {
  db: Database;
  blobs: Pick<BlobStore, 'read'>;
  hub: EventHub;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  /** Announces to other replicas that a session is followed. */
  announce: (session: string) => void;
  /** Returns an event, with its messages loaded, in the given form. */
  encode: (event: RunEvent, form: FollowForm) => Sized<Message> | Promise<Sized<Message>>;
  /** How often a session is read without a hint, in milliseconds. */
  pollMs?: number;
}

/** The form in which followers receive events. Followers with the same form share a feed. */
export interface FollowForm {
  tenantId: string;
  /** Messages as JSON instead of base64. */
  decode: boolean;
}

/** Starts a follower. */
type Join<Message> = () => Follower<Message>;

/** The feeds of a tenant, by session. */
type TenantFeeds<Message> = Map<string, { feed: Feed<Message>; followers: number }>;

/** The sessions that clients of this process follow. */
export class Feeds<Message> {
  readonly #options: FeedsOptions<Message>;
  readonly #tenants = new Map<string, TenantFeeds<Message>>();

  constructor(options: FeedsOptions<Message>) {
    this.#options = options;
  }

  /**
   * Finds an execution: a run, one of its branches, or a direct call. Undefined if the tenant has no such execution.
   *
   * @throws ApiError 429 if the tenant follows too much
   */
  async execution(form: FollowForm, executionId: string): Promise<Join<Message> | undefined> {
    const { db, hub, clock } = this.#options;
    const { tenantId } = form;
    const execution = await findExecution(db, tenantId, executionId);
    if (!execution) return undefined;
    const open = (wake: () => void): EventSource =>
      execution.nodeId === null
        ? new RunSource({ db, hub, wake }, execution)
        : callSource({ db, clock }, execution);
    return this.#joinOf(form, `execution ${executionId}`, open);
  }

  /**
   * Finds the runs of a topic. Undefined if it has none.
   *
   * @throws ApiError 429 if the tenant follows too much
   */
  async topic(topic: Topic, decode: boolean): Promise<Join<Message> | undefined> {
    const { db, hub, clock } = this.#options;
    const { tenantId, name, appKey = '' } = topic;
    if ((await runsOfTopic(db, topic, clock.now())).length === 0) return undefined;
    const open = (wake: () => void): EventSource => new TopicSource({ db, hub, clock, wake }, topic);
    return this.#joinOf({ tenantId, decode }, `topic ${appKey} ${name}`, open);
  }

  #joinOf(form: FollowForm, session: string, open: (wake: () => void) => EventSource): Join<Message> {
    const { tenantId, decode } = form;
    const key = decode ? `decoded ${session}` : session;
    const { perTenant, sessionsPerTenant } = limits.followers;
    const followed = this.#followedBy(tenantId);
    const followers = followed.values().reduce((sum, session) => sum + session.followers, 0);
    if (followers >= perTenant) throw tooManyFollowers('followers');
    if (!followed.has(key) && followed.size >= sessionsPerTenant) throw tooManyFollowers('sessions');
    return () => this.#join(form, key, open);
  }

  #followedBy(tenantId: string): TenantFeeds<Message> {
    return this.#tenants.get(tenantId) ?? (new Map() as TenantFeeds<Message>);
  }

  #join(form: FollowForm, key: string, open: (wake: () => void) => EventSource): Follower<Message> {
    const { tenantId } = form;
    const followed = this.#followedBy(tenantId);
    this.#tenants.set(tenantId, followed);
    const session = followed.get(key) ?? { feed: this.#open(form, open), followers: 0 };
    followed.set(key, session);
    session.followers += 1;
    return session.feed.join(() => {
      session.followers -= 1;
      if (session.followers > 0) return;
      session.feed.close();
      followed.delete(key);
      if (followed.size === 0) this.#tenants.delete(tenantId);
    });
  }

  #open(form: FollowForm, open: (wake: () => void) => EventSource): Feed<Message> {
    const { blobs, logger, announce, encode, pollMs = 1_000 } = this.#options;
    return new Feed({
      open,
      encode: async (event) =>
        encode(await withBytes(event, (blob) => blobs.read(form.tenantId, event.executionId, blob)), form),
      bounds: { replay: limits.followReplay, buffer: limits.followBuffer },
      pollMs,
      announce,
      onError: (error) => logger.warn({ err: error }, 'the events of a followed session cannot be read'),
    });
  }
}
