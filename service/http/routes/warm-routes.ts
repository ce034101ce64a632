import { limits } from '../../../specs/limits.ts';
import { warmFlow, warmFlowBody } from '../../../specs/operations/warm.ts';
import { requireGraph } from '../../access/app-key-reach.ts';
import type { InvocationQuota } from '../../access/daily-quota.ts';
import type { Principal } from '../../access/principal.ts';
import { flowNotFound } from '../../errors/flow-errors.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import { invalidWarmRequest, warmForbidden, warmUnavailable } from '../../errors/warm-errors.ts';
import type { Database } from '../../store/database.ts';
import { graphExists } from '../../store/graphs.ts';
import type { WarmDispatcher } from '../../warm/warm-dispatcher.ts';
import { packagesOf, type WarmNode, type WarmPlans } from '../../warm/warm-plan.ts';
import type { WarmRate } from '../../warm/warm-rate.ts';
import { bind, type Route } from '../bind.ts';

export interface WarmRouteOptions {
  db: Database;
  plans: WarmPlans;
  dispatcher: WarmDispatcher;
  rate: WarmRate;
  /** Counts the warm against the tenant's day, once it is known to be one. */
  admit: InvocationQuota;
  /** Packages that one beacon reaches; 0: warming is turned off. */
  maxPackages: number;
}

const graphIdForm = /^[A-Za-z0-9_-]+$/;

/** Warming (SPEC.md, POST /v1/flows/warm). */
export function warmRoutes({ db, plans, dispatcher, rate, admit, maxPackages }: WarmRouteOptions): Route[] {
  const warmOne = async ({ tenant, key }: Principal, graphId: string): Promise<object> => {
    requireGraph({ tenant, key }, graphId);
    if (key.kind === 'app') rate(key);
    const nodes = await plans.nodesOf(tenant.id, graphId);
    if (!nodes) throw (await graphExists(db.knex, graphId)) ? warmForbidden() : flowNotFound();
    await admit(tenant);
    dispatcher.dispatch(tenant.id, packagesOf([nodes], Infinity).packages);
    return { warmed: true, graph_id: graphId };
  };

  const warmAll = async ({ tenant, key }: Principal): Promise<object> => {
    rate(key);
    const held: string[] = [];
    const flows: (readonly WarmNode[])[] = [];
    for (const graphId of key.graphIds) {
      const nodes = await plans.nodesOf(tenant.id, graphId);
      // A key may name graphs that its tenant does not have: there is nothing of them to hold warm.
      if (!nodes) continue;
      held.push(graphId);
      flows.push(nodes);
    }
    await admit(tenant);
    const { packages, truncated } = packagesOf(flows, maxPackages);
    dispatcher.dispatch(tenant.id, packages);
    return {
      warmed: true,
      graph_ids: held,
      held,
      truncated_packages: truncated,
      window_seconds: limits.warmWindowSeconds,
    };
  };

  return [
    bind(warmFlow, async ({ principal, body }) => {
      const graphId = readGraphId(body);
      if (maxPackages === 0) throw warmUnavailable();
      if (graphId !== undefined) return { status: 202, body: await warmOne(principal, graphId) };
      if (principal.key.kind !== 'app')
        throw invalidWarmRequest('graph_id is required: name the flow to warm');
      return { status: 202, body: await warmAll(principal) };
    }),
  ];
}

/** @returns `undefined` when none was sent */
function readGraphId(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  const parsed = warmFlowBody.safeParse(parse(body));
  if (!parsed.success) throw invalidWarmRequest('the body must be a JSON object whose graph_id is a string');
  const graphId = parsed.data.graph_id;
  if (graphId === undefined || graphId === '') return undefined;
  if (graphIdForm.test(graphId)) return graphId;
  throw invalidWarmRequest('graph_id must be of letters, digits, "_" and "-"');
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (error) {
    throw invalidBody('invocation', error instanceof SyntaxError ? error.message : 'it is not valid UTF-8');
  }
}
