import type { FirstSeen } from '../changes/first-seen.ts';
import type { FieldModel, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';

/**
 * The fields of a message that have to be boxed, by its full name: those that may hold a message that holds their own, so that
 * the struct would hold itself. Lists and maps hold their elements elsewhere.
 *
 * A field that came with a later version may close a circle over older ones. Then it is boxed, and they stay what programs know
 * them as.
 */
export function findBoxed(
  { messages }: TypeModel,
  firstSeen: Pick<FirstSeen, 'part'>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const boxed = new Map(messages.map(({ fullName }) => [fullName, new Set<string>()]));
  const holders = messages.flatMap(({ fullName, fields }) =>
    fields.flatMap((field): Holder[] => {
      const target = heldBy(field);
      if (target === undefined) return [];
      return [{ message: fullName, field: field.name, target, since: firstSeen.part(fullName, field.name) }];
    }),
  );
  const versions = [...new Set(holders.map(({ since }) => since))].sort((a, b) => a - b);
  for (const version of versions) {
    // Boxed ones of older versions hold nothing within their struct.
    const direct = holders.filter(
      ({ message, field, since }) => since <= version && !boxed.get(message)?.has(field),
    );
    const component = components(messages, direct);
    for (const { message, field, target, since } of direct)
      if (since === version && component.get(target) === component.get(message))
        boxed.get(message)?.add(field);
  }
  return boxed;
}

/** A field that holds a message within its own, and the version that it came with. */
interface Holder {
  message: string;
  field: string;
  target: string;
  since: number;
}

/** Full name of the message that a field holds within its own. */
function heldBy({ type, cardinality }: FieldModel): string | undefined {
  if (type.kind !== 'message' || cardinality === 'repeated' || cardinality === 'map') return undefined;
  return type.fullName;
}

/** Strongly connected components by Tarjan's algorithm, without recursion: messages that hold each other have one number. */
function components(
  messages: readonly MessageModel[],
  holders: readonly Holder[],
): ReadonlyMap<string, number> {
  const held = Map.groupBy(holders, ({ message }) => message);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const component = new Map<string, number>();
  const open: string[] = [];
  const begin = (name: string): { name: string; next: number } => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    open.push(name);
    return { name, next: 0 };
  };
  const lower = (name: string, value: number): void => {
    lowest.set(name, Math.min(lowest.get(name) ?? value, value));
  };
  for (const { fullName } of messages) {
    const path = order.has(fullName) ? [] : [begin(fullName)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = held.get(visit.name)?.[visit.next]?.target;
      visit.next += 1;
      if (target !== undefined) {
        if (!order.has(target)) path.push(begin(target));
        else if (!component.has(target)) lower(visit.name, order.get(target) ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent.name, lowest.get(visit.name) ?? 0);
      if (lowest.get(visit.name) !== order.get(visit.name)) continue;
      for (let name = open.pop(); name !== undefined; name = name === visit.name ? undefined : open.pop())
        component.set(name, order.get(visit.name) ?? 0);
    }
  }
  return component;
}
