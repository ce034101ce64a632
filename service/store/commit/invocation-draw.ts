/** Draws one unit of a tenant's daily quota of invocations. */
export interface InvocationDraw {
  tenantId: string;
  /** Days since 1970-01-01 in UTC. */
  day: number;
  /** The tenant's quota for the day. */
  cap: number;
}

/** Concurrent draws of one tenant, day and cap. */
export interface Draws extends InvocationDraw {
  /** Number of units. */
  wanted: number;
}
