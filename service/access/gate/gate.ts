import { ApiError } from '../../errors/api-error.ts';
import { draining as drainingRefusal } from '../../errors/request-errors.ts';
import { type OriginUnion, takesOrigin } from '../origins.ts';
import type { Principal } from '../principal.ts';
import type { Admission } from './admission.ts';
import type { Authenticator } from './authenticate.ts';
import {
  type CrossOriginHeaders,
  isCrossOriginPath,
  readableBy,
  readableByAll,
  variesByOrigin,
} from './cross-origin.ts';
import type { GateRequest } from './gate-request.ts';

/** The decision on a request, with the headers that let browsers read the response. */
type GateDecision =
  /** `principal` is undefined for a request without a key, if the operation allows such requests. */
  | { admitted: true; principal: Principal | undefined; headers: CrossOriginHeaders }
  | { admitted: false; refusal: ApiError; headers: CrossOriginHeaders };

/**
 * Decides whether a request may reach its handler: authentication, origin, suspension, rates, kind of key and scope. The handlers
 * draw on daily quotas, because a request for an unknown node or flow must not count.
 */
export type Gate = (request: GateRequest) => Promise<GateDecision>;

interface GateOptions {
  authenticate: Authenticator;
  admit: Admission;
  /** Origins of all app keys, which decide who may read a refusal that was made before the key is known. */
  origins: OriginUnion;
  /** Reports whether the process refuses new work because it is shutting down. */
  draining: () => boolean;
}

/**
 * Checks the key first, then `admit`. A refusal is a decision; any other error is thrown. While the process drains, it answers
 * only operations of the family `system`, and refuses the others with 503.
 */
export function createGate({ authenticate, admit, origins, draining }: GateOptions): Gate {
  const principalOf = ({ operation, authorization, address }: GateRequest) => {
    if (draining() && operation.family !== 'system') throw drainingRefusal();
    const isOpen =
      operation.caller === 'public' || (operation.caller === 'optional-key' && authorization === undefined);
    return isOpen ? undefined : authenticate(authorization, address);
  };

  return async (request) => {
    const { operation, origin, authorization } = request;
    const crossOrigin = isCrossOriginPath(operation.path);
    let headers: CrossOriginHeaders = {
      ...readableByAll(operation, authorization),
      ...(crossOrigin && variesByOrigin),
    };
    let principal: Principal | undefined;
    try {
      principal = await principalOf(request);
    } catch (error) {
      // Without the header, a browser cannot tell a refused key from a network failure. It is omitted if the database is
      // unavailable.
      if (crossOrigin && origin !== undefined && (await origins.includes(origin).catch(() => false))) {
        headers = { ...headers, ...readableBy(origin) };
      }
      return refused(error, headers);
    }
    const key = principal?.key;
    if (crossOrigin && origin !== undefined && key?.kind === 'app' && takesOrigin(key, origin)) {
      headers = { ...headers, ...readableBy(origin) };
    }
    try {
      await admit(request, principal);
    } catch (error) {
      return refused(error, headers);
    }
    return { admitted: true, principal, headers };
  };
}

/** @throws the error if it is not a refusal */
function refused(error: unknown, headers: CrossOriginHeaders): GateDecision {
  if (error instanceof ApiError) return { admitted: false, refusal: error, headers };
  throw error;
}
