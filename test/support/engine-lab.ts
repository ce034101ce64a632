import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { pino } from 'pino';
import { type Clock, systemClock } from '../../service/clock.ts';
import { Engine, type EngineOptions } from '../../service/engine/engine.ts';
import { EventHub } from '../../service/engine/events/event-hub.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import type { GraphLoader } from '../../service/engine/graph/load/load-graph.ts';
import type { JournalEntry } from '../../service/engine/journal/entry.ts';
import { decodeEntries } from '../../service/engine/journal/codec.ts';
import type { RunEnd } from '../../service/engine/wait/run-end.ts';
import { createIds } from '../../service/ids.ts';
import { createRegistry, type MessageRegistry } from '../../service/messages/registry.ts';
import { createMessageWorkers } from '../../service/messages/convert/message-workers.ts';
import type { SentMessage } from '../../service/nodes/call/message-form.ts';
import { NodeCalls } from '../../service/nodes/call/node-calls.ts';
import { NodeTargets } from '../../service/nodes/call/target.ts';
import { type ContainerPool, createContainerPool } from '../../service/nodes/container/container-pool.ts';
import type { InvokeRequest } from '../../service/nodes/container/protocol.ts';
import { createBlobStore } from '../../service/objects/blob-store.ts';
import { createDiskObjectStore } from '../../service/objects/disk-object-store.ts';
import type { Database } from '../../service/store/database.ts';
import { type Execution, executions } from '../../service/store/executions.ts';
import { wholeJournal } from './whole-journal.ts';
import { columnNames, fromRow } from '../../service/store/table.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import { type FlowCompiler, flowCompiler, publishStepsOf } from './compiled-flow.ts';
import { noSecrets, noTokens } from './no-secrets.ts';
import { storedTenant } from './sample-records.ts';
import { type Answer, type ScriptedContainer, startScriptedContainer } from './scripted-container.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
import { FairQueue } from '../../service/work/fair-queue.ts';

/** The fields of a message of the steps package that test flows use. */
interface StepMessage {
  text?: string;
  count?: bigint;
  words?: string[];
}

/** The behaviour of a placement: it returns a message, or writes the response itself. */
export type Behaviour = (
  input: StepMessage,
  answer: Answer,
  request: InvokeRequest,
) => StepMessage | undefined | Promise<StepMessage | undefined>;

type LabEngineOptions = Partial<EngineOptions> & {
  /** Replaces calls of the container. */
  invoke?: NodeCalls['invoke'];
};

/** Engines on a database, with a real container and flows over its nodes. */
export interface EngineLab {
  db: Database;
  tenant: Tenant;
  container: ScriptedContainer;
  /** The blob store of the engines. */
  blobsDir: string;
  /** By node id; other nodes return their input with their id appended to its text. */
  behaviours: Map<string, Behaviour>;
  compile(document: Record<string, unknown>): Promise<CompiledGraph>;
  graphs: GraphLoader;
  /** Starts another replica, which is closed with the lab. */
  engine(options?: LabEngineOptions): Promise<Engine>;
  encode(message: StepMessage): Uint8Array;
  /** Returns the input of an invocation. */
  input(message: StepMessage): SentMessage;
  decode(bytes: Uint8Array): StepMessage;
  /** Invokes and waits. */
  run(
    engine: Engine,
    graph: CompiledGraph,
    input?: StepMessage,
  ): Promise<{ executionId: string; end: RunEnd }>;
  journal(executionId: string): Promise<JournalEntry[]>;
  executions(): Promise<Execution[]>;
  usage(): Promise<{ invocations: number; executions: number }>;
  close(): Promise<void>;
}

const ids = createIds(systemClock);
const stepType = 'acme.steps.v1.Step';

