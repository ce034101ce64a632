import { limits } from '../../../specs/limits.ts';
import type { Database } from '../../store/database.ts';
import type { Execution } from '../../store/executions.ts';
import type { EventHub } from '../events/event-hub.ts';
import { eventBytes } from '../events/event-bytes.ts';
import { eventOf, type RunEvent } from '../events/run-event.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { EventSource } from './event-source.ts';
import { JournalTail } from './journal-tail.ts';

interface RunSourceOptions {
  db: Database;
  hub: EventHub;
  /** Called when there is something to read. */
  wake: () => void;
}

/** Maximum number of unread transient events. Beyond it, the oldest are dropped. */
const maxTransient = 1_000;

/** The events of a run or of one of its branches. They come from the journal, no matter which replica writes it. */
export class RunSource implements EventSource {
  readonly #execution: Execution;
  readonly #root: string;
  readonly #tail: JournalTail;
  readonly #unsubscribe: () => void;
  #transient: RunEvent[];
  #ended = false;

  constructor({ db, hub, wake }: RunSourceOptions, execution: Execution) {
    this.#execution = execution;
    this.#root = execution.lineageRootExecutionId ?? execution.id;
    this.#tail = new JournalTail({
      db,
      run: { tenantId: execution.tenantId, executionId: this.#root },
      isWanted: (entry) => this.#eventOf(entry) !== undefined || this.#endsHere(entry),
    });
    const { kept, unsubscribe } = hub.subscribe(this.#root, {
      stored: wake,
      transient: (event) => {
        this.#transient.push(event);
        if (this.#transient.length > maxTransient) this.#transient.shift();
        wake();
      },
    });
    this.#transient = [...kept];
    this.#unsubscribe = unsubscribe;
  }

  get sessions(): string[] {
    return [this.#root];
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  async read(): Promise<{ events: RunEvent[]; ended: boolean }> {
    if (this.#ended) return { events: [], ended: true };
    const entries = await this.#tail.read(limits.followReplay, (entry) => {
      const event = this.#eventOf(entry);
      return event && eventBytes(event);
    });
    const stored = entries.flatMap((entry) => this.#eventOf(entry) ?? []);
    const transient = this.#transient.filter((event) => this.#isOwn(event));
    this.#transient = [];
    // The execution was read before its journal. If it had ended by then, the journal has the end of the run, unless
    // it has been deleted.
    this.#ended = entries.some((entry) => this.#endsHere(entry)) || this.#execution.completedAt !== null;
    return { events: mergeByTime(stored, transient), ended: this.#ended };
  }

  close(): void {
    this.#unsubscribe();
  }

  #eventOf(entry: JournalEntry): RunEvent | undefined {
    const event = eventOf(this.#root, entry);
    return event && this.#isOwn(event) ? event : undefined;
  }

  #isOwn({ instanceId }: RunEvent): boolean {
    return this.#root === this.#execution.id || instanceId === this.#execution.id;
  }

  #endsHere(entry: JournalEntry): boolean {
    if (entry.type === 'FLOW_COMPLETED' || entry.type === 'FLOW_FAILED') return true;
    return entry.type === 'branch_ended' && entry.branch === this.#execution.id;
  }
}

/** Inserts transient events between the stored ones, which keep their order. */
function mergeByTime(stored: readonly RunEvent[], transient: readonly RunEvent[]): RunEvent[] {
  if (transient.length === 0) return [...stored];
  const merged: RunEvent[] = [];
  let next = 0;
  for (const event of stored) {
    for (let one = transient[next]; one && one.eventUlid < event.eventUlid; one = transient[next]) {
      merged.push(one);
      next += 1;
    }
    merged.push(event);
  }
  return [...merged, ...transient.slice(next)];
}
