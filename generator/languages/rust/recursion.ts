import type { FirstSeen } from '../../changes/first-seen.ts';
import type { FieldModel, MessageModel, TypeModel } from '../../../specs/messages/message-model.ts';

/**
 * Returns the fields of a message that must be boxed, by its full name: those whose message may contain the message
 * itself, which would give the struct infinite size. Lists and maps store their elements on the heap.
 *
 * A field of a later version may close a cycle over older ones. Then only the new field is boxed, so that the types of older
 * fields do not change.
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
    // Fields that have been boxed since an older version do not count.
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

/** A field that embeds a message, and its first version. */
interface Holder {
  message: string;
  field: string;
  target: string;
  since: number;
}

/** Returns the full name of the message that a field embeds. */
function heldBy({ type, cardinality }: FieldModel): string | undefined {
  if (type.kind !== 'message' || cardinality === 'repeated' || cardinality === 'map') return undefined;
  return type.fullName;
}

/**
 * Finds strongly connected components by Tarjan's algorithm, without recursion. Messages that contain each other get
 * the same number.
 */
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
