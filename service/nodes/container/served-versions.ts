import { BoundedCache } from '../../bounded-cache.ts';
import { systemClock } from '../../clock.ts';
import type { DescribeOutcome, Description } from './call-describe.ts';
import type { CallSetting } from './call-invoke.ts';
import { callCancelled, callFailed, type NodeUnreachable } from './invoke-outcome.ts';

/** The package version that a container must serve to handle a call. */
export interface PackageReference {
  /** `<handle>/<name>` */
  name: string;
  version: string;
  /** Owner of the package. */
  tenantId: string;
  versionId: string;
}

/**
 * Compares the description of the container at an endpoint with the publication.
 *
 * @returns the first difference; `undefined` if there is none, or if the container does not describe itself
 */
export type CheckServed = (
  reference: PackageReference,
  endpoint: string,
  description: Description,
) => Promise<string | undefined>;

type Waiting = Pick<CallSetting, 'deadline' | 'timeoutMs' | 'signal'>;

/** The package versions that the container of one connection serves. Verdicts hold until the connection is lost. */
interface ServedVersions {
  /** Returns the verdict on a version; `undefined` if it has not been checked on the open connection. */
  verdict(reference: PackageReference): Verdict | undefined;
  /**
   * Asks the container what it serves. The verdict is known afterwards, unless the connection was lost
   * meanwhile.
   *
   * @returns why the container did not respond; `undefined` if it did
   */
  ask(reference: PackageReference, waiting: Waiting): Promise<NodeUnreachable | undefined>;
  /** Forgets all verdicts. The next connection may reach another container. */
  forget(): void;
}

interface Verdict {
  /** The first difference from the publication; `undefined` if the container may be called. */
  difference: string | undefined;
}

interface ServedVersionsOptions {
  /** Asks the container what it serves, on the next connection if none is open. */
  describe: () => Promise<DescribeOutcome>;
  check: (reference: PackageReference, description: Description) => Promise<string | undefined>;
  /** The outcome of a call whose deadline passes before the container has responded. */
  expired: (timeoutMs: number) => NodeUnreachable;
}

/** Maximum number of cached verdicts. The container is asked again about a version that was evicted. */
const maxVerdicts = 1_000;

/** Creates the verdicts of one connection. Concurrent checks of a version share one `describe`. */
export function createServedVersions({ describe, check, expired }: ServedVersionsOptions): ServedVersions {
  let verdicts = new BoundedCache<string, Verdict>(maxVerdicts);
  const asking = new Map<string, Promise<NodeUnreachable | undefined>>();
  let losses = 0;

  const learn = async (reference: PackageReference): Promise<NodeUnreachable | undefined> => {
    const asked = losses;
    const description = await describe();
    if (losses !== asked) return undefined;
    if (description.kind === 'unreachable') return description;
    const difference = await check(reference, description).catch(() => null);
    if (difference === null) return uncheckable;
    if (losses !== asked) return undefined;
    verdicts.set(reference.versionId, { difference });
    return undefined;
  };

  return {
    verdict: ({ versionId }) => verdicts.get(versionId),
    ask: (reference, waiting) => {
      const { versionId } = reference;
      let shared = asking.get(versionId);
      if (!shared) {
        const started = learn(reference).finally(() => {
          if (asking.get(versionId) === started) asking.delete(versionId);
        });
        asking.set(versionId, started);
        shared = started;
      }
      return within(shared, waiting, () => expired(waiting.timeoutMs));
    },
    forget: () => {
      losses += 1;
      verdicts = new BoundedCache(maxVerdicts);
      asking.clear();
    },
  };
}

/** The check logs its own failures. */
const uncheckable = callFailed(
  'call',
  'what the container serves could not be compared with the publication',
);

/**
 * Waits for a check that several calls share, until the deadline of this call passes or the call is
 * cancelled.
 */
function within(
  shared: Promise<NodeUnreachable | undefined>,
  { deadline, signal }: Waiting,
  expired: () => NodeUnreachable,
): Promise<NodeUnreachable | undefined> {
  return new Promise((resolve) => {
    const settle = (outcome: NodeUnreachable | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const cancel = (): void => settle(callCancelled);
    const timer = setTimeout(() => settle(expired()), Math.max(0, deadline - systemClock.now()));
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    void shared.then(settle);
  });
}
