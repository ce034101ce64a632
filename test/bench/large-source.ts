import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import type { VersionSource } from '../../service/clients/version-source.ts';
import { largePackage, mostNodes } from './large-package.ts';

/** Returns a client version of the first `members` nodes of the large package, as a build worker receives it. */
export async function largeSource(members: number): Promise<VersionSource> {
  return (await largeSources(members))();
}

/** First versions of new clients, each with `members` nodes of one larger package, starting at a different node. */
export async function largeSources(members: number): Promise<() => VersionSource> {
  const handle = 'acme';
  const held = Math.min(mostNodes, members + Math.max(2, Math.ceil(members / 5)));
  const body = largePackage(handle, held);
  const descriptorSet = await compileProtos(body.protos);
  const source = { tenantId: 'bench', versionId: 'bench' };
  let made = 0;
  return () => {
    const first = made % (held - members + 1);
    const number = made === 0 ? members : made;
    const client = { name: `Shop ${number}`, slug: `shop-${number}`, description: body.description, handle };
    const version = 1;
    const semver = '1.0.0';
    const release = { semver, version, added: [], changed: [], removed: [] };
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
      version,
      semver,
      goModulePrefix: 'go.svc.internal',
      // Workers receive a copy with each job.
      descriptorSets: new Map([[source.versionId, descriptorSet.slice()]]),
      changelog: [release],
    };
  };
}
