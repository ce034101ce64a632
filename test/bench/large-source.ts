import { compileProtos } from '../../service/messages/compile-protos.ts';
import type { VersionSource } from '../../service/builds/version-source.ts';
import { largePackage } from './large-package.ts';

/** A client version of `members` nodes of the large package, as the build runner hands it to its workers. */
export async function largeSource(members: number): Promise<VersionSource> {
  const handle = 'acme';
  const body = largePackage(handle, members);
  const descriptorSet = await compileProtos(body.protos);
  const release = { semver: '1.0.0', version: 1, added: [], changed: [], removed: [] };
  const source = { tenantId: 'bench', versionId: 'bench' };
  return {
    snapshot: {
      client: { name: `Shop ${members}`, slug: `shop-${members}`, description: body.description, handle },
      members: body.nodes.map((node, index) => ({
        type: 'node',
        alias: node.name,
        mode: 'unary',
        pin: {
          package: body.name,
          version: body.version,
          node: node.name,
          ulid: index.toString().padStart(26, '0'),
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
    descriptorSets: new Map([[source.versionId, descriptorSet]]),
    changelog: [release],
  };
}
