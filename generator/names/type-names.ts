import type { TypeModel } from '../../specs/messages/message-model.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import type { NamedType } from '../model/type-reach.ts';
import { createMemory } from '../remember.ts';
import type { SymbolRequest } from './plan-scope.ts';
import { pascalCase } from './words.ts';

/**
 * Requests for the type names of a model, by full name: `Word`, `OuterInner` when nested. Types of several proto packages may
 * be called the same; the alternatives put ever more of the package before the name, its version last:
 * `acme.text.v1.Word` may become `TextWord`, `AcmeTextWord`, `AcmeTextV1Word`.
 *
 * @param write what the language makes of a name of a type: shorter, or in its own spelling.
 */
export function typeNameRequests(
  types: TypeModel,
  firstSeen: FirstSeen,
  write: (name: string, type: NamedType) => string = (name) => name,
): SymbolRequest[] {
  return [...types.messages, ...types.enums].map((type) => {
    const { id, intended, alternatives } = requests.recall(type, '', () => request(type));
    return {
      id,
      intended: write(intended, type),
      // Hardly ever asked for.
      get alternatives() {
        return alternatives.map((name) => write(name, type));
      },
      since: firstSeen.type(id),
    };
  });
}

const requests = createMemory<NamedType, Required<Omit<SymbolRequest, 'since'>>>();

function request({ fullName, name }: NamedType): Required<Omit<SymbolRequest, 'since'>> {
  const segments = fullName.slice(0, -name.length).split('.').filter(Boolean);
  const named = segments.filter((segment) => !isVersion(segment));
  const prefixes = named.map((_, i) => named.slice(named.length - 1 - i));
  return {
    id: fullName,
    intended: pascalCase(name),
    alternatives: [...prefixes, segments].map((prefix) => pascalCase([...prefix, name].join('.'))),
  };
}

/** The last segment of a proto package often says its version: `v1`, `v1beta2`. */
function isVersion(segment: string): boolean {
  return /^v\d+((alpha|beta)\d*)?$/.test(segment);
}
