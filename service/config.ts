import { z } from 'zod';
import { limits } from '../specs/limits.ts';
import { type NodeHost, readNodeHost } from './node-hosts.ts';

/** The service's configuration. Its only source is the environment; docs/operating.md lists the variables. */
export interface Config {
  /** Address to listen on. Port 0 selects a free port. */
  host: string;
  port: number;
  /** Where the metrics are served, apart from the API. Port 0 selects a free port. */
  metrics: { host: string; port: number };
  /** Maximum number of open connections, in total and of one address. */
  connections: { total: number; perAddress: number };
  /** `{base_url}` of generated documents and SDKs, without a trailing slash. `null` derives it from the listen address. */
  publicUrl: string | null;
  /** Folder of the SQLite database, archives and large messages. */
  dataDir: string;
  /** `postgres://...`, or `null` for SQLite in the data folder. */
  databaseUrl: string | null;
  /** SQLite's `synchronous` setting. */
  sync: 'full' | 'normal' | 'off';
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Where node containers may run. Packages with an endpoint elsewhere are rejected. */
  nodeHosts: NodeHost[];
  /** PEM file with the authorities that sign the certificates of `grpcs` containers. `null`: those of the system. */
  nodeCaFile: string | null;
  /** Maximum number of packages that one warm-up request reaches. 0 turns warm-up off. */
  warmPackages: number;
  /** Prefix of the Go modules of SDKs: `<prefix>/<handle>/<slug>`. */
  goModulePrefix: string;
  /** Key that encrypts tenants' secrets, 32 bytes as hex. `null` generates one in the data folder. */
  secretKey: string | null;
  /** OTLP/HTTP endpoint for spans, or `null` to turn tracing off. The library reads the other standard variables itself. */
  tracesUrl: string | null;
}

/** Lists every invalid variable in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const isUrl =
  (...protocols: string[]) =>
  (text: string): boolean =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol);

const collectorUrl = 'must be an http or https URL, such as http://127.0.0.1:4318';
const spansProtocol = 'must be http/protobuf, the only supported protocol';

const nodeHostsForm = (problems: readonly string[]): string =>
  `must be a comma-separated list such as localhost,10.0.0.7:9001-9010,acme=nodes.internal:7001: ${problems.join('; ')}`;

/** A planned variable. Setting it is an error, because nothing reads it. */
const unsupported = (instead: string) =>
  z.undefined(`must be unset, because it is not supported yet: ${instead}`).optional();

const hostText = z
  .string()
  .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an address, such as 127.0.0.1');

const portText = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port from 0 to 65535');

const connectionCount = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'must be a number of connections from 1 to 9999999');

export const defaultDataDir = './data';

/** Used by Prometheus exporters of OpenTelemetry. */
const metricsPort = 9_464;

const variables = z.object({
  SVC_HOST: hostText.default('127.0.0.1'),
  SVC_PORT: portText.default('8080'),
  SVC_METRICS_HOST: hostText.default('127.0.0.1'),
  SVC_METRICS_PORT: portText.optional(),
  SVC_MAX_CONNECTIONS: connectionCount.default(String(limits.connections.total)),
  SVC_MAX_CONNECTIONS_PER_ADDRESS: connectionCount.default(String(limits.connections.perAddress)),
  SVC_PUBLIC_URL: z
    .string()
    .refine(isUrl('http:', 'https:'), 'must be an http or https URL, such as https://svc.example.com')
    .refine((text) => !/[?#]/.test(text), 'must be a URL without query and fragment')
    .optional(),
  SVC_DATA_DIR: z.string().default(defaultDataDir),
  SVC_DATABASE_URL: z
    .string()
    .refine(isUrl('postgres:', 'postgresql:'), 'must be postgres://user:password@host:port/database')
    .optional(),
  SVC_SYNC: z.enum(['full', 'normal', 'off'], 'must be full, normal or off').default('full'),
  SVC_LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  SVC_NODE_HOSTS: z
    .string()
    .default('localhost,127.0.0.1,::1')
    .transform((text, context) => {
      const entries = text.split(',').map((entry) => ({ entry, read: readNodeHost(entry) }));
      const problems = entries.flatMap(({ entry, read }) =>
        'problem' in read ? [`the entry ${JSON.stringify(entry.trim())} ${read.problem}`] : [],
      );
      if (problems.length > 0) context.addIssue({ code: 'custom', message: nodeHostsForm(problems) });
      return entries.flatMap(({ read }) => ('problem' in read ? [] : [read]));
    }),
  SVC_NODE_CA_FILE: z.string().optional(),
  SVC_WARM_PACKAGES: z
    .string()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= 10_000,
      'must be a number of packages from 0 to 10000',
    )
    .default(String(limits.warmPackages)),
  SVC_GO_MODULE_PREFIX: z
    .string()
    .regex(
      /^[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z0-9]+(?:\/[A-Za-z0-9._~-]+)*$/,
      'must be a Go module path that starts with a domain, such as go.example.com/sdk',
    )
    .default('go.svc.internal'),
  SVC_SECRET_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex characters, such as the output of openssl rand -hex 32')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().refine(isUrl('http:', 'https:'), collectorUrl).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().refine(isUrl('http:', 'https:'), collectorUrl).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf', spansProtocol).optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal('http/protobuf', spansProtocol).optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  SVC_BLOB_URL: unsupported('large messages and archives are stored in SVC_DATA_DIR'),
  SVC_S3_ENDPOINT: unsupported('large messages and archives are stored in SVC_DATA_DIR'),
  SVC_REDIS_URL: unsupported('replicas share only the PostgreSQL database of SVC_DATABASE_URL'),
});

/**
 * Reads the configuration from `env`. An empty variable counts as absent.
 * @throws ConfigError listing every invalid variable
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data, error } = variables.safeParse(given);
  if (error) {
    throw new ConfigError(error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  }
  const port = Number(data.SVC_PORT);
  // A service on any free port leaves the fixed port of the metrics to others too.
  const defaultMetricsPort = port === 0 ? 0 : metricsPort;
  return {
    host: data.SVC_HOST,
    port,
    metrics: { host: data.SVC_METRICS_HOST, port: Number(data.SVC_METRICS_PORT ?? defaultMetricsPort) },
    connections: {
      total: Number(data.SVC_MAX_CONNECTIONS),
      perAddress: Number(data.SVC_MAX_CONNECTIONS_PER_ADDRESS),
    },
    publicUrl: data.SVC_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir: data.SVC_DATA_DIR,
    databaseUrl: data.SVC_DATABASE_URL ?? null,
    sync: data.SVC_SYNC,
    logLevel: data.SVC_LOG_LEVEL,
    nodeHosts: data.SVC_NODE_HOSTS,
    nodeCaFile: data.SVC_NODE_CA_FILE ?? null,
    warmPackages: Number(data.SVC_WARM_PACKAGES),
    goModulePrefix: data.SVC_GO_MODULE_PREFIX,
    secretKey: data.SVC_SECRET_KEY ?? null,
    tracesUrl: tracesUrl(data),
  };
}

/** Follows OpenTelemetry: the traces endpoint as it is, or the general endpoint with the path for traces. */
function tracesUrl(data: z.infer<typeof variables>): string | null {
  if (data.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || data.OTEL_TRACES_EXPORTER === 'none') return null;
  if (data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined) return data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = data.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`;
}
