import { availableParallelism } from 'node:os';
import { setImmediate as nextEventLoopTurn, setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../specs/limits.ts';
import type { Clock } from '../clock.ts';
import { workAbandoned, workOverloaded, workQueueFull, workTimedOut } from '../errors/work-errors.ts';

/** Does one piece of processor work. Must stop and settle soon after the signal aborts. */
type Job<T> = (signal: AbortSignal) => Promise<T>;

interface JobOptions {
  /** Epoch milliseconds at which the job is abandoned. Default: `limits.workMs` from now. */
  deadlineMs?: number | undefined;
  /** Aborts when the caller no longer needs the result. */
  signal?: AbortSignal | undefined;
  /** Size of the input, which stays in memory while the job waits. */
  bytes?: number;
  /**
   * The job belongs to a call that was already accepted, such as the output of a node. It is never refused, because the call
   * would be lost; it still counts as queued.
   */
  accepted?: boolean | undefined;
  /** Maximum number of queued jobs of the tenant with which this one is accepted. Default: the queue's. */
  maxQueued?: number;
  /** Jobs of one kind share a cap (`caps`). */
  kind?: string;
}

interface FairQueueOptions {
  clock: Clock;
  /** Maximum number of concurrent jobs. */
  slots?: number;
  /** Maximum per tenant. Fewer than `slots`, so that one tenant never holds all of them. */
  slotsPerTenant?: number;
  /** Maximum number of running jobs by their kind. */
  caps?: Readonly<Record<string, number>>;
  maxJobsPerTenant?: number;
  maxBytesPerTenant?: number;
  /** Maximum for all tenants together. */
  maxJobs?: number;
  maxBytes?: number;
  /**
   * Runs jobs on the main thread. Each starts in its own turn of the event loop, so that short jobs do not
   * add up to a long turn. A slot then rests for as long as the thread worked on its last job, so that jobs
   * leave half of the thread's time to everything else. Time in which the thread waits, for example for a
   * database on another machine, does not count.
   */
  onMainThread?: boolean;
}

interface QueuedJob {
  kind: string | undefined;
  bytes: number;
  start: () => Promise<unknown>;
}

interface TenantWork {
  queued: QueuedJob[];
  queuedBytes: number;
  /** Start times of the running jobs. */
  running: Set<{ since: number }>;
  /** Time that the tenant has used, in milliseconds. Comparable between tenants. */
  used: number;
}

const defaultSlots = Math.min(8, Math.max(2, availableParallelism()));

/**
 * Shares worker threads and processes among tenants. The next job is the oldest one of the tenant that has used the least time,
 * so a tenant with many or long jobs delays only its own jobs. A tenant without work accumulates no credit: it starts level with
 * the others.
 *
 * @example await queue.run(tenant.id, (signal) => threads.run(message, signal), { deadlineMs, signal, bytes: input.length })
 */
export class FairQueue {
  readonly #clock: Clock;
  readonly #slots: number;
  readonly #slotsPerTenant: number;
  readonly #caps: Readonly<Record<string, number>>;
  readonly #maxJobsPerTenant: number;
  readonly #maxBytesPerTenant: number;
  readonly #maxJobs: number;
  readonly #maxBytes: number;
  readonly #onMainThread: boolean;
  /** Tenants with work, and tenants that have used more time than the others. */
  readonly #tenants = new Map<string, TenantWork>();
  readonly #runningByKind = new Map<string, number>();
  /** One for each job. */
  readonly #ends = new Set<AbortController>();
  #closed = false;
  #running = 0;
  #queuedJobs = 0;
  #queuedBytes = 0;
  /** Used time of the tenant whose job was started last. */
  #level = 0;

  constructor({
    clock,
    slots = defaultSlots,
    slotsPerTenant = Math.max(1, Math.floor(slots / 2)),
    caps = {},
    maxJobsPerTenant = limits.workJobsPerTenant,
    maxBytesPerTenant = limits.workBytesPerTenant,
    maxJobs = limits.workJobs,
    maxBytes = limits.workBytes,
    onMainThread = false,
  }: FairQueueOptions) {
    this.#clock = clock;
    this.#slots = slots;
    this.#slotsPerTenant = slotsPerTenant;
    this.#caps = caps;
    this.#maxJobsPerTenant = maxJobsPerTenant;
    this.#maxBytesPerTenant = maxBytesPerTenant;
    this.#maxJobs = maxJobs;
    this.#maxBytes = maxBytes;
    this.#onMainThread = onMainThread;
  }

  /**
   * Runs a job when the tenant's turn comes, and settles with its result. When the deadline passes or the
   * caller leaves, a queued job never starts, and the signal of a running job aborts.
   *
   * @throws ApiError 429 when the tenant has too much work queued, 503 when all tenants together have, when
   *   the deadline passes, or when the caller leaves
   */
  async run<T>(tenantId: string, job: Job<T>, options: JobOptions = {}): Promise<T> {
    const {
      deadlineMs = this.#clock.now() + limits.workMs,
      signal,
      bytes = 0,
      accepted,
      maxQueued,
      kind,
    } = options;
    if (this.#closed) throw closedError();
    if (signal?.aborted === true) throw workAbandoned();
    const remainingMs = deadlineMs - this.#clock.now();
    if (remainingMs <= 0) throw workTimedOut();
    const tenant = this.#tenantOf(tenantId);
    if (accepted !== true) this.#admit(tenant, bytes, maxQueued ?? this.#maxJobsPerTenant);

    const end = new AbortController();
    const onAbort = (): void => end.abort(workAbandoned());
    const timer = setTimeout(() => end.abort(workTimedOut()), remainingMs);
    signal?.addEventListener('abort', onAbort);
    this.#ends.add(end);
    try {
      return await new Promise<T>((resolve, reject) => {
        const begin = async (): Promise<T> => {
          if (this.#onMainThread) await nextEventLoopTurn();
          return job(end.signal);
        };
        const start = (): Promise<void> => begin().then(resolve, reject);
        const queued: QueuedJob = { kind, bytes, start };
        end.signal.addEventListener('abort', () => {
          // A running job frees its slot when it has stopped.
          reject(end.signal.reason as Error);
          this.#dequeue(tenant, queued);
        });
        this.#enqueue(tenant, queued);
        this.#startJobs();
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#ends.delete(end);
    }
  }

  /** Aborts all jobs. Later ones are refused. */
  close(): void {
    this.#closed = true;
    for (const end of this.#ends) end.abort(closedError());
  }

  #tenantOf(id: string): TenantWork {
    const known = this.#tenants.get(id);
    if (known) {
      if (isIdle(known)) known.used = Math.max(known.used, this.#level);
      return known;
    }
    const tenant = { queued: [], queuedBytes: 0, running: new Set<{ since: number }>(), used: this.#level };
    this.#tenants.set(id, tenant);
    return tenant;
  }

  /** A single job is never too large: the size of a body is limited elsewhere. */
  #admit({ queued, queuedBytes }: TenantWork, bytes: number, maxQueued: number): void {
    const isFull = queued.length >= maxQueued || queuedBytes + bytes > this.#maxBytesPerTenant;
    if (queued.length > 0 && isFull) throw workQueueFull();
    const isOverloaded = this.#queuedJobs >= this.#maxJobs || this.#queuedBytes + bytes > this.#maxBytes;
    if (this.#queuedJobs > 0 && isOverloaded) throw workOverloaded();
  }

  #enqueue(tenant: TenantWork, job: QueuedJob): void {
    tenant.queued.push(job);
    tenant.queuedBytes += job.bytes;
    this.#queuedJobs += 1;
    this.#queuedBytes += job.bytes;
  }

  /** Does nothing when the job has started. */
  #dequeue(tenant: TenantWork, job: QueuedJob): void {
    const index = tenant.queued.indexOf(job);
    if (index < 0) return;
    tenant.queued.splice(index, 1);
    tenant.queuedBytes -= job.bytes;
    this.#queuedJobs -= 1;
    this.#queuedBytes -= job.bytes;
  }

  #startJobs(): void {
    while (this.#running < this.#slots) {
      const tenant = this.#next();
      const job = tenant?.queued.find(({ kind }) => this.#isBelowCap(kind));
      if (!tenant || !job) return;
      this.#dequeue(tenant, job);
      this.#level = Math.max(this.#level, tenant.used);
      void this.#runNow(tenant, job);
    }
  }

  /** The tenant with the least time used that has a job to start. */
  #next(): TenantWork | undefined {
    const now = performance.now();
    let next: { tenant: TenantWork; used: number } | undefined;
    for (const tenant of this.#tenants.values()) {
      if (tenant.running.size >= this.#slotsPerTenant) continue;
      if (!tenant.queued.some(({ kind }) => this.#isBelowCap(kind))) continue;
      const used = usedBy(tenant, now);
      if (!next || used < next.used) next = { tenant, used };
    }
    return next?.tenant;
  }

  #isBelowCap(kind: string | undefined): boolean {
    if (kind === undefined) return true;
    return (this.#runningByKind.get(kind) ?? 0) < (this.#caps[kind] ?? Infinity);
  }

  async #runNow(tenant: TenantWork, { kind, start }: QueuedJob): Promise<void> {
    const running = { since: performance.now() };
    const utilization = this.#onMainThread ? performance.eventLoopUtilization() : undefined;
    tenant.running.add(running);
    this.#count(kind, 1);
    await start();
    const took = performance.now() - running.since;
    if (utilization) await pause(performance.eventLoopUtilization(utilization).active);
    this.#count(kind, -1);
    tenant.running.delete(running);
    tenant.used += took;
    this.#forgetIdleTenants();
    this.#startJobs();
  }

  #count(kind: string | undefined, change: 1 | -1): void {
    this.#running += change;
    if (kind !== undefined) this.#runningByKind.set(kind, (this.#runningByKind.get(kind) ?? 0) + change);
  }

  /** Once all work is done, all tenants start level again. Until then, a tenant that is ahead stays ahead. */
  #forgetIdleTenants(): void {
    const over = [...this.#tenants.values()].every(isIdle);
    if (over) this.#level = 0;
    for (const [id, tenant] of this.#tenants) {
      if (isIdle(tenant) && (over || tenant.used <= this.#level)) this.#tenants.delete(id);
    }
  }
}

function closedError(): Error {
  return new Error('the work queue is closed');
}

function isIdle({ queued, running }: TenantWork): boolean {
  return queued.length === 0 && running.size === 0;
}

function usedBy({ used, running }: TenantWork, now: number): number {
  let sum = used;
  for (const { since } of running) sum += now - since;
  return sum;
}
