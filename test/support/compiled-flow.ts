import { randomBytes } from 'node:crypto';
import { createDeploymentTokens } from '../../service/access/secrets/deployment-tokens.ts';
import { systemClock } from '../../service/clock.ts';
import { createCelCompiler } from '../../service/engine/cel/cel-compiler.ts';
import { compileGraph } from '../../service/engine/graph/compile/compile-graph.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import {
  createGraphMutations,
  type GraphMutations,
} from '../../service/engine/graph/mutation/graph-mutations.ts';
import { createGraphLoader, type GraphLoader } from '../../service/engine/graph/load/load-graph.ts';
import { createTypeRegistries } from '../../service/nodes/type-registries.ts';
import { createIds } from '../../service/ids.ts';
import { NodeTargets } from '../../service/nodes/call/target.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { publishPackage } from '../../service/nodes/publish-package.ts';
import type { Database } from '../../service/store/database.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import { graphDocument } from '../../specs/operations/graph-shapes.ts';
import { publishBody } from '../../specs/operations/package-shapes.ts';
import { noSecrets, noTokens } from './no-secrets.ts';
import { stepPackage } from './step-package.ts';
import { compileHere } from './compile-here.ts';

export interface FlowCompiler {
  /** Compiles and stores a document like the API. */
  compile(tenant: Tenant, document: object): Promise<CompiledGraph>;
  loader: GraphLoader;
  mutations: GraphMutations;
}

/** Returns a compiler and loader of flows on a database, without HTTP. */
export function flowCompiler(db: Database): FlowCompiler {
  const parts = { db, types: createTypeRegistries(), cel: createCelCompiler() };
  return {
    loader: createGraphLoader(parts),
    mutations: createGraphMutations({ ...parts, secrets: noSecrets }),
    compile: async (tenant, document) => {
      const targets = new NodeTargets({ db, clock: systemClock, tokens: noTokens });
      const options = { ...parts, clock: systemClock, secrets: noSecrets, targets };
      const { graph } = await compileGraph(options, tenant.id, graphDocument.parse(document));
      return graph.compiled as unknown as CompiledGraph;
    },
  };
}

/** Publishes `<handle>/steps` for a tenant; `changes` replace fields of the publication. */
export async function publishStepsOf(
  db: Database,
  tenant: Tenant,
  changes: Record<string, unknown> = {},
): Promise<void> {
  const body = publishBody.parse(stepPackage({ name: `${tenant.handle}/steps`, ...changes }));
  const nodeHosts = [{ host: '127.0.0.1' }];
  const containers = createContainerPool({ allowedHosts: nodeHosts });
  const tokens = createDeploymentTokens(randomBytes(32), systemClock);
  const options = {
    db,
    clock: systemClock,
    ids: createIds(systemClock),
    protos: compileHere,
    nodeHosts,
    containers,
    tokens,
  };
  await publishPackage(options, tenant, body);
}
