import { compileProtos } from '../../service/messages/compile-protos.ts';
import type { VersionSource } from '../../service/builds/version-source.ts';
import { largePackage, mostNodes } from './large-package.ts';

/** A client version of the first `members` nodes of the large package, as the build runner hands it to its workers. */
export async function largeSource(members: number): Promise<VersionSource> {
  return (await largeSources(members))();
}

/**
 * Client versions of `members` nodes of one package that holds more: each is of a client of its own and begins with another node
 * of the package, from either end of it in turn, so that the first two have seen most of it.
 */
export async function largeSources(members: number): Promise<() => VersionSource> {
  const handle = 'acme';
  const held = Math.min(mostNodes, members + Math.max(2, Math.ceil(members / 5)));
  const body = largePackage(handle, held);
  const descriptorSet = await compileProtos(body.protos);
  const release = { semver: '1.0.0', version: 1, added: [], changed: [], removed: [] };
  const source = { tenantId: 'bench', versionId: 'bench' };
  let made = 0;
  return () => {
    const step = Math.floor(made / 2) % (held - members + 1);
    const first = made % 2 === 0 ? step : held - members - step;
    const client = {
      name: `Shop ${members}`,
      slug: `shop-${members}`,
      description: body.description,
      handle,
    };
    if (made > 0) Object.assign(client, { name: `Shop ${made}`, slug: `shop-${made}` });
    made += 1;
    return {
      snapshot: {
        client,
        members: body.nodes.slice(first, first + members).map((node, index) => ({
          type: 'node',
          alias: node.name,
          mode: 'unary',
          pin: {
            package: body.name,
            version: body.version,
            node: node.name,
            ulid: (first + index).toString().padStart(26, '0'),
          },
          comment: node.description,
          input: node.input ?? '',
          output: node.output ?? '',
          source,
        })),
        release,
        firstSeen: [],
      },
      version: 1,
      semver: '1.0.0',
      goModulePrefix: 'go.svc.internal',
      // A copy, as the worker gets one with each job.
      descriptorSets: new Map([[source.versionId, descriptorSet.slice()]]),
      changelog: [release],
    };
  };
}
