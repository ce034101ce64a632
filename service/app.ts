import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { limits } from '../specs/limits.ts';
import { createAdmission } from './access/admission.ts';
import { createAuthenticator } from './access/authenticate.ts';
import { createInvocationQuota } from './access/daily-quota.ts';
import { createKeyUse } from './access/key-use.ts';
import { createOriginUnion } from './access/origins.ts';
import { createRateLimits } from './access/rate-limits.ts';
import { loadSecretKey } from './access/secrets/secret-key.ts';
import { createSecretStore } from './access/secrets/secret-store.ts';
import { createArchiveStore } from './builds/archive-store.ts';
import { createBuildRunner } from './builds/build-runner.ts';
import type { LanguageFolders } from './builds/load-language.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { createGeneratedDocuments } from './documents/generated-documents.ts';
import { createCelCompiler } from './engine/cel/cel-compiler.ts';
import { createEngine } from './engine/engine.ts';
import { createGraphGrowth } from './engine/graph/graph-growth.ts';
import { createGraphLoader } from './engine/graph/load-graph.ts';
import { createVersionTypes } from './engine/graph/version-types.ts';
import { apiKeyRoutes } from './http/routes/api-key-routes.ts';
import { clientRoutes } from './http/routes/client-routes.ts';
import { configRoutes } from './http/routes/config-routes.ts';
import { docsRoutes } from './http/routes/docs-routes.ts';
import { executionRoutes } from './http/routes/execution-routes.ts';
import { flowRoutes } from './http/routes/flow-routes.ts';
import { graphRoutes } from './http/routes/graph-routes.ts';
import { historyRoutes } from './http/routes/history-routes.ts';
import { instanceRoutes } from './http/routes/instance-routes.ts';
import { nodeRoutes } from './http/routes/node-routes.ts';
import { openApiRoutes } from './http/routes/openapi-routes.ts';
import { packageRoutes } from './http/routes/package-routes.ts';
import { previewRoutes } from './http/routes/preview-routes.ts';
import { secretRoutes } from './http/routes/secret-routes.ts';
import { specRoutes } from './http/routes/spec-routes.ts';
import { systemRoutes } from './http/routes/system-routes.ts';
import { warmRoutes } from './http/routes/warm-routes.ts';
import type { Route } from './http/bind.ts';
import { createHttpServer } from './http/server.ts';
import { createIds, type Ids } from './ids.ts';
import { createMessageWorkers } from './messages/message-workers.ts';
import { createMetrics } from './metrics.ts';
import { createNodeCaller } from './nodes/call-node.ts';
import { createContainerPool } from './nodes/container/container-pool.ts';
import { createNodeResolver } from './nodes/resolve-node.ts';
import { loadPageAssets } from './pages/page-assets.ts';
import { createBlobStore } from './store/blob-store.ts';
import type { Database } from './store/database.ts';
import { ping } from './store/ping.ts';
import { createExecutionWriter } from './store/hot/execution-writer.ts';
import { createInvocationDraws } from './store/hot/invocation-draws.ts';
import { createSweeps } from './sweeps.ts';
import { createTracer } from './telemetry/create-tracer.ts';
import { createWarmDispatcher } from './warm/warm-dispatcher.ts';
import { createWarmPlans } from './warm/warm-plan.ts';
import { createWarmRate } from './warm/warm-rate.ts';

export interface AppOptions {
  config: Config;
  db: Database;
  logger: Logger;
  clock?: Clock;
  ids?: Ids;
  /** Where SDK languages are loaded from: the project's own folders unless a test says otherwise. */
  languages?: LanguageFolders;
}

/** The program, wired and listening. */
export interface App {
  routes: readonly Route[];
  /** `http://host:port` as it listens. */
  url: string;
  /** Takes no new work, lets what runs finish for at most `graceMs`, and closes everything but the database. */
  drain(graceMs?: number): Promise<void>;
}

