import type { FirstSeen } from '../../changes/first-seen.ts';
import type { SymbolRequest } from '../../names/plan-scope.ts';
import { planScope } from '../../names/plan-scope.ts';
import { screamingCase } from '../../names/words.ts';
import type { EnumModel } from '../../../specs/messages/message-model.ts';
import { exportedName } from './go-words.ts';
import { reservedForPackage } from './reserved-names.ts';

/** Names of the package's scope, which types and the constants of enums share. */
interface PackageNames {
  types: ReadonlyMap<string, string>;
  /** By the full name of the enum, then by the name of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * Plans types and enum constants: `State`, `StateOpen`. The name of a constant begins with the final name of its type, so types are
 * planned first; but only those of one client version, together with its constants, so that a new type never renames an old
 * constant.
 */
export function planPackage(
  types: readonly SymbolRequest[],
  enums: readonly EnumModel[],
  firstSeen: FirstSeen,
): PackageNames {
  const symbols = [
    ...types.map((request) => ({ since: request.since ?? 1, request, owner: undefined })),
    ...enums.flatMap((owner) =>
      owner.values.map(({ name }) => ({
        since: firstSeen.part(owner.fullName, name),
        request: { id: valueId(owner.fullName, name), intended: name },
        owner,
      })),
    ),
  ];
  let kept: ReadonlyMap<string, string> = new Map();
  const requests: SymbolRequest[] = [];
  const plan = (more: SymbolRequest[]): void => {
    requests.push(...more);
    kept = planScope(requests, { reserved: reservedForPackage, kept, escape: (name) => `${name}Message` });
  };
  const generations = Map.groupBy(symbols, ({ since }) => since);
  for (const since of [...generations.keys()].sort((a, b) => a - b)) {
    const generation = generations.get(since) ?? [];
    plan(generation.flatMap(({ owner, request }) => (owner === undefined ? [request] : [])));
    const values = generation.flatMap(({ owner, request }) =>
      owner === undefined ? [] : [constantRequest(owner, request, kept)],
    );
    if (values.length > 0) plan(values);
  }
  const names = kept;
  return {
    types: new Map(types.map(({ id }) => [id, names.get(id) ?? ''])),
    values: new Map(
      enums.map(({ fullName, values }) => [
        fullName,
        new Map(values.map(({ name }) => [name, names.get(valueId(fullName, name)) ?? ''])),
      ]),
    ),
  };
}

/** `STATE_OPEN` of `State` is `StateOpen`, and so is `OPEN`. */
function constantRequest(
  { name: enumName, fullName }: EnumModel,
  { id, intended: value }: SymbolRequest,
  types: ReadonlyMap<string, string>,
): SymbolRequest {
  const own = `${screamingCase(enumName.split('.').at(-1) ?? enumName)}_`;
  const short = value.startsWith(own) && value.length > own.length ? value.slice(own.length) : value;
  return { id, intended: `${types.get(fullName) ?? ''}${exportedName(short)}` };
}

/** Full names of types contain no space. */
function valueId(enumName: string, value: string): string {
  return `${enumName} ${value}`;
}
