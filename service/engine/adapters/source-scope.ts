import type { Registry } from '@bufbuild/protobuf';
import { createRegistry } from '@bufbuild/protobuf';
import { failed, done } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { MappingTypes, MessageEnd } from './mapping.ts';

/** The sources that the expressions of a mapping can read. */
export interface SourceScope {
  sources: ReadonlyMap<string, MessageEnd>;
  /** Types that CEL can name and construct: types of the sources, then types of the target. */
  registry: Registry;
}

/** Returns the scope of a mapping. If sources share a type name, the first source wins. */
export function sourceScope({ sources, target }: MappingTypes): SourceScope {
  const registries = [...sources.values()].map(({ registry }) => registry);
  const distinct = new Map(
    [target.registry, ...registries.reverse()].map((registry) => [registry.key, registry]),
  );
  const [only, ...others] = distinct.values();
  // For equal type names the last registry wins. The target comes first and the first source last.
  const registry = only !== undefined && others.length === 0 ? only : createRegistry(...distinct.values());
  return { sources, registry };
}

/** The source that a field pick reads. */
interface NamedSource {
  edge: string;
  end: MessageEnd;
}

/**
 * Finds the source of a field pick.
 *
 * @param edge from the expression or its binding. Defaults to the only source
 * @param subject the reader of the source, for error texts: `field pick "a.b"`
 */
export function findSource(
  { sources }: SourceScope,
  edge: string | undefined,
  subject: string,
): Outcome<NamedSource> {
  const [first, ...others] = [...sources].map(([id, end]) => ({ edge: id, end }));
  if (edge === undefined && first !== undefined && others.length === 0) return done(first);
  const names = [...sources.keys()].map((name) => `"${name}"`).join(', ');
  if (edge === undefined) {
    const which =
      first === undefined ? 'there are no sources' : `write <edge>:<field> with one of the edges ${names}`;
    return failed(`${subject} names no source: ${which}`);
  }
  const end = sources.get(edge);
  if (end !== undefined) return done({ edge, end });
  const known = first === undefined ? 'there are no sources' : `the sources are ${names}`;
  return failed(`undeclared source "${edge}" in ${subject}: ${known}`);
}
