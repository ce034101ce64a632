import path from 'node:path';
import type { Logger } from 'pino';
import { limits } from '../specs/limits.ts';
import { createAdmission } from './access/gate/admission.ts';
import { createAuthenticator } from './access/gate/authenticate.ts';
import { createInvocationQuota } from './access/daily-quota.ts';
import { createGate } from './access/gate/gate.ts';
import { createRecheck } from './access/gate/recheck.ts';
import { createKeyUse } from './access/key-use.ts';
import { createOriginUnion } from './access/origins.ts';
import { createQuotaUse } from './access/quota-use.ts';
import { createRateLimits } from './access/rate-limits.ts';
import { createTokenBuckets } from './access/token-buckets.ts';
import { createDeploymentTokens } from './access/secrets/deployment-tokens.ts';
import { loadCurrentKey } from './access/secrets/new-key-file.ts';
import { placeOfKey } from './access/secrets/secret-key.ts';
import { hasOtherSealingKey } from './access/secrets/sealing-key.ts';
import { createResumeTokens } from './access/secrets/resume-tokens.ts';
import { createSecretStore } from './access/secrets/secret-store.ts';
import { createBuildPool } from './builds/build-pool.ts';
import { createBuildRunner } from './builds/build-runner.ts';
import type { LanguageFolders } from './languages/load-language.ts';
import { createArchiveStore } from './clients/archive-store.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { createGeneratedDocuments } from './documents/generated-documents.ts';
import { createCelCompiler } from './engine/cel/cel-compiler.ts';
import { Engine } from './engine/engine.ts';
import { EventHub } from './engine/events/event-hub.ts';
import { Feeds } from './engine/follow/feeds.ts';
import { createGraphMutations } from './engine/graph/mutation/graph-mutations.ts';
import { createGraphLoader } from './engine/graph/load/load-graph.ts';
import { createTypeRegistries } from './nodes/type-registries.ts';
import { apiKeyRoutes } from './http/routes/api-key-routes.ts';
import { clientRoutes } from './http/routes/client-routes.ts';
import { configRoutes } from './http/routes/config-routes.ts';
import { debugRoutes } from './http/routes/debug-routes.ts';
import { docsRoutes } from './http/routes/docs-routes.ts';
import { executionRoutes } from './http/routes/execution-routes.ts';
import { flowRoutes } from './http/routes/flow-routes.ts';
import { graphRoutes } from './http/routes/graph-routes.ts';
import { historyRoutes } from './http/routes/history-routes.ts';
import { instanceRoutes } from './http/routes/instance-routes.ts';
import { liveRoutes } from './http/routes/live-routes.ts';
import { loginRoutes } from './http/routes/login-routes.ts';
import { nodeRoutes } from './http/routes/node-routes.ts';
import { openApiRoutes } from './http/routes/openapi-routes.ts';
import { pauseRoutes } from './http/routes/pause-routes.ts';
import { packageRoutes } from './http/routes/package-routes.ts';
import { previewRoutes } from './http/routes/preview-routes.ts';
import { resumeLinkRoutes } from './http/routes/resume-link-routes.ts';
import { secretRoutes } from './http/routes/secret-routes.ts';
import { specRoutes } from './http/routes/spec-routes.ts';
import { streamRoutes } from './http/routes/stream-routes.ts';
import { systemRoutes } from './http/routes/system-routes.ts';
import { warmRoutes } from './http/routes/warm-routes.ts';
import type { MismatchMode } from './http/answer/contract-report.ts';
import type { Route } from './http/bind.ts';
import { createFollowedEvents } from './http/followed-events.ts';
import { addressOf, closeServer, lastAnswersMs, listen } from './http/listening.ts';
import { createMetricsServer } from './http/metrics-server.ts';
import { createHttpServer } from './http/server.ts';
import { createSockets } from './http/upgrade/sockets.ts';
import { createIds } from './ids.ts';
import { createProtoCompiler } from './messages/compile/proto-compiler.ts';
import { createMessageWorkers } from './messages/convert/message-workers.ts';
import { createMetrics } from './metrics.ts';
import { DirectCalls } from './nodes/call/direct-call.ts';
import { NodeCalls } from './nodes/call/node-calls.ts';
import { NodeTargets } from './nodes/call/target.ts';
import { containerCredentials } from './nodes/container/container-credentials.ts';
import { createContainerPool } from './nodes/container/container-pool.ts';
import { PublishedNodes } from './nodes/published-nodes.ts';
import { LiveSessions } from './nodes/live/live-sessions.ts';
import { SplitStreams } from './nodes/split/split-streams.ts';
import { createCheckServed } from './nodes/verify/check-served.ts';
import { loadPageAssets } from './pages/page-assets.ts';
import { createBlobStore } from './objects/blob-store.ts';
import { createDiskObjectStore } from './objects/disk-object-store.ts';
import { type Database, isPostgres } from './store/database.ts';
import { DatabaseClock } from './store/database-clock.ts';
import { ping } from './store/ping.ts';
import { createExecutionWriter } from './store/commit/execution-writer.ts';
import { createInvocationDraws } from './store/commit/invocation-draws.ts';
import { createReadiness } from './readiness.ts';
import { closeParts } from './shutdown.ts';
import { createSweeps } from './sweeps.ts';
import { createTracer } from './telemetry/create-tracer.ts';
import { FairQueue } from './work/fair-queue.ts';
import { createWarmDispatcher } from './warm/warm-dispatcher.ts';
import { createWarmPlans } from './warm/warm-plan.ts';
import { createWarmRate } from './warm/warm-rate.ts';

