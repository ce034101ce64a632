import type { NamedType, TypeModel } from '../../specs/messages/message-model.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import type { SymbolRequest } from './plan-scope.ts';
import { pascalCase } from './words.ts';

/**
 * Requests for the type names of a model, by full name: `Word`, `OuterInner` when nested. Types in different proto packages may
 * have the same name. Each alternative prepends more of the package, with its version last: `acme.text.v1.Word` may become
 * `TextWord`, `AcmeTextWord`, `AcmeTextV1Word`.
 *
 * @param write adapts the name of a type to the language: shorter, or in its own spelling.
 */
export function typeNameRequests(
  types: TypeModel,
  firstSeen: FirstSeen,
  write: (name: string, type: NamedType) => string = (name) => name,
): SymbolRequest[] {
  return [...types.messages, ...types.enums].map((type) => ({
    id: type.fullName,
    intended: write(pascalCase(type.name), type),
    alternatives: () => alternativesOf(type).map((name) => write(name, type)),
    since: firstSeen.type(type.fullName),
  }));
}

function alternativesOf({ fullName, name }: NamedType): string[] {
  const segments = fullName.slice(0, -name.length).split('.').filter(Boolean);
  const named = segments.filter((segment) => !isVersion(segment));
  const prefixes = named.map((_, i) => named.slice(named.length - 1 - i));
  return [...prefixes, segments].map((prefix) => pascalCase([...prefix, name].join('.')));
}

/** Reports whether a segment is a version, as the last one of a proto package often is: `v1`, `v1beta2`. */
function isVersion(segment: string): boolean {
  return /^v\d+((alpha|beta)\d*)?$/.test(segment);
}
