import { limits } from '../../../specs/limits.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { findTopicRuns } from '../../store/debug-topics.ts';
import { findExecution } from '../../store/executions.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { RunEvent } from '../events/run-event.ts';
import type { EventSource } from './event-source.ts';
import { RunSource } from './run-source.ts';
import { topicSession } from './topic-session.ts';

/** A name that invocations give, within a tenant. */
export interface Topic {
  tenantId: string;
  name: string;
  /** Only runs that this app key started. */
  appKey: string | undefined;
}

interface TopicSourceOptions {
  db: Database;
  hub: EventHub;
  clock: Clock;
  /** Called when there is something to read. */
  wake: () => void;
}

/**
 * The events of the runs of a topic: first those of one run after another, then all events as they happen. A topic
 * has no end.
 */
export class TopicSource implements EventSource {
  readonly #options: TopicSourceOptions;
  readonly #topic: Topic;
  readonly #unsubscribe: () => void;
  readonly #known = new Set<string>();
  readonly #session: string;
  #runs: RunSource[] = [];
  /** Events that were read before a later read failed. */
  #read: RunEvent[] = [];
  #closed = false;

  constructor(options: TopicSourceOptions, topic: Topic) {
    const { hub, wake } = options;
    this.#options = options;
    this.#topic = topic;
    this.#session = topicSession(topic.tenantId, topic.name);
    this.#unsubscribe = hub.subscribe(this.#session, { stored: wake, transient: wake }).unsubscribe;
  }

  get sessions(): string[] {
    return [this.#session, ...this.#runs.flatMap(({ sessions }) => sessions)];
  }

  async read(): Promise<{ events: RunEvent[]; ended: false }> {
    await this.#findRuns();
    for (const run of this.#runs) {
      await loopTurns.yieldIfSpent();
      if (this.#closed) break;
      this.#read.push(...(await run.read()).events);
    }
    const events = this.#read;
    this.#read = [];
    for (const run of this.#runs) if (run.hasEnded) run.close();
    this.#runs = this.#runs.filter((run) => !run.hasEnded);
    return { events, ended: false };
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    for (const run of this.#runs) run.close();
  }

  async #findRuns(): Promise<void> {
    const { db, clock, hub, wake } = this.#options;
    const found = await runsOfTopic(db, this.#topic, clock.now());
    for (const executionId of found.filter((id) => !this.#known.has(id))) {
      await loopTurns.yieldIfSpent();
      const execution = await findExecution(db, this.#topic.tenantId, executionId);
      // The source may have been closed in the meantime. Nothing would then unsubscribe from the run.
      if (this.#closed) return;
      this.#known.add(executionId);
      if (execution) this.#runs.push(new RunSource({ db, hub, wake }, execution));
    }
  }
}

/** Returns the ids of the latest runs of a topic, oldest first. */
export function runsOfTopic(db: Database, { tenantId, name, appKey }: Topic, now: number): Promise<string[]> {
  const topic = { session: topicSession(tenantId, name), appKey };
  return findTopicRuns(db, { tenantId, topic, since: now - limits.topics.ageMs });
}
