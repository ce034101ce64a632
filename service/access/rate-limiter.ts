/** A rate: a bucket gains `rps` tokens per second and holds at most `burst`. */
export interface Rate {
  rps: number;
  burst: number;
}

/** A token bucket and its rate. A changed rate applies from the next take. */
export interface Bucket extends Rate {
  /** Unique among all buckets of a limiter, for example `tenant 01J9Z3K8Q4`. */
  name: string;
}

/** The outcome of taking one token from each of several buckets. */
export type Take<B extends Bucket = Bucket> =
  | { granted: true }
  /** `empty`: the empty bucket. `waitMs`: milliseconds until it holds a token; infinite if its rate is 0. */
  | { granted: false; empty: B; waitMs: number };

/** Token buckets, in this process or shared between replicas. */
export interface RateLimiter {
  /** Takes one token from each bucket in order and stops at the first empty one. Tokens already taken are not returned. */
  take<B extends Bucket>(buckets: readonly B[]): Promise<Take<B>>;
}
