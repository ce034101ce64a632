import type { Registry } from '@bufbuild/protobuf';
import { createRegistry } from '@bufbuild/protobuf';
import { failed, done } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { MappingTypes, MessageEnd } from './mapping.ts';

/** What the expressions of one mapping read. */
export interface SourceScope {
  sources: ReadonlyMap<string, MessageEnd>;
  /** Types that CEL may name and make: those of the sources, and of the target where no source has the name. */
  registry: Registry;
}

export function sourceScope({ sources, target }: MappingTypes): SourceScope {
  const registries = [...sources.values()].map(({ registry }) => registry);
  const distinct = new Map(
    [target.registry, ...registries.reverse()].map((registry) => [registry.key, registry]),
  );
  const [only, ...others] = distinct.values();
  // The later of two types of one name wins; the target stands first, the first source last.
  const registry = only !== undefined && others.length === 0 ? only : createRegistry(...distinct.values());
  return { sources, registry };
}

/** The source that a pick means. */
export interface NamedSource {
  edge: string;
  end: MessageEnd;
}

/**
 * @param edge as the expression names it, or the edge of its binding; the only source where there is neither.
 * @param subject what reads the source, for errors: `field pick "a.b"`.
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
      first === undefined ? 'there are no sources' : `write <edge>:<field>, the edge one of ${names}`;
    return failed(`${subject} names no source: ${which}`);
  }
  const end = sources.get(edge);
  if (end !== undefined) return done({ edge, end });
  return failed(`undeclared source "${edge}" in ${subject}: the sources are ${names}`);
}