/** The composition root: every part is made here, once, in the order of the layers (DESIGN.md 1). */
export async function startApp({
  config,
  db,
  logger,
  clock = systemClock,
  ids = createIds(clock),
  languages: folders = {},
}: AppOptions): Promise<App> {
  let draining = false;
  const metrics = createMetrics();
  const tracer = await createTracer(config, logger);
  const executions = createExecutionWriter(db);
  const draws = createInvocationDraws(db);
  const keyUse = createKeyUse({
    db,
    onError: (error) => logger.warn({ err: error }, 'last use of keys was not stored'),
  });
  const rates = createRateLimits(clock);
  const authenticate = createAuthenticator({ db, clock, rates, keyUse });
  const admit = createAdmission(rates);
  const origins = createOriginUnion(db, clock);
  const quota = createInvocationQuota(draws, clock, (error) =>
    logger.error({ err: error }, 'a quota was not drawn'),
  );
  const messages = createMessageWorkers();
  const containers = createContainerPool({ allowedHosts: config.nodeHosts, clock });
  const archives = createArchiveStore(config.dataDir);
  const builds = createBuildRunner({ db, clock, ids, archives, config, logger, metrics, folders });
  const secrets = createSecretStore({ tx: db.knex, clock, key: await loadSecretKey(config) });
  const cel = createCelCompiler();
  const types = createVersionTypes();
  const blobs = createBlobStore(config.dataDir);
  const graphs = createGraphLoader({ db, types, cel });
  const growth = createGraphGrowth({ db, types, cel, secrets });
  const engine = createEngine({
    db,
    containers,
    graphs,
    growth,
    secrets,
    blobs,
    clock,
    ids,
    metrics,
    logger,
    tracer,
  });
  const sweeps = createSweeps({ db, clock, logger, blobs });
  const resolver = createNodeResolver(db);
  const callNode = createNodeCaller({
    containers,
    executions,
    admit: quota,
    clock,
    ids,
    metrics,
    secrets,
    tracer,
    timeoutMs: limits.nodeCallMs,
  });

  const dispatcher = createWarmDispatcher({ db, containers, clock, logger });

  const baseUrl = (): string => config.publicUrl ?? addressOf(server, config.host);
  const assets = await loadPageAssets();
  const documents = createGeneratedDocuments({
    db,
    types,
    baseUrl,
    goModulePrefix: config.goModulePrefix,
    folders,
  });

  const served = [
    ...systemRoutes({
      metrics,
      readiness: {
        process: () => (draining ? Promise.reject(new Error('draining')) : Promise.resolve()),
        database: () => ping(db),
        archives: () => archives.check(),
        blobs: () => blobs.check(),
      },
    }),
    ...packageRoutes({ db, clock, ids, nodeHosts: config.nodeHosts }),
    ...instanceRoutes({ db, clock, ids }),
    ...nodeRoutes({ resolver, callNode, messages }),
    ...graphRoutes({ db, clock, types, cel, secrets }),
    ...previewRoutes({ db, types, cel }),
    ...configRoutes({ db, clock }),
    ...flowRoutes({ db, engine, graphs, messages }),
    ...warmRoutes({
      db,
      plans: createWarmPlans(db),
      dispatcher,
      rate: createWarmRate(clock),
      admit: quota,
      maxPackages: config.warmPackages,
    }),
    ...executionRoutes({ db }),
    ...historyRoutes({ db, clock, blobs, graphs, growth, messages }),
    ...apiKeyRoutes({ db, clock, ids }),
    ...secretRoutes({ db, clock }),
    ...clientRoutes({ db, clock, ids, builds, archives, folders }),
    ...specRoutes(documents),
    ...docsRoutes({ db, assets, baseUrl }),
  ];
  const routes = [...served, ...openApiRoutes({ routes: served, baseUrl })];
  const server = createHttpServer({
    routes,
    logger,
    metrics,
    gate: { authenticate, admit, origins, draining: () => draining, checkAnswers: !config.production },
  });
  await engine.start();
  try {
    await listen(server, config.host, config.port);
  } catch (error) {
    await engine.close();
    throw error;
  }
  await builds.start();
  sweeps.start();

  return {
    routes,
    url: addressOf(server, config.host),
    drain: async (graceMs = 10_000) => {
      draining = true;
      await closeServer(server, graceMs, () => engine.endWaits());
      await engine.close(graceMs);
      await sweeps.close();
      await builds.close();
      await messages.close();
      await documents.close();
      await dispatcher.close();
      containers.close();
      await executions.close();
      await draws.close();
      await keyUse.close();
      await tracer?.close(graceMs);
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** How long what waits has to be answered that it waits in vain, milliseconds. */
const lastAnswersMs = 1_000;

/**
 * Stops accepting, and answers what is being answered. After `graceMs` `endWaits` is to have the answers made of what waits for
 * something else; then the rest is let go.
 */
async function closeServer(server: Server, graceMs: number, endWaits: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  let timer = setTimeout(() => {
    endWaits();
    timer = setTimeout(() => server.closeAllConnections(), lastAnswersMs);
  }, graceMs);
  await closed;
  clearTimeout(timer);
}