/** Options of `startApp`. */
export interface AppOptions {
  config: Config;
  /** Has the current schema. The caller closes it after `drain`. */
  db: Database;
  logger: Logger;
  /** Default: the clock of the database with PostgreSQL, otherwise that of the system. */
  clock?: Clock;
  /** Folders of the SDK languages. Tests replace them. */
  languages?: LanguageFolders;
  /** What happens to a response that does not match its operation. Default: it is reported and sent. */
  mismatches?: MismatchMode;
}

/** The running service. */
export interface App {
  routes: readonly Route[];
  /** Listening address, as `http://host:port`. */
  url: string;
  /** Address of the metrics, as `http://host:port/metrics`. */
  metricsUrl: string;
  /**
   * Stops accepting work, waits at most `graceMs` for running work, and closes everything but the database.
   *
   * @throws UncleanStopError once everything is closed, if something could not be stored
   */
  drain(graceMs?: number): Promise<void>;
}

/** The composition root: creates each part once, in the order of the layers. */
export async function startApp({
  config,
  db,
  logger,
  clock: ownClock,
  languages: folders = {},
  mismatches = 'report',
}: AppOptions): Promise<App> {
  let draining = false;
  const databaseClock =
    ownClock === undefined && isPostgres(db.knex)
      ? await DatabaseClock.start({ tx: db.knex, logger })
      : undefined;
  const clock = ownClock ?? databaseClock ?? systemClock;
  const ids = createIds(clock);
  const replicaId = ids.ulid();
  const metrics = createMetrics();
  const tracer = await createTracer(config, logger);
  const executions = createExecutionWriter(db);
  const draws = createInvocationDraws(db);
  const keyUse = createKeyUse({
    db,
    onError: (error) => logger.warn({ err: error }, 'cannot store the last use of API keys'),
  });
  const limiter = createTokenBuckets(clock);
  const rates = createRateLimits(limiter);
  const authenticate = createAuthenticator({
    db,
    clock,
    rates,
    keyUse,
    onError: (error) => logger.error({ err: error }, 'cannot read a key'),
  });
  const admit = createAdmission(rates);
  const origins = createOriginUnion(db, clock);
  const onQuotaError = (error: unknown): void => logger.error({ err: error }, 'cannot draw from a quota');
  const quota = createInvocationQuota(draws, clock, onQuotaError);
  const quotaUse = createQuotaUse({ db, clock, onError: onQuotaError });
  const work = new FairQueue({ clock, caps: { compile: limits.compilersAtOnce, document: 1 } });
  // A single queue for all work on the main thread: each queue leaves half of the thread's time to everything
  // else.
  const mainThreadQueue = new FairQueue({ clock, slots: 1, onMainThread: true });
  const messages = createMessageWorkers({ queue: work });
  const protos = createProtoCompiler({ queue: work });
  const archives = createArchiveStore(createDiskObjectStore(path.join(config.dataDir, 'archives')));
  const pool = createBuildPool({ folders });
  const builds = createBuildRunner({ db, clock, ids, archives, config, logger, metrics, folders, pool });
  const key = await loadCurrentKey(db.knex, config);
  if (await hasOtherSealingKey(db.knex, key)) {
    logger.error(
      `the stored secrets are encrypted with another key; restart the service with that key: ${placeOfKey(config)}`,
    );
  }
  const secrets = createSecretStore({ tx: db.knex, clock, key });
  const tokens = createDeploymentTokens(key, clock);
  const resumeTokens = createResumeTokens(key);
  const cel = createCelCompiler();
  const types = createTypeRegistries();
  const checkServed = createCheckServed({ db, logger, types });
  const containers = createContainerPool({
    allowedHosts: config.nodeHosts,
    tls: () => containerCredentials(config.nodeAuthorities),
    clock,
    checkServed,
  });
  const blobs = createBlobStore(createDiskObjectStore(path.join(config.dataDir, 'blobs')));
  const graphs = createGraphLoader({ db, types, cel });
  const mutations = createGraphMutations({ db, types, cel, secrets });
  const targets = new NodeTargets({ db, clock, tokens });
  const calls = new NodeCalls({ targets, containers, metrics, secrets });
  const hub = new EventHub();
  const engine = new Engine({
    db,
    events: hub,
    calls,
    messages,
    graphs,
    mutations,
    blobs,
    clock,
    ids,
    logger,
    metrics,
    tracer,
    replicaId,
  });
  const feeds = new Feeds({
    db,
    blobs,
    hub,
    clock,
    logger,
    announce: (session) => engine.announceFollowed(session),
    encode: createFollowedEvents({ db, blobs, graphs, mutations, messages }),
  });
  const sweeps = createSweeps({ db, clock, logger, blobs });
  const readiness = createReadiness({
    checks: {
      database: async () => {
        await ping(db, replicaId);
        await databaseClock?.compare();
      },
      archives: () => archives.check(),
      blobs: () => blobs.check(),
    },
    logger,
  });
  const published = new PublishedNodes(db, types);
  const directCalls = new DirectCalls({
    calls,
    published,
    messages,
    executions,
    admit: quota,
    clock,
    ids,
    tracer,
    logger,
    timeoutMs: limits.nodeCallMs,
    streamMs: limits.streamMs,
  });
  const streams = new SplitStreams({
    db,
    blobs,
    directCalls,
    executions,
    clock,
    ids,
    logger,
    replica: replicaId,
    heartbeatsAreReliable: () => engine.heartbeatsAreReliable,
    endSilence: () => engine.endSilence(),
  });
  const sessions = new LiveSessions({
    db,
    directCalls,
    ids,
    logger,
    metrics,
    replica: replicaId,
    heartbeatsAreReliable: () => engine.heartbeatsAreReliable,
  });

  const dispatcher = createWarmDispatcher({ targets, containers, clock, logger });

  // Stored, because a server that is closing still handles requests but no longer reports its address.
  let address = '';
  const baseUrl = (): string => config.publicUrl ?? address;
  const assets = await loadPageAssets();
  const site = () => ({ assets, prefix: new URL(baseUrl()).pathname.replace(/\/$/, '') });
  const documents = createGeneratedDocuments({
    db,
    types,
    queue: work,
    baseUrl,
    goModulePrefix: config.goModulePrefix,
    folders,
  });

  const deciding = { db, engine, graphs, mutations, messages, secrets, admit: quota, clock, ids };
  const served = [
    ...systemRoutes({
      readiness: () => ({ process: draining ? 'draining' : 'ok', ...readiness.results() }),
    }),
    ...packageRoutes({ db, clock, ids, protos, nodeHosts: config.nodeHosts, containers, tokens, targets }),
    ...instanceRoutes({ db, clock, ids }),
    ...nodeRoutes({ directCalls, quotaUse }),
    ...streamRoutes({ streams, quotaUse, baseUrl }),
    ...liveRoutes({ sessions, quotaUse, clock, stallMs: limits.liveStallMs }),
    ...graphRoutes({ expressions: mainThreadQueue, db, clock, types, cel, secrets, targets }),
    ...previewRoutes({ expressions: mainThreadQueue, db, types, cel }),
    ...configRoutes({ db, clock }),
    ...flowRoutes({ db, engine, messages, quotaUse }),
    ...pauseRoutes({
      ...deciding,
      resumeUrl: (pause) => `${baseUrl()}/invocations/v1/hooks/resume/${resumeTokens.sign(pause)}`,
    }),
    ...resumeLinkRoutes({ ...deciding, tokens: resumeTokens, site }),
    ...warmRoutes({
      db,
      plans: createWarmPlans(db),
      dispatcher,
      rate: createWarmRate(limiter),
      admit: quota,
      quotaUse,
      maxPackages: config.warmPackages,
    }),
    ...executionRoutes({ db, clock }),
    ...historyRoutes({ db, clock, blobs, graphs, mutations, messages, published }),
    ...debugRoutes({ db, clock, feeds }),
    ...apiKeyRoutes({ db, clock, ids }),
    ...loginRoutes({ db, clock, ids, rates }),
    ...secretRoutes({ db, clock }),
    ...clientRoutes({ db, clock, ids, builds, archives, folders, plan: pool.plan }),
    ...specRoutes(documents),
    ...docsRoutes({ db, assets, site }),
  ];
  const routes = [...served, ...openApiRoutes({ routes: served, baseUrl })];
  const sockets = createSockets({ pingMs: limits.socketPingMs });
  const server = createHttpServer({
    routes,
    sockets,
    recheck: createRecheck(authenticate),
    logger,
    metrics,
    gate: createGate({ authenticate, admit, origins, draining: () => draining }),
    origins,
    draining: () => draining,
    mainThreadQueue,
    admitKeyless: (address) => rates.admitKeyless(address),
    connections: {
      ...config.connections,
      pipelined: limits.pipelinedRequests,
      headMs: limits.requestHeadMs,
      bodyRate: limits.bodyRate,
      unreadMs: limits.unreadAnswerMs,
      unreadResponses: limits.unreadResponses,
      arrivingBodies: limits.arrivingBodies,
      idleMs: limits.idleConnectionMs,
      heartbeatMs: limits.streamHeartbeatMs,
      keyCheckMs: limits.socketKeyCheckMs,
    },
    mismatches,
  });
  const metricsServer = createMetricsServer({ metrics, logger });
  const close = (graceMs: number): Promise<void> => {
    const endWaits = (): void => {
      engine.endWaits();
      directCalls.endCalls();
      streams.endReads();
    };
    return closeParts(
      [
        // Builds get the same grace period as requests. Another worker repeats those that do not finish.
        [
          'requests and builds',
          async () => {
            const built = builds.close(graceMs);
            await Promise.allSettled([built, closeServer(server, { sockets, graceMs, endWaits })]);
            await built;
          },
        ],
        ['threads of builds', () => pool.close()],
        ['node calls', () => directCalls.close(lastAnswersMs)],
        ['split streams', () => streams.close()],
        ['live sessions', () => sessions.close()],
        ['readiness', () => readiness.close()],
        ['runs', () => engine.close(graceMs)],
        ['sweeps', () => sweeps.close()],
        ['queue of work', () => work.close()],
        ['queue of the main thread', () => mainThreadQueue.close()],
        ['conversion of messages', () => messages.close()],
        ['compiler of protos', () => protos.close()],
        ['documents', () => documents.close()],
        ['warm calls', () => dispatcher.close()],
        ['containers', () => containers.close()],
        ['records of executions', () => executions.close()],
        ['quotas', () => draws.close()],
        ['last use of keys', () => keyUse.close()],
        ['traces', () => tracer?.close(graceMs)],
        [
          'metrics',
          () => {
            metricsServer.close();
            metricsServer.closeAllConnections();
          },
        ],
      ],
      logger,
    );
  };
  try {
    await engine.start();
    await streams.start();
    await sessions.start();
    await readiness.start();
    await builds.start();
    await listen(metricsServer, { ...config.metrics, variables: 'SVC_METRICS' });
    await listen(server, { host: config.host, port: config.port, variables: 'SVC' });
    address = addressOf(server, config.host);
  } catch (error) {
    // Only the error that prevented the start is reported.
    await close(0).catch(() => undefined);
    throw error;
  }
  sweeps.start();

  return {
    routes,
    url: address,
    metricsUrl: `${addressOf(metricsServer, config.metrics.host)}/metrics`,
    drain: async (graceMs = 10_000) => {
      draining = true;
      await close(graceMs);
    },
  };
}
