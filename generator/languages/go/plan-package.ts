import type { FirstSeen } from '../../changes/first-seen.ts';
import type { PartNames } from '../../names/plan-parts.ts';
import type { SymbolRequest } from '../../names/plan-scope.ts';
import { planScope } from '../../names/plan-scope.ts';
import { screamingCase } from '../../names/words.ts';
import type { EnumModel, MessageModel, TypeModel } from '../../../specs/messages/message-model.ts';
import { exportedName } from './go-words.ts';
import { reservedForPackage } from './reserved-names.ts';

/** Names of the package's scope, which types and constants share. */
interface PackageNames {
  types: ReadonlyMap<string, string>;
  /** Constants of enum values, by the full name of the enum, then by the name of the value. */
  values: PartNames;
  /** Constants of oneof fields, by the full name of the message, then by the name of the field. */
  cases: PartNames;
}

/** A constant whose name begins with the final name of its type. */
interface ConstantRequest {
  since: number;
  /** Full name of the type. */
  owner: string;
  /** Name of the value or field in the type. */
  part: string;
  /** What follows the name of the type. */
  rest: string;
}

/**
 * Plans types and constants: `State`, `StateOpen`. The name of a constant begins with the final name of its type, so types are
 * planned first. Each client version is planned as a whole, types and constants, so that a new type never renames an old
 * constant.
 */
export function planPackage(
  types: readonly SymbolRequest[],
  { enums, messages }: TypeModel,
  firstSeen: FirstSeen,
): PackageNames {
  const values = enums.flatMap((type) => valueRequests(type, firstSeen));
  const cases = messages.flatMap((type) => caseRequests(type, firstSeen));
  const constants = [...values, ...cases];
  let kept: ReadonlyMap<string, string> = new Map();
  const requests: SymbolRequest[] = [];
  const plan = (more: SymbolRequest[]): void => {
    requests.push(...more);
    kept = planScope(requests, { reserved: reservedForPackage, kept, escape: (name) => `${name}Message` });
  };
  const generations = new Set([...types, ...constants].map(({ since = 1 }) => since));
  for (const generation of [...generations].sort((a, b) => a - b)) {
    plan(types.filter(({ since = 1 }) => since === generation));
    const own = constants.filter(({ since }) => since === generation);
    const intended = own.map((constant): SymbolRequest => {
      const type = kept.get(constant.owner) ?? '';
      return { id: constantId(constant), intended: `${type}${constant.rest}` };
    });
    if (intended.length > 0) plan(intended);
  }
  const names = kept;
  return {
    types: new Map(types.map(({ id }) => [id, names.get(id) ?? ''])),
    values: constantNames(values, names),
    cases: constantNames(cases, names),
  };
}

/**
 * Returns requests for the constants of an enum. `STATE_OPEN` of `State` becomes `StateOpen`, and so does `OPEN`;
 * `ORDER_STATE_OPEN` of `Order.State` becomes `OrderStateOpen`.
 */
function valueRequests({ name, fullName, values }: EnumModel, firstSeen: FirstSeen): ConstantRequest[] {
  const prefixes = [name, name.split('.').at(-1) ?? name].map((own) => `${screamingCase(own)}_`);
  return values.map(({ name: part }) => ({
    since: firstSeen.part(fullName, part),
    owner: fullName,
    part,
    rest: exportedName(withoutPrefix(part, prefixes)),
  }));
}

/**
 * Returns requests for the constants of oneof fields. The field `choice_text` of the oneof `choice` becomes
 * `ChoiceText`, and so does `text`.
 */
function caseRequests({ fullName, fields }: MessageModel, firstSeen: FirstSeen): ConstantRequest[] {
  return fields.flatMap(({ name: part, oneof }) => {
    if (oneof === undefined) return [];
    const rest = `${exportedName(oneof)}${exportedName(withoutPrefix(part, [`${oneof}_`]))}`;
    return [{ since: firstSeen.part(fullName, part), owner: fullName, part, rest }];
  });
}

/** Returns the name without its first matching prefix, unless nothing would be left. */
function withoutPrefix(name: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find((each) => name.startsWith(each) && name.length > each.length) ?? '';
  return name.slice(prefix.length);
}

function constantNames(constants: readonly ConstantRequest[], names: ReadonlyMap<string, string>): PartNames {
  const byOwner = Map.groupBy(constants, ({ owner }) => owner);
  return new Map(
    Array.from(byOwner, ([owner, own]) => [
      owner,
      new Map(own.map((constant) => [constant.part, names.get(constantId(constant)) ?? ''])),
    ]),
  );
}

/** Returns the id of a constant, which no type has: full names of types contain no space. */
function constantId({ owner, part }: ConstantRequest): string {
  return `${owner} ${part}`;
}
