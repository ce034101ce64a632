import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import { createMemory } from '../remember.ts';
import { planScope, type ScopeRules, type SymbolRequest } from './plan-scope.ts';

/** How a language names the parts of a type: fields and oneofs of a message, values of an enum. */
export interface PartStyle<Type extends MessageModel | EnumModel> {
  /** A request for each part that has a name of its own; the id is the part's name in the proto file, its age is known. */
  requestsOf: (type: Type) => readonly SymbolRequest[];
  /** Rules of the scope, which may depend on the final name of the type. */
  rulesOf: (typeName: string) => ScopeRules;
}

/** Final names by the full name of the type, then by the name of the part. */
export type PartNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Plans the parts of types, each type a scope of its own.
 * @param typeNames the final names of the types, when the rules depend on them.
 */
export type PlanParts<Type extends MessageModel | EnumModel> = (
  types: readonly Type[],
  firstSeen: FirstSeen,
  typeNames?: ReadonlyMap<string, string>,
) => PartNames;

/** Names of parts depend on nothing but their type, its name, and their ages: a type that comes again is not planned again. */
export function createPartPlanner<Type extends MessageModel | EnumModel>({
  requestsOf,
  rulesOf,
}: PartStyle<Type>): PlanParts<Type> {
  const plans = createMemory<Type, ReadonlyMap<string, string>>();
  return (types, firstSeen, typeNames) =>
    new Map(
      types.map((type) => {
        const typeName = typeNames?.get(type.fullName) ?? '';
        const sinceOf = (name: string): number => firstSeen.part(type.fullName, name);
        const ages = partsOf(type).map(({ name }) => sinceOf(name));
        const plan = plans.recall(type, `${typeName} ${ages.join(' ')}`, () =>
          planScope(
            requestsOf(type).map((request) => ({ ...request, since: sinceOf(request.id) })),
            rulesOf(typeName),
          ),
        );
        return [type.fullName, plan];
      }),
    );
}

function partsOf(type: MessageModel | EnumModel): { name: string }[] {
  return 'values' in type ? type.values : [...type.fields, ...type.oneofs];
}
