import { compileProtos } from '../../service/messages/compile-protos.ts';
import type { VersionSource } from '../../service/builds/version-source.ts';
import { largePackage, mostNodes } from './large-package.ts';

/** A client version of the first `members` nodes of the large package, as the build runner hands it to its workers. */
export async function largeSource(members: number): Promise<VersionSource> {
  return (await largeSources(members))();
}

/** Whose version each further source is: one of a client that there was not before, or the next of the same client. */
export type Succession = 'new client' | 'next version';

/**
 * Client versions of `members` nodes of one package that holds more: each begins with another node of the package, from either
 * end of it in turn, so that the first two have seen most of it.
 */
export async function largeSources(
  members: number,
  succession: Succession = 'new client',
): Promise<() => VersionSource> {
  const handle = 'acme';
  const held = Math.min(mostNodes, members + Math.max(2, Math.ceil(members / 5)));
  const body = largePackage(handle, held);
  const descriptorSet = await compileProtos(body.protos);
  const source = { tenantId: 'bench', versionId: 'bench' };
  let made = 0;
  return () => {
    const step = Math.floor(made / 2) % (held - members + 1);
    const first = made % 2 === 0 ? step : held - members - step;
    const isNext = succession === 'next version';
    const number = made === 0 || isNext ? members : made;
    const client = { name: `Shop ${number}`, slug: `shop-${number}`, description: body.description, handle };
    const version = isNext ? made + 1 : 1;
    const semver = `1.${version - 1}.0`;
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
      // A copy, as the worker gets one with each job.
      descriptorSets: new Map([[source.versionId, descriptorSet.slice()]]),
      changelog: [release],
    };
  };
}
