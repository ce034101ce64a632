import { createSampler } from '../../generator/model/sample-message.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';

/** Returns the names of all removable symbols: members by alias, types by full name, fields and values below their type. */
export function symbolsOf({ members, types }: SdkModel): string[] {
  return [
    ...members.map(({ alias }) => memberId(alias)),
    ...[...types.messages, ...types.enums].map(({ fullName }) => fullName),
    ...types.messages.flatMap(({ fullName, fields }) => fields.map(({ name }) => `${fullName}.${name}`)),
    ...types.enums.flatMap(({ fullName, values }) =>
      values.slice(1).map(({ name }) => `${fullName}.${name}`),
    ),
  ];
}

/** Returns a model without some symbols and everything that depends on them. It is still one that a tenant could create. */
export function reduceModel(model: SdkModel, gone: ReadonlySet<string>): SdkModel {
  const enums = model.types.enums
    .filter(({ fullName }) => !gone.has(fullName))
    .map((each) => ({
      ...each,
      values: each.values.filter(({ name }, index) => index === 0 || !gone.has(`${each.fullName}.${name}`)),
    }));
  const kept = model.types.messages.filter(({ fullName }) => !gone.has(fullName));
  const known = new Set([...kept, ...enums].map(({ fullName }) => fullName));
  const messages = kept.map((message) => {
    const fields = message.fields.filter(
      ({ name, type }) =>
        !gone.has(`${message.fullName}.${name}`) && (!('fullName' in type) || known.has(type.fullName)),
    );
    const names = new Set(fields.map(({ name }) => name));
    const oneofs = message.oneofs
      .map((oneof) => ({ ...oneof, fields: oneof.fields.filter((name) => names.has(name)) }))
      .filter((oneof) => oneof.fields.length > 0);
    return { ...message, fields, oneofs };
  });
  const types = { messages, enums };
  const sampler = createSampler(types);
  const isThere = (name: string): boolean => known.has(name) || wellKnownOf({ typeName: name }) !== undefined;
  const members = model.members
    .filter(({ alias, input, output }) => !gone.has(memberId(alias)) && isThere(input) && isThere(output))
    .map((member) => ({ ...member, sample: sampler.sample(member.input) }));
  return { ...model, members, types };
}

/** Marks an alias, which can be any text, with a prefix that no full name has. */
function memberId(alias: string): string {
  return `member ${alias}`;
}
