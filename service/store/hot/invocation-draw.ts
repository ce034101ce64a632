/** One unit of a tenant's daily invocations. */
export interface InvocationDraw {
  tenantId: string;
  /** Days since 1970-01-01 in UTC. */
  day: number;
  /** What the tenant may use that day. */
  cap: number;
}

/** Draws of one tenant, day and cap that came together. */
export interface Draws extends InvocationDraw {
  wanted: number;
}
