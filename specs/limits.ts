/**
 * The limits of SPEC.md ("Limits") in one place: operations document them, the service enforces them. Sizes in bytes, times in
 * milliseconds unless the name says otherwise.
 */
export const limits = {
  /** Tenant rate over all routes: requests a second and burst. */
  tenantRate: { rps: 100, burst: 200 },
  /** Additional tenant rate under `/invocations/`. */
  invocationRate: { rps: 5, burst: 10 },
  appKeyRate: { rps: 5, burst: 10 },
  /** Requests without a key from one address, which may be a proxy for many readers: pages and documents of what is public. */
  keylessRate: { rps: 100, burst: 500 },
  /** The highest caps that a key may be minted with. */
  maxAppKeyRate: { rps: 1_000, burst: 10_000 },
  graphsPerAppKey: 1_000,
  originsPerAppKey: 100,
  keyNameCharacters: 200,
  /** Beacons of one app key: one in 20 seconds, three at once. */
  warmRate: { rps: 1 / 20, burst: 3 },
  /** Packages that one beacon warms, unless the operator chose otherwise. */
  warmPackages: 48,
  /** How long containers are taken to stay warm. */
  warmWindowSeconds: 360,
  warmBodyBytes: 65_536,
  retryAfterRateLimitSeconds: 1,
  retryAfterUnavailableSeconds: 5,
  /** Flow and node input, 16 MiB. */
  inputBytes: 16_777_216,
  /** Bodies of management routes that SPEC.md gives no limit of their own. */
  managementBodyBytes: 1_048_576,
  /** Body of a package publication: sources of a whole package. */
  packageBodyBytes: 8_388_608,
  fieldsPerMessage: 200,
  /** Nodes and flows in one client, the largest that benchmarks and SDK builds are held to. */
  membersPerClient: 1_000,
  instanceBodyBytes: 1_048_576,
  /** Message drafts: levels (the outermost message is the first), distinct messages of a request, code points of a text. */
  draftDepth: 10,
  draftMessages: 100,
  draftDescriptionCharacters: 512,
  /** A mapping preview: edges with samples, mapped fields, and milliseconds of evaluation. */
  previewSources: 100,
  previewFields: 500,
  previewMs: 2_000,
  /** Placements and edges of a flow; a run takes at most 1000 steps. */
  nodesPerGraph: 500,
  edgesPerGraph: 2_000,
  /** Characters of all conditions, adapters and compose plans of a flow together. */
  expressionCharactersPerGraph: 262_144,
  /** What a node adds to a running graph: bytes of one mutation, mutations of one call. */
  mutationBytes: 1_048_576,
  mutationsPerCall: 100,
  /** One attempt of a flow's node, when its placement does not say. */
  flowNodeSeconds: 30,
  /** The longest that a placement may ask for. */
  maxFlowNodeSeconds: 3_600,
  /** Attempts of one step, and the longest wait between two. */
  maxRetryAttempts: 100,
  maxRetryDelayMs: 86_400_000,
  /** Wait between two attempts, when the placement does not say how long it may get. */
  retryDelayMs: 60_000,
  /** Body of a flow invocation: base64 of the largest input, and room for the envelope. */
  invocationBodyBytes: Math.ceil(16_777_216 / 3) * 4 + 65_536,
  /** A waiting invocation, and the longest that it may ask for. */
  waitSeconds: 30,
  maxWaitSeconds: 86_400,
  /** Entries of a page: of executions, of events. */
  pageSize: 100,
  maxPageSize: 1_000,
  /** Days that events and checkpoints can be read. */
  eventRetentionDays: 90,
  checkpointRetentionDays: 30,
  /** Steps that a run may take, loops included. */
  stepsPerRun: 1_000,
  /** Per tenant and UTC day, unless the operator adjusted them. */
  dailyInvocations: 2_000,
  dailyExecutions: 500,
  /** How long a key or fingerprint gives the execution that it was first sent with. */
  idempotencyWindowMs: 300_000,
  /** Progress frames of one call: bytes of the author's JSON, frames a second and burst. */
  progressBytes: 65_536,
  progressRate: { perSecond: 10, burst: 50 },
  /** One log line of a node; what is longer is cut. */
  logCharacters: 65_536,
  /** The log of one call of a run: bytes at once, bytes a second, and what a line counts beside its text. */
  logRate: { burstBytes: 16_777_216, bytesPerSecond: 1_048_576, lineBytes: 256 },
  /** Direct node call without a deadline of its own. */
  nodeCallMs: 30_000,
} as const;
