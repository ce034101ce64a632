import type { z } from 'zod';
import { limits } from '../../../specs/limits.ts';
import { problemText } from '../../../specs/operations/problem-text.ts';
import { type warmedFlow, type warmedFlows, warmFlow, warmFlowBody } from '../../../specs/operations/warm.ts';
import { requireGraph } from '../../access/app-key-reach.ts';
import type { InvocationQuota } from '../../access/daily-quota.ts';
import type { Principal } from '../../access/principal.ts';
import type { QuotaUse } from '../../access/quota-use.ts';
import { flowNotFound } from '../../errors/flow-errors.ts';
import { invalidWarmRequest, warmForbidden, warmUnavailable } from '../../errors/warm-errors.ts';
import type { Database } from '../../store/database.ts';
import { graphExists } from '../../store/graphs.ts';
import type { WarmDispatcher } from '../../warm/warm-dispatcher.ts';
import { packagesOf, type WarmNode, type WarmPlans } from '../../warm/warm-plan.ts';
import type { WarmRate } from '../../warm/warm-rate.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import { bind, type Route } from '../bind.ts';
import { parseJson } from '../request/parse-json.ts';
import { managementBounds } from '../request/read-json.ts';

interface WarmRouteOptions {
  db: Database;
  plans: WarmPlans;
  dispatcher: WarmDispatcher;
  rate: WarmRate;
  /** Counts a valid request against the daily quota of the tenant. */
  admit: InvocationQuota;
  quotaUse: QuotaUse;
  /** Maximum number of packages that one request warms; 0 disables warming. */
  maxPackages: number;
}

const graphIdForm = /^[A-Za-z0-9_-]+$/;

/** Warming of the containers of flows, in the background. */
export function warmRoutes({
  db,
  plans,
  dispatcher,
  rate,
  admit,
  quotaUse,
  maxPackages,
}: WarmRouteOptions): Route[] {
  const warmOne = async (principal: Principal, graphId: string): Promise<z.input<typeof warmedFlow>> => {
    const { tenant, key } = principal;
    requireGraph(principal, graphId);
    if (key.kind === 'app') await rate(key);
    const nodes = await plans.nodesOf(tenant.id, graphId);
    if (!nodes) throw (await graphExists(db.knex, graphId)) ? warmForbidden() : flowNotFound();
    await admit(tenant);
    dispatcher.dispatch(tenant.id, packagesOf([nodes], Infinity).packages);
    return { warmed: true, graph_id: graphId };
  };

  const warmAll = async ({ tenant, key }: Principal): Promise<z.input<typeof warmedFlows>> => {
    await rate(key);
    const held: string[] = [];
    const flows: (readonly WarmNode[])[] = [];
    for (const graphId of key.graphIds) {
      const nodes = await plans.nodesOf(tenant.id, graphId);
      // A large flow takes milliseconds to read, and a key can have a thousand.
      await loopTurns.yieldIfSpent();
      // A key may list graphs that do not exist.
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
    bind(warmFlow).to(async ({ principal, body }) => {
      if (maxPackages === 0) throw warmUnavailable();
      await quotaUse.requireInvocation(principal.tenant);
      const graphId = readGraphId((await body.read({ bounds: managementBounds, members: [] })).bytes);
      if (graphId !== undefined) return { status: 202, body: await warmOne(principal, graphId) };
      if (principal.key.kind !== 'app') throw invalidWarmRequest('graph_id is required');
      return { status: 202, body: await warmAll(principal) };
    }),
  ];
}

/** @returns undefined if the request has no graph_id */
function readGraphId(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  const parsed = warmFlowBody.safeParse(parseJson(body, 'invocation'), { error: problemText });
  if (!parsed.success) throw invalidWarmRequest('the body must be a JSON object with a string graph_id');
  const graphId = parsed.data.graph_id;
  if (graphId === undefined) return undefined;
  if (graphIdForm.test(graphId)) return graphId;
  throw invalidWarmRequest('graph_id may only contain letters, digits, "_" and "-"');
}
