import { createCodeSampler } from '../../service/documents/code-samples.ts';
import { describePackage, type PackageSource } from '../../service/documents/describe-package.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import type { Node } from '../../service/store/nodes.ts';
import { packageDocument } from '../../specs/openapi/package-document.ts';
import { largePackage } from './large-package.ts';
import { median } from './statistics.ts';

/** Durations of the OpenAPI document of a package, in milliseconds. */
export interface SpecTimes {
  nodes: number;
  bytes: number;
  /** The first document of the package in the process: reads descriptors, describes types, writes code samples. */
  firstMs: number;
  /**
   * Median of further documents of the package. Its parsed descriptors and its code samples are cached, and the rest is
   * generated again.
   */
  warmMs: number;
}

/** Measures documents of packages with this number of nodes, with programs in every language of the release. */
export async function measureSpecs(counts: readonly number[], rounds: number): Promise<SpecTimes[]> {
  const samplesOf = createCodeSampler();
  const settings = { baseUrl: 'https://svc.example.com', goModulePrefix: 'go.svc.internal', samplesOf };
  const generate = async (source: PackageSource): Promise<string> =>
    JSON.stringify(packageDocument(await describePackage(source, settings)));
  // Languages and code are loaded before the measurement.
  await generate(await packageSourceOf(20));
  const times: SpecTimes[] = [];
  for (const nodes of counts) {
    const source = await packageSourceOf(nodes);
    const first = await timed(() => generate(source));
    const warm: number[] = [];
    for (let round = 0; round < rounds; round += 1) warm.push((await timed(() => generate(source))).ms);
    times.push({
      nodes,
      bytes: Buffer.byteLength(first.result),
      firstMs: first.ms,
      warmMs: median(warm.slice(Math.floor(rounds / 3))),
    });
  }
  return times;
}

/** Returns the large package with this number of nodes, as input of documents. */
export async function packageSourceOf(count: number): Promise<PackageSource> {
  const body = largePackage('acme', count);
  const nodes = body.nodes.map((node, position): Node => ({
    tenantId: 'tenant',
    id: `01K${String(position).padStart(23, '0')}`,
    versionId: 'version',
    position,
    name: node.name,
    mode: node.mode,
    kind: node.kind,
    genericPorts: [],
    inputMessage: node.input ?? null,
    outputMessage: node.output ?? null,
    description: node.description,
    requiredSecrets: [],
    sample: null,
  }));
  return {
    owner: {
      tenantId: 'tenant',
      id: 'package',
      handle: 'acme',
      name: 'commerce',
      visibility: 'public',
      description: body.description,
      createdAt: 0,
    },
    version: body.version,
    nodes,
    descriptorSet: await compileProtos(body.protos),
    recipients: [],
  };
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}
