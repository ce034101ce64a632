import type { NamedType } from '../../specs/messages/message-model.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import { planScope, type ScopeRules, type SymbolRequest } from './plan-scope.ts';

/** How a language names the parts of a type: fields and oneofs of a message, values of an enum. */
interface PartStyle<Type extends NamedType> {
  /** A request for each part that has its own name. The id is the part's name in the proto file, and its age is known. */
  requestsOf: (type: Type) => readonly SymbolRequest[];
  /** Rules of the scope, which may depend on the final name of the type. */
  rulesOf: (typeName: string) => ScopeRules;
}

/** Final names by the full name of the type, then by the name of the part. */
export type PartNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Plans the parts of types. Each type is its own scope.
 * @param typeNames the final names of the types, when the rules depend on them.
 */
type PlanParts<Type extends NamedType> = (
  types: readonly Type[],
  firstSeen: FirstSeen,
  typeNames?: ReadonlyMap<string, string>,
) => PartNames;

/** Returns a planner for one kind of type in one language. */
export function createPartPlanner<Type extends NamedType>({
  requestsOf,
  rulesOf,
}: PartStyle<Type>): PlanParts<Type> {
  return (types, firstSeen, typeNames) =>
    new Map(
      types.map((type) => {
        const requests = requestsOf(type).map((request) => ({
          ...request,
          since: firstSeen.part(type.fullName, request.id),
        }));
        return [type.fullName, planScope(requests, rulesOf(typeNames?.get(type.fullName) ?? ''))];
      }),
    );
}
