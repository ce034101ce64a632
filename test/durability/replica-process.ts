/**
 * A replica in its own process, which tests kill. Its argument names the point at which it dies; the process that started it
 * sends commands.
 */
import { pino } from 'pino';
import { systemClock } from '../../service/clock.ts';
import { Engine } from '../../service/engine/engine.ts';
import { EventHub } from '../../service/engine/events/event-hub.ts';
import type { ProbePoint } from '../../service/engine/run/engine-probe.ts';
import { createIds } from '../../service/ids.ts';
import { createMessageWorkers } from '../../service/messages/convert/message-workers.ts';
import { NodeCalls } from '../../service/nodes/call/node-calls.ts';
import { NodeTargets } from '../../service/nodes/call/target.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { createBlobStore } from '../../service/objects/blob-store.ts';
import { createDiskObjectStore } from '../../service/objects/disk-object-store.ts';
import { type DatabaseOptions, openDatabase } from '../../service/store/open-database.ts';
import { findTenant } from '../../service/store/tenants.ts';
import { flowCompiler } from '../support/compiled-flow.ts';
import { noSecrets, noTokens } from '../support/no-secrets.ts';
import { FairQueue } from '../../service/work/fair-queue.ts';

export interface ReplicaOptions {
  database: DatabaseOptions;
  blobsDir: string;
  /** The process kills itself, like `kill -9`, when it reaches the point for the `nth` time. */
  killAt?: { point: ProbePoint; nth: number };
}

export interface InvokeCommand {
  tenantId: string;
  graphId: string;
  /** Base64. */
  input: string;
  key: string;
}

/** A decision on a pause. */
export interface ResumeCommand {
  tenantId: string;
  executionId: string;
  pauseId: string;
  /** Base64. */
  decision: string;
}

/** A fork. */
export interface ForkCommand {
  tenantId: string;
  executionId: string;
  key: string;
  checkpointId: string;
}

/** `frozen`: it is about to stop itself. `stopped`: the run has ended, or waits for a decision. */
export type ReplicaMessage =
  | { kind: 'ready'; replicaId: string }
  | { kind: 'frozen' }
  | { kind: 'accepted'; executionId: string }
  | { kind: 'resumed'; won: boolean }
  | { kind: 'forked'; executionId: string }
  | { kind: 'stopped'; executionId: string };

const { database, blobsDir, killAt } = JSON.parse(process.argv[2] ?? '{}') as ReplicaOptions;
const db = await openDatabase(database);
let passed = 0;
const flows = flowCompiler(db);
const ids = createIds(systemClock);
const replicaId = ids.ulid();
const metrics = { observeNodeCall: () => undefined, countRun: () => undefined };
const calls = new NodeCalls({
  targets: new NodeTargets({ db, clock: systemClock, tokens: noTokens }),
  containers: createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] }),
  metrics,
  secrets: noSecrets,
});
const engine = new Engine({
  db,
  calls,
  messages: createMessageWorkers({ queue: new FairQueue({ clock: systemClock }) }),
  graphs: flows.loader,
  mutations: flows.mutations,
  events: new EventHub(),
  metrics,
  blobs: createBlobStore(createDiskObjectStore(blobsDir)),
  clock: systemClock,
  ids,
  logger: pino({ level: 'silent' }),
  replicaId,
  pollMs: 50,
  beatMs: 100,
  // A starved replica is still alive. One that dies at its point takes over no run at all: it would come to the point with that run,
  // perhaps before it has got its own. `Engine.cancel` would wait as long with a timer, and no timer of Node is that long; this process
  // has no command that cancels.
  deadAfterMs: killAt ? Number.MAX_SAFE_INTEGER : 60_000,
  probe: (point) => {
    if (point !== killAt?.point) return;
    passed += 1;
    if (passed === killAt.nth) process.kill(process.pid, 'SIGKILL');
  },
});
await engine.start();

const tell = (message: ReplicaMessage): void => void process.send?.(message);

process.on('message', (command: InvokeCommand | ResumeCommand | ForkCommand | 'freeze') => {
  // By itself, between two turns: from outside it might be stopped while it holds a lock of the database.
  if (command === 'freeze') freeze();
  else if ('pauseId' in command) void resume(command);
  else if ('checkpointId' in command) void forkRun(command);
  else void invoke(command);
});
tell({ kind: 'ready', replicaId });

function freeze(): void {
  tell({ kind: 'frozen' });
  process.kill(process.pid, 'SIGSTOP');
}

async function invoke({ tenantId, graphId, input, key }: InvokeCommand): Promise<void> {
  const tenant = await findTenant(db.knex, tenantId);
  if (!tenant) throw new Error(`no tenant ${tenantId}`);
  const { executionId } = await engine.invoke(tenant, {
    graphId,
    input: { form: 'bytes', bytes: new Uint8Array(Buffer.from(input, 'base64')) },
    idempotency: { kind: 'key', hash: key },
  });
  tell({ kind: 'accepted', executionId });
  await engine.wait(tenantId, executionId, { timeoutMs: 60_000 });
  tell({ kind: 'stopped', executionId });
}

async function forkRun({ tenantId, executionId, checkpointId, key }: ForkCommand): Promise<void> {
  const tenant = await findTenant(db.knex, tenantId);
  if (!tenant) throw new Error(`no tenant ${tenantId}`);
  const idempotency = { kind: 'key', hash: key } as const;
  const forked = await engine.fork(tenant, { executionId, checkpointId, idempotency });
  tell({ kind: 'forked', executionId: forked.executionId });
  await engine.wait(tenantId, forked.executionId, { timeoutMs: 60_000 });
  tell({ kind: 'stopped', executionId: forked.executionId });
}

async function resume({ tenantId, executionId, pauseId, decision }: ResumeCommand): Promise<void> {
  const input = new Uint8Array(Buffer.from(decision, 'base64'));
  const outcome = await engine.resume(
    { tenantId, executionId },
    { pauseId, decisionId: ids.ulid(), resumedBy: 'replica', decision: { input } },
  );
  tell({ kind: 'resumed', won: outcome?.won ?? false });
  await engine.wait(tenantId, executionId, { timeoutMs: 60_000 });
  tell({ kind: 'stopped', executionId });
}
