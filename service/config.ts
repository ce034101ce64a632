import { limits } from '../specs/limits.ts';
import { readNodeAuthorities } from './node-authorities.ts';
import { type NodeHost, readNodeHost } from './node-hosts.ts';

export const defaultDataDir = './data';

const syncSettings = ['full', 'normal', 'off'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The port of OpenTelemetry's Prometheus exporters. */
const metricsPort = 9_464;

/** The service's configuration. Its only source is the environment, with a file that it names; docs/operating.md lists the variables. */
export interface Config {
  /** Address to listen on. Port 0 selects a free port. */
  host: string;
  port: number;
  /** Where the metrics are served, apart from the API. Port 0 selects a free port. */
  metrics: { host: string; port: number };
  /** Maximum number of open connections, in total and per address. */
  connections: { total: number; perAddress: number };
  /** `{base_url}` of generated documents and SDKs, without a trailing slash. `null` derives it from the listen address. */
  publicUrl: string | null;
  /** Folder of the SQLite database, archives and large messages. */
  dataDir: string;
  /** `postgres://...`, or `null` for SQLite in the data folder. */
  databaseUrl: string | null;
  /** SQLite's `synchronous` setting. */
  sync: (typeof syncSettings)[number];
  logLevel: (typeof logLevels)[number];
  /** Where node containers may run. Packages with an endpoint elsewhere are rejected. */
  nodeHosts: NodeHost[];
  /** PEM of the authorities that sign the certificates of `grpcs` containers. `null`: those of the system. */
  nodeAuthorities: string | null;
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

/** Returns what a variable must be if `text` is invalid. */
type Check = (text: string) => string | undefined;

const check =
  (isValid: (text: string) => boolean, requirement: string): Check =>
  (text) =>
    isValid(text) ? undefined : requirement;

const matches = (pattern: RegExp, requirement: string): Check =>
  check((text) => pattern.test(text), requirement);

/** A number in plain decimal digits. */
const upTo = (max: number, requirement: string): Check =>
  check((text) => /^\d{1,5}$/.test(text) && Number(text) <= max, requirement);

const oneOf = (...values: readonly string[]): Check =>
  check((text) => values.includes(text), `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);

const isUrl = (text: string, ...protocols: string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

const hasHost = ({ hostname, searchParams }: URL): boolean =>
  hostname !== '' || (searchParams.get('host') ?? '') !== '';

const host = matches(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an address, such as 127.0.0.1');
const port = upTo(65_535, 'must be a port from 0 to 65535');
const connections = matches(/^[1-9]\d{0,6}$/, 'must be a number of connections from 1 to 9999999');
const collector = check(
  (text) => isUrl(text, 'http:', 'https:'),
  'must be an http or https URL, such as http://127.0.0.1:4318',
);
const spansProtocol = check(
  (text) => text === 'http/protobuf',
  'must be http/protobuf, the only supported protocol',
);

/** Rejects a planned variable: setting it is an error, because nothing reads it. */
const unsupported = (instead: string): Check =>
  check(() => false, `must be unset, because it is not supported yet: ${instead}`);

/**
 * Every variable, in the order in which problems are reported. A schema library would save a few of these lines, but loading it
 * took a fifth of the time of a command such as `svc tenant list`.
 */
const variables = {
  SVC_HOST: host,
  SVC_PORT: port,
  SVC_METRICS_HOST: host,
  SVC_METRICS_PORT: port,
  SVC_MAX_CONNECTIONS: connections,
  SVC_MAX_CONNECTIONS_PER_ADDRESS: connections,
  SVC_PUBLIC_URL: check(
    (text) => isUrl(text, 'http:', 'https:') && !/[?#@]/.test(text),
    'must be an http or https URL without user, query and fragment, such as https://svc.example.com',
  ),
  // The SQLite driver would trim the path and use another folder.
  SVC_DATA_DIR: check((text) => text === text.trim(), 'must not begin or end with a blank'),
  // Without a host, the driver would connect to this machine. The directory of a Unix socket is given as a
  // parameter.
  SVC_DATABASE_URL: check(
    (text) => isUrl(text, 'postgres:', 'postgresql:') && hasHost(new URL(text)),
    'must be postgres://user:password@host:port/database',
  ),
  SVC_SYNC: oneOf(...syncSettings),
  SVC_LOG_LEVEL: oneOf(...logLevels),
  SVC_NODE_HOSTS: (text) => {
    const problems = readNodeHosts(text).flatMap(({ entry, read }) =>
      'problem' in read ? [`the entry ${JSON.stringify(entry.trim())} ${read.problem}`] : [],
    );
    if (problems.length === 0) return undefined;
    return (
      'must be a comma-separated list such as localhost,10.0.0.7:9001-9010,acme=nodes.internal:7001: ' +
      problems.join('; ')
    );
  },
  SVC_NODE_CA_FILE: (file) => {
    const read = readNodeAuthorities(file);
    return 'problem' in read ? `must be a PEM file with certificates: ${file} ${read.problem}` : undefined;
  },
  SVC_WARM_PACKAGES: upTo(10_000, 'must be a number of packages from 0 to 10000'),
  SVC_GO_MODULE_PREFIX: matches(
    /^[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z0-9]+(?:\/[A-Za-z0-9._~-]+)*$/,
    'must be a Go module path that starts with a domain, such as go.example.com/sdk',
  ),
  SVC_SECRET_KEY: matches(
    /^[0-9a-fA-F]{64}$/,
    'must be 64 hex characters, such as the output of openssl rand -hex 32',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_PROTOCOL: spansProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: spansProtocol,
  OTEL_TRACES_EXPORTER: oneOf('otlp', 'none'),
  OTEL_SDK_DISABLED: matches(/^(?:true|false)$/i, 'must be true or false'),
  SVC_BLOB_URL: unsupported('large messages and archives are stored in SVC_DATA_DIR'),
  SVC_S3_ENDPOINT: unsupported('large messages and archives are stored in SVC_DATA_DIR'),
  SVC_REDIS_URL: unsupported('replicas share only the PostgreSQL database of SVC_DATABASE_URL'),
} satisfies Record<string, Check>;

export const serviceVariables: readonly string[] = Object.keys(variables);

type Given = Partial<Readonly<Record<keyof typeof variables, string>>>;

/**
 * Reads the configuration from `env`, and the file that it names. An empty variable counts as absent.
 * @throws ConfigError listing every invalid variable
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given: Given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const problems = Object.entries(variables).flatMap(([name, problemOf]: [string, Check]) => {
    const problem = env[name] ? problemOf(env[name]) : undefined;
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  const servicePort = Number(given.SVC_PORT ?? 8_080);
  // With any free port for the service, the fixed metrics port is left to other processes.
  const defaultMetricsPort = servicePort === 0 ? 0 : metricsPort;
  return {
    host: given.SVC_HOST ?? '127.0.0.1',
    port: servicePort,
    metrics: {
      host: given.SVC_METRICS_HOST ?? '127.0.0.1',
      port: Number(given.SVC_METRICS_PORT ?? defaultMetricsPort),
    },
    connections: {
      total: Number(given.SVC_MAX_CONNECTIONS ?? limits.connections.total),
      perAddress: Number(given.SVC_MAX_CONNECTIONS_PER_ADDRESS ?? limits.connections.perAddress),
    },
    publicUrl: given.SVC_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir: given.SVC_DATA_DIR ?? defaultDataDir,
    databaseUrl: given.SVC_DATABASE_URL ?? null,
    sync: syncSettings.find((each) => each === given.SVC_SYNC) ?? 'full',
    logLevel: logLevels.find((each) => each === given.SVC_LOG_LEVEL) ?? 'info',
    nodeHosts: readNodeHosts(given.SVC_NODE_HOSTS ?? 'localhost,127.0.0.1,::1').flatMap(({ read }) =>
      'problem' in read ? [] : [read],
    ),
    nodeAuthorities: authoritiesIn(given.SVC_NODE_CA_FILE),
    warmPackages: Number(given.SVC_WARM_PACKAGES ?? limits.warmPackages),
    goModulePrefix: given.SVC_GO_MODULE_PREFIX ?? 'go.svc.internal',
    secretKey: given.SVC_SECRET_KEY ?? null,
    tracesUrl: tracesUrl(given),
  };
}

function authoritiesIn(file: string | undefined): string | null {
  const read = file === undefined ? undefined : readNodeAuthorities(file);
  return read && 'pem' in read ? read.pem : null;
}

function readNodeHosts(text: string): { entry: string; read: NodeHost | { problem: string } }[] {
  return text.split(',').map((entry) => ({ entry, read: readNodeHost(entry) }));
}

/** Follows OpenTelemetry: the traces endpoint unchanged, or the general endpoint with the path for traces. */
function tracesUrl(given: Given): string | null {
  if (given.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || given.OTEL_TRACES_EXPORTER === 'none') return null;
  if (given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined) return given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = given.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`;
}
