import type { DescField, DescMessage } from '@bufbuild/protobuf';

/** Whether a message, or any that it holds, has a field that `wanted` names. */
export type Reach = (type: DescMessage) => boolean;

/**
 * Makes a test that is worked out once per type, so that walks over messages are spared the types in which there is nothing
 * to find. The contents of an `Any` are unknown beforehand: it always counts.
 */
export function createReach(wanted: (field: DescField) => boolean): Reach {
  const known = new WeakMap<DescMessage, boolean>();
  return (type) => {
    let answer = known.get(type);
    if (answer === undefined) known.set(type, (answer = search(type, wanted)));
    return answer;
  };
}

function search(root: DescMessage, wanted: (field: DescField) => boolean): boolean {
  const seen = new Set<DescMessage>();
  const open = [root];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (type.typeName === 'google.protobuf.Any') return true;
    for (const field of type.fields) {
      if (wanted(field)) return true;
      if (field.message) open.push(field.message);
    }
  }
  return false;
}
