import type { FieldModel, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';

/**
 * The fields of a message that have to be boxed, by its full name: those that may hold a message that holds their own, so that
 * the struct would hold itself. Lists and maps hold their elements elsewhere.
 */
export function findBoxed({ messages }: TypeModel): ReadonlyMap<string, ReadonlySet<string>> {
  const component = components(messages);
  return new Map(
    messages.map(({ fullName, fields }) => [
      fullName,
      new Set(
        fields
          .filter((field) => {
            const target = heldBy(field);
            return target !== undefined && component.get(target) === component.get(fullName);
          })
          .map(({ name }) => name),
      ),
    ]),
  );
}

/** Full name of the message that a field holds within its own. */
function heldBy({ type, cardinality }: FieldModel): string | undefined {
  if (type.kind !== 'message' || cardinality === 'repeated' || cardinality === 'map') return undefined;
  return type.fullName;
}

/** Strongly connected components by Tarjan's algorithm, without recursion: messages that hold each other have one number. */
function components(messages: readonly MessageModel[]): ReadonlyMap<string, number> {
  const held = new Map(
    messages.map(({ fullName, fields }) => [
      fullName,
      fields.map(heldBy).filter((target) => target !== undefined),
    ]),
  );
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
      const target = held.get(visit.name)?.[visit.next];
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
