/**
 * All limits of the service. Operations document them, and the service enforces them. Sizes are in bytes and times in milliseconds,
 * unless the name has another unit. docs/http-api.md lists them for users.
 */
export const limits = {
  /** Open connections of a process, in total and per address, unless the operator sets other limits. */
  connections: { total: 10_000, perAddress: 1_000 },
  /** Time for a client to send the headers of a request. */
  requestHeadMs: 30_000,
  /** Bytes of a request body that must arrive in each window. */
  bodyRate: { bytes: 7_200, windowMs: 30_000 },
  /** Time after which a connection is closed if its client reads nothing of a response. */
  unreadAnswerMs: 60_000,
  /** Bytes of large responses that wait to be read, per tenant (without a key, per address) and in total. */
  unreadResponses: { perCaller: 268_435_456, total: 1_073_741_824 },
  /** Bytes of large request bodies that are being received, per tenant (without a key, per address) and in total. */
  arrivingBodies: { perCaller: 268_435_456, total: 1_073_741_824 },
  /** Maximum time between two requests on a connection. */
  idleConnectionMs: 5_000,
  /** Requests that a client may pipeline on a connection before it has received the earlier responses. */
  pipelinedRequests: 10,
  /** Rate of a tenant over all routes: requests per second and burst. */
  tenantRate: { rps: 100, burst: 200 },
  /** Additional rate of a tenant under `/invocations/`. */
  invocationRate: { rps: 5, burst: 10 },
  /** Default rate of an app key. */
  appKeyRate: { rps: 5, burst: 10 },
  /** Rate of requests without a key per address. An address may be a proxy with many readers of public pages and documents. */
  keylessRate: { rps: 100, burst: 500 },
  /** Rate of new command-line logins per address, and seconds for which a login waits for approval. */
  loginRate: { rps: 1 / 6, burst: 10 },
  loginSeconds: 600,
  /** Time between two polls of a pending login. */
  loginPollSeconds: 2,
  /** Maximum rate of an app key. */
  maxAppKeyRate: { rps: 1_000, burst: 10_000 },
  graphsPerAppKey: 1_000,
  originsPerAppKey: 100,
  keyNameCharacters: 200,
  /** Warm requests of an app key: one per 20 seconds, with a burst of three. */
  warmRate: { rps: 1 / 20, burst: 3 },
  /** Default number of packages that one request warms. */
  warmPackages: 48,
  /** Time for which containers are expected to stay warm. */
  warmWindowSeconds: 360,
  warmBodyBytes: 65_536,
  retryAfterRateLimitSeconds: 1,
  retryAfterUnavailableSeconds: 5,
  /** Flow and node input, 16 MiB. */
  inputBytes: 16_777_216,
  /** Largest input whose comparison with an earlier request's input ignores the order of map entries. */
  comparedInputBytes: 262_144,
  /**
   * JSON bodies, checked while they are read: levels of objects and arrays, bytes of one number and of one key, and values. Messages
   * nest at most 100 deep, and each takes at most three levels of JSON (`{"map": {"key": {`).
   */
  jsonNesting: 320,
  jsonNumberBytes: 1_000,
  jsonKeyBytes: 65_536,
  /** Values of a message. */
  messageValues: 1_000_000,
  /** Values of any other body, and of a flow invocation outside its input. */
  managementValues: 25_000,
  /** Bodies of management routes that have no limit of their own. */
  managementBodyBytes: 1_048_576,
  /** Body of a package publication, which contains all proto sources. */
  packageBodyBytes: 8_388_608,
  /** Characters of the sample of a node, as JSON. */
  sampleCharacters: 4_096,
  /** Characters of the token of a deployment. */
  deploymentTokenCharacters: { min: 16, max: 512 },
  /** Time for a container to describe what it serves, and size of the description. */
  describeMs: 5_000,
  describeBytes: 262_144,
  fieldsPerMessage: 200,
  /**
   * Longest chain of message types of a package, each the type of a field of the one before. The protobuf library
   * descends it recursively.
   */
  messageChain: 500,
  /** Members of a client. Benchmarks and SDK builds are tested up to this size. */
  membersPerClient: 1_000,
  /** Names listed for each kind of use of a package version. */
  namedUsesOfVersion: 100,
  instanceBodyBytes: 1_048_576,
  /** Message drafts: levels including the outermost message, distinct messages per request, and code points of a description. */
  draftDepth: 10,
  draftMessages: 100,
  draftDescriptionCharacters: 512,
  /** A mapping preview: sources, mapped fields, milliseconds of processor time, and bytes of the message that it builds. */
  previewSources: 100,
  previewFields: 500,
  previewMs: 2_000,
  previewOutputBytes: 1_048_576,
  /** Nodes and edges of a flow. */
  nodesPerGraph: 500,
  edgesPerGraph: 2_000,
  /** Characters of all conditions, adapters and compose plans of a flow. */
  expressionCharactersPerGraph: 262_144,
  /** Mutations of a running graph: bytes of one, and number and bytes of those of one call. */
  mutationBytes: 1_048_576,
  mutationsPerCall: 100,
  mutationsBytesPerCall: 4_194_304,
  /** Default timeout of one attempt of a flow's node. */
  flowNodeSeconds: 30,
  /** Maximum timeout of one attempt. */
  maxFlowNodeSeconds: 3_600,
  /** Attempts of a step, and the maximum delay between two attempts. */
  maxRetryAttempts: 100,
  maxRetryDelayMs: 86_400_000,
  /** Default maximum delay between two attempts. */
  retryDelayMs: 60_000,
  /** Body of a flow invocation: the largest input in base64, and room for the other fields. */
  invocationBodyBytes: Math.ceil(16_777_216 / 3) * 4 + 65_536,
  /** Default and maximum wait of an invocation. */
  waitSeconds: 30,
  maxWaitSeconds: 86_400,
  /** Default and maximum page size. */
  pageSize: 100,
  maxPageSize: 1_000,
  /** Retention of events and checkpoints, in days. */
  eventRetentionDays: 90,
  checkpointRetentionDays: 30,
  /** A pause: bytes of the question, default and maximum time to decide, and characters of `resumed_by`. */
  pauseQuestionBytes: 65_536,
  pauseSeconds: 86_400,
  maxPauseSeconds: 2_505_600,
  resumedByCharacters: 500,
  /** Body of a decision that is sent as a form. */
  resumeFormBytes: 262_144,
  /** Maximum number of late decisions that are kept for a pause. */
  lateDecisionsPerPause: 100,
  /** Bytes of a decision in the record of its pause. */
  recordedDecisionBytes: 65_536,
  /** Steps of a run, including those of loops. */
  stepsPerRun: 1_000,
  /** Default daily quotas of a tenant, per UTC day. */
  dailyInvocations: 2_000,
  dailyExecutions: 500,
  /** Time for which an idempotency key or fingerprint returns the first execution. */
  idempotencyWindowMs: 300_000,
  /** Progress frames of one call: bytes of the JSON, frames per second and burst. */
  progressBytes: 65_536,
  progressRate: { perSecond: 10, burst: 50 },
  /** Frames of one stream that become events: their number, the bytes of all of them, and the bytes of one. */
  frameEvents: { count: 1_000, totalBytes: 1_048_576, frameBytes: 65_536 },
  /** Streamed input: bytes of all lines including line ends, bytes of one line, and frames. */
  streamInput: { bytes: 67_108_864, frameBytes: 16_777_216, frames: 100_000 },
  /** Output that a call holds back until its upload has ended, in bytes. */
  heldOutputBytes: 268_435_456,
  /** Body of a request that creates a split stream. */
  streamBodyBytes: 65_536,
  /** A split stream: time during which it accepts its upload and readers, and bytes of its output as JSON. */
  splitStreamSeconds: 600,
  splitOutputBytes: 67_108_864,
  /** A live session: bytes of its output as JSON, and time within which its client must accept a message. */
  liveOutputBytes: 67_108_864,
  liveStallMs: 30_000,
  /** Time for a stream of a pipeline node that a caller opens directly. */
  streamMs: 300_000,
  /** Time without a frame after which a comment keeps an event stream alive. */
  streamHeartbeatMs: 15_000,
  /** Interval of pings to a WebSocket. A client that does not respond to a ping before the next one counts as gone. */
  socketPingMs: 30_000,
  /** How often the key of an open WebSocket is checked. */
  socketKeyCheckMs: 60_000,
  /** Maximum replay for a new follower of a run: events, and bytes of their JSON. */
  followReplay: { events: 1_000, bytes: 4_194_304 },
  /** Maximum buffer of a run for followers that lag behind: events, and bytes of their JSON. */
  followBuffer: { events: 2_000, bytes: 8_388_608 },
  /** The runs of a topic: their maximum age and number. */
  topics: { ageMs: 3_600_000, runs: 100 },
  /** Followers of a tenant, and runs or topics that they follow, per process. */
  followers: { perTenant: 1_000, sessionsPerTenant: 100 },
  /** A log line of a node. Longer lines are truncated. */
  logCharacters: 65_536,
  /** The log of one call: burst in bytes, bytes per second, and bytes added to each line for its overhead. */
  logRate: { burstBytes: 16_777_216, bytesPerSecond: 1_048_576, lineBytes: 256 },
  /** The log of all calls of a tenant in one process. */
  tenantLogRate: { burstBytes: 67_108_864, bytesPerSecond: 4_194_304 },
  /** Error text of a node. Longer texts are truncated, and say so. */
  nodeErrorBytes: 65_536,
  /** Default timeout of a direct node call. */
  nodeCallMs: 30_000,
  /** Maximum timeout of a direct node call, which the header `X-Timeout-Seconds` requests. */
  maxNodeCallSeconds: 300,
  /** Work of one tenant that waits for a worker thread or the compiler: jobs, and bytes of their inputs. */
  workJobsPerTenant: 32,
  workBytesPerTenant: 67_108_864,
  /** The same for all tenants together. */
  workJobs: 1_024,
  workBytes: 536_870_912,
  /**
   * Requests of a tenant for lists and builds that wait for their turn. The limit is above the burst of the default
   * rate.
   */
  waitingListsPerTenant: 256,
  /** Builds of a tenant that are not finished. */
  pendingBuildsPerTenant: 200,
  /** Config profiles of a tenant, and the size of their JSON together. */
  configsPerTenant: 1_000,
  configBytesPerTenant: 4_194_304,
  /** Default time for one job, including its wait. */
  workMs: 30_000,
  /** Time for a fork to be stored, including its wait. */
  forkMs: 300_000,
  /** Proto sources of a package: nested declarations, statements, characters of a name, and the sum of the columns of all tokens. */
  protoNesting: 64,
  protoStatements: 20_000,
  protoNameCharacters: 255,
  protoColumns: 50_000_000,
  /** One run of the proto compiler: processor time, and memory in MiB. */
  compilerSeconds: 4,
  compilerMegabytes: 512,
  /** Maximum concurrent runs of the proto compiler, for all tenants together. */
  compilersAtOnce: 2,
  /** Memory of a thread that converts messages or checks descriptors, in MiB. */
  workThreadMegabytes: 512,
  /** Memory of a thread that builds SDK archives or makes documents, in MiB. */
  buildThreadMegabytes: 1_024,
} as const;
