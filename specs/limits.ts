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
  /** Direct node call without a deadline of its own. */
  nodeCallMs: 30_000,
} as const;