export async function engineLab(db: Database, clock: Clock = systemClock): Promise<EngineLab> {
  const handle = `lab-${ids.hex(6)}`;
  const tenant = await storedTenant(db.knex, {
    handle,
    limits: { dailyExecutions: 1e6, dailyInvocations: 1e6 },
  });
  const behaviours = new Map<string, Behaviour>();
  const container = await startScriptedContainer((answer, request) => void reply(answer, request));
  await publishStepsOf(db, tenant, { endpoint: container.endpoint });
  const registry = await stepsRegistry(db, tenant);
  const type = registry.getMessage(stepType);
  if (!type) throw new Error('the steps package has no Step');
  const flows: FlowCompiler = flowCompiler(db);
  const folder: TemporaryFolder = await temporaryFolder({});
  const containers: ContainerPool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }], clock });
  const engines: Engine[] = [];
  const messages = createMessageWorkers({ queue: new FairQueue({ clock: systemClock }) });
  const metrics = { observeNodeCall: () => undefined, countRun: () => undefined };

  const encode = (message: StepMessage): Uint8Array => toBinary(type, create(type, { ...message }));
  const decode = (bytes: Uint8Array): StepMessage => fromBinary(type, bytes) as Message & StepMessage;

  async function reply(answer: Answer, request: InvokeRequest): Promise<void> {
    const id = request.context?.placementId ?? '';
    const input = decode(request.input);
    const behaviour = behaviours.get(id) ?? ((given) => ({ text: `${given.text ?? ''}${id}` }));
    const output = await behaviour(input, answer, request);
    if (!output) return;
    answer.say({ case: 'output', value: encode(output) });
    answer.end();
  }

  return {
    db,
    tenant,
    container,
    blobsDir: folder.path,
    behaviours,
    graphs: flows.loader,
    encode,
    input: (message) => ({ form: 'bytes', bytes: encode(message) }),
    decode,
    compile: (document) =>
      flows.compile(
        tenant,
        JSON.parse(JSON.stringify(document).replaceAll('acme/steps', `${handle}/steps`)) as Record<
          string,
          unknown
        >,
      ),
    engine: async ({ invoke, ...options }: LabEngineOptions = {}) => {
      const targets = new NodeTargets({ db, clock, tokens: noTokens });
      const calls = new NodeCalls({ targets, containers, metrics, secrets: noSecrets });
      if (invoke) calls.invoke = invoke;
      const engine = new Engine({
        db,
        calls,
        messages,
        graphs: flows.loader,
        mutations: flows.mutations,
        events: new EventHub(),
        metrics,
        replicaId: ids.ulid(),
        blobs: createBlobStore(createDiskObjectStore(folder.path)),
        clock,
        ids,
        logger: pino({ level: process.env.SVC_LOG_LEVEL ?? 'silent' }),
        pollMs: 50,
        beatMs: 100,
        // The engines of one process stall together, and would consider each other dead on a busy machine.
        deadAfterMs: 60_000,
        ...options,
      });
      engines.push(engine);
      await engine.start();
      return engine;
    },
    run: async (engine, graph, input = { text: '' }) => {
      const { executionId } = await engine.invoke(tenant, {
        graphId: graph.graphId,
        input: { form: 'bytes', bytes: encode(input) },
        idempotency: { kind: 'key', hash: ids.hex(8) },
      });
      const end = await engine.wait(tenant.id, executionId, { timeoutMs: 60_000 });
      return { executionId, end };
    },
    journal: async (executionId) => {
      const entries: JournalEntry[] = [];
      for (const row of await wholeJournal(db, { tenantId: tenant.id, executionId })) {
        entries.push(...decodeEntries(row.body));
      }
      return entries;
    },
    executions: async () => {
      const rows = (await db
        .knex(executions.name)
        .select(columnNames(executions))
        .where({ tenant_id: tenant.id })
        .orderBy('id')) as Record<string, unknown>[];
      return rows.map((row) => fromRow(executions, row));
    },
    usage: async () => {
      const rows = await db
        .knex<{ tenant_id: string; invocations: number; executions: number }>('daily_usage')
        .select('invocations', 'executions')
        .where({ tenant_id: tenant.id });
      return {
        invocations: rows.reduce((sum, row) => sum + row.invocations, 0),
        executions: rows.reduce((sum, row) => sum + row.executions, 0),
      };
    },
    close: async () => {
      for (const engine of engines) await engine.close(100);
      containers.close();
      await messages.close();
      container.kill();
      await folder.remove();
    },
  };
}

async function stepsRegistry(db: Database, tenant: Tenant): Promise<MessageRegistry> {
  const row = (await db
    .knex('package_versions')
    .select('descriptor_set')
    .where({ tenant_id: tenant.id })
    .first()) as { descriptor_set: Buffer };
  return createRegistry(new Uint8Array(row.descriptor_set));
}
