import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import { apiDocument } from '../../specs/openapi/api-document.ts';
import type { Operation, Scope } from '../../specs/operations/operation.ts';
import { createApiKey } from '../../service/access/create-api-key.ts';
import { type App, type AppOptions, startApp } from '../../service/app.ts';
import { systemClock } from '../../service/clock.ts';
import { type Config, loadConfig } from '../../service/config.ts';
import { createIds } from '../../service/ids.ts';
import type { Database } from '../../service/store/database.ts';
import { migrateDatabase } from '../../service/store/migrate.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { insertTenant, type Tenant } from '../../service/store/tenants.ts';
import { apiContract, type CheckExchange } from './api-contract.ts';
import { migratedPostgresOptions, migratedSqliteOptions, sqliteOptions } from './databases.ts';
import { type ErrorEnvelope, errorEnvelope, withoutEnvelope } from './error-envelope.ts';
import { suiteNeeds } from './toolchains.ts';

/** An HTTP response. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise the text. Errors are without their common fields. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests look at what arrives
  /** The common fields of a JSON error. */
  envelope?: ErrorEnvelope;
}

export interface Caller {
  tenant: Tenant;
  key: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export interface RunningService {
  url: string;
  app: App;
  db: Database;
  config: Config;
  /** Creates a tenant with a key, by default without rate limits and quotas. */
  tenant(handle: string, options?: { scopes?: Scope[]; limits?: Tenant['limits'] }): Promise<Caller>;
  /** Returns a caller for the same tenant with another key. */
  withKey(tenant: Tenant, key: string): Caller;
  stop(): Promise<void>;
}

const unlimited = {
  rps: 1e6,
  burst: 1e6,
  invocationRps: 1e6,
  invocationBurst: 1e6,
  dailyInvocations: 1e6,
  dailyExecutions: 1e6,
};
const everyScope: Scope[] = ['read', 'write', 'invoke'];
const ids = createIds(systemClock);

/**
 * Contract checks by operations. Most services of a process share one, because compiling a document takes half a
 * second.
 */
const checks: { operations: readonly Operation[]; check: CheckExchange }[] = [];

/** Contract checks by the origin of a running service, created at its first response. */
const contracts = new Map<string, () => CheckExchange>();

/** Parts of the service that a test can replace. */
type OwnParts = Partial<Pick<AppOptions, 'languages' | 'clock' | 'mismatches' | 'logger'>>;

/** Declares a black-box suite twice: against a service on SQLite, and on a real PostgreSQL. */
export function eachService(
  title: string,
  suite: (
    start: (parts?: OwnParts, env?: Record<string, string>) => Promise<RunningService>,
    /** Like `describe`, on SQLite only, for tests that do not depend on the database. */
    describeOnce: (title: string, suite: () => void) => void,
  ) => void,
): void {
  describe(`${title}, on SQLite`, () => suite((parts, env = {}) => startService(env, parts), describe));
  suiteNeeds('postgres', `${title}, on PostgreSQL`, function () {
    // The first suite of the process waits for the server to start.
    this.timeout(180_000);
    suite(
      async (parts, env = {}) => {
        const { url } = await migratedPostgresOptions();
        return startService({ ...env, SVC_DATABASE_URL: url ?? '' }, parts);
      },
      () => undefined,
    );
  });
}

/** Starts the entire service in this process, on a free loopback port, with a new data folder unless `env` has one. */
export async function startService(
  env: Record<string, string> = {},
  parts: OwnParts = {},
): Promise<RunningService> {
  const makeFolder = env.SVC_DATABASE_URL === undefined ? migratedSqliteOptions : sqliteOptions;
  const dataDir = env.SVC_DATA_DIR ?? (await makeFolder()).dataDir;
  const config = loadConfig({ SVC_PORT: '0', SVC_DATA_DIR: dataDir, SVC_SYNC: 'off', ...env });
  const db = await openDatabase({ url: config.databaseUrl, dataDir, sync: config.sync });
  await migrateDatabase(db);
  const logger = pino({ level: process.env.SVC_LOG_LEVEL ?? 'silent' });
  const app = await startApp({ config, db, logger, mismatches: 'reject', ...parts });
  contracts.set(app.url, () => contractOf(app));
  const withKey = (tenant: Tenant, key: string): Caller => callerOf(app.url, tenant, key);
  return {
    url: app.url,
    app,
    db,
    config,
    withKey,
    tenant: async (handle, { scopes = everyScope, limits = unlimited } = {}) => {
      const tenant: Tenant = { id: ids.ulid(), handle, status: 'active', limits, createdAt: Date.now() };
      await insertTenant(db.knex, tenant);
      const made = await createApiKey(
        db.knex,
        { ids, clock: systemClock },
        { tenantId: tenant.id, name: 'test', kind: 'full', scopes },
      );
      return withKey(tenant, made.secret);
    },
    stop: async () => {
      contracts.delete(app.url);
      await app.drain(1000);
      await db.close();
      if (env.SVC_DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function callerOf(url: string, tenant: Tenant, key: string): Caller {
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    request(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    tenant,
    key,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  };
}

/** Sends one request without adding a key. Responses of a running service are checked against its OpenAPI document. */
export async function request(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  const { origin, pathname } = new URL(url);
  const check = contracts.get(origin)?.();
  check?.({ method: init?.method ?? 'GET', path: pathname, status: response.status, contentType, text });
  const json = contentType?.includes('json') ?? false;
  const { status, headers } = response;
  if (!json) return { status, headers, body: text };
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status < 400) return { status, headers, body };
  return { status, headers, body: withoutEnvelope(body), envelope: errorEnvelope(headers, body) };
}

function contractOf({ url, routes }: App): CheckExchange {
  const operations = routes.map(({ operation }) => operation);
  const known = checks.find(
    (each) =>
      each.operations.length === operations.length &&
      each.operations.every((operation, index) => operation === operations[index]),
  );
  if (known) return known.check;
  const check = apiContract(apiDocument({ operations, baseUrl: url, version: '0.0.0' }));
  checks.push({ operations, check });
  return check;
}
