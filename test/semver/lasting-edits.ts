import type { SdkMember } from '../../generator/model/sdk-model.ts';
import type { Cardinality, MessageModel } from '../../specs/messages/message-model.ts';
import { editEnum, editMember, type Edits, pickFrom } from './model-edit.ts';
import { type ModelDraft, newEnum, newField, newMessage } from './model-draft.ts';

/** Edits that remove no symbol. Which version step each needs is left to the checkers of the languages. */
export const lastingEdits: Edits = {
  addField(draft) {
    const message = draft.random.pick(draft.model.types.messages);
    const cardinality = draft.random.pick<Cardinality>(['single', 'optional', 'repeated', 'map']);
    const name = draft.identifier();
    const mapKey = cardinality === 'map' ? { mapKey: draft.random.pick(['string', 'int64'] as const) } : {};
    message.fields.push(newField(message, { name, cardinality, type: draft.fieldType(), ...mapKey }));
    return `adds ${cardinality} field ${message.fullName}.${name}`;
  },
  addOneofCase(draft) {
    const found = pickFrom(draft, draft.model.types.messages, ({ oneofs }) => oneofs.length > 0);
    if (found === undefined) return undefined;
    const oneof = draft.random.pick(found.oneofs);
    return addCase(draft, found, oneof);
  },
  addOneof(draft) {
    const message = draft.random.pick(draft.model.types.messages);
    const oneof = { name: draft.identifier(), comment: '', fields: [] };
    message.oneofs.push(oneof);
    addCase(draft, message, oneof);
    return addCase(draft, message, oneof);
  },
  addMessage(draft) {
    const { messages } = draft.model.types;
    const parent = draft.random.pick(messages);
    const message = newMessage(draft.identifier(), parent);
    if (messages.some(({ fullName }) => fullName === message.fullName)) return undefined;
    message.fields.push(
      newField(message, { name: draft.identifier(), cardinality: 'single', type: draft.fieldType() }),
    );
    const name = draft.identifier();
    parent.fields.push(
      newField(parent, {
        name,
        cardinality: 'single',
        type: { kind: 'message', fullName: message.fullName },
      }),
    );
    messages.push(message);
    return `adds message ${message.fullName} as ${parent.fullName}.${name}`;
  },
  /** After this edit, two messages may contain each other. */
  closeCycle(draft) {
    const held = pickFrom(draft, draft.model.types.messages, ({ fields }) =>
      fields.some(({ type, cardinality }) => type.kind === 'message' && cardinality !== 'map'),
    );
    const field = held?.fields.find(
      ({ type, cardinality }) => type.kind === 'message' && cardinality !== 'map',
    );
    const inner = draft.model.types.messages.find(
      ({ fullName }) => field?.type.kind === 'message' && fullName === field.type.fullName,
    );
    if (held === undefined || inner === undefined) return undefined;
    const name = draft.identifier();
    inner.fields.push(
      newField(inner, { name, cardinality: 'single', type: { kind: 'message', fullName: held.fullName } }),
    );
    return `adds field ${inner.fullName}.${name} of ${held.fullName}, which contains it`;
  },
  addEnum(draft) {
    const parent = draft.random.pick(draft.model.types.messages);
    const values = [0, 1].map((number) => ({
      name: draft.identifier(),
      number,
      comment: '',
      deprecated: false,
    }));
    const added = newEnum(draft.identifier(), values, parent);
    draft.model.types.enums.push(added);
    const name = draft.identifier();
    parent.fields.push(
      newField(parent, { name, cardinality: 'single', type: { kind: 'enum', fullName: added.fullName } }),
    );
    return `adds enum ${added.fullName} as ${parent.fullName}.${name}`;
  },
  addEnumValue: (draft) =>
    editEnum(draft, (each, name) => {
      const number = Math.max(...each.values.map((value) => value.number)) + 1;
      if (number > 2 ** 31 - 1) return undefined;
      each.values.push({ name, number, comment: '', deprecated: false });
      return `adds value ${name} to ${each.fullName}`;
    }),
  addEnumAlias: (draft) =>
    editEnum(draft, (each, name) => {
      const { number } = draft.random.pick(each.values);
      const place = draft.random.below(each.values.length + 1);
      // The first value of an enum is its default.
      if (place === 0 && number !== each.values[0]?.number) return undefined;
      each.values.splice(place, 0, { name, number, comment: '', deprecated: false });
      return `adds value ${name} = ${number} to ${each.fullName} at ${place}`;
    }),
  reorderEnum: (draft) =>
    editEnum(draft, (each) => {
      const [first, ...rest] = each.values;
      if (first === undefined || rest.length === 0) return undefined;
      each.values = [first, ...rest.reverse()];
      return `reverses the values of ${each.fullName}`;
    }),
  addMember(draft) {
    const { members } = draft.model;
    const like = draft.random.pick(members);
    const alias = draft.alias();
    members.push({ ...like, alias, input: draft.root(), output: draft.root() });
    return `adds ${like.mode} ${like.type} ${JSON.stringify(alias)}`;
  },
  repinMember: (draft) =>
    editMember(draft, (member) => {
      if (member.type === 'flow') member.pin = { artifact: 'another', graph: 'another' };
      else member.pin = { ...member.pin, package: 'acme/renewed', version: '2.0.0' };
      return `runs another ${member.type} for ${JSON.stringify(member.alias)}`;
    }),
  changeKind: (draft) =>
    editMember(draft, (member) => {
      const { alias, mode, comment, input, output, sample } = member;
      const rest = { alias, mode, comment, input, output, sample };
      const pin = { package: 'acme/text', version: '1.0.0', node: 'Node', ulid: `01K${'0'.repeat(23)}` };
      const changed: SdkMember =
        member.type === 'node'
          ? { type: 'flow', pin: { artifact: 'g1', graph: 'g1' }, ...rest }
          : { type: 'node', pin, ...rest };
      draft.model.members.splice(draft.model.members.indexOf(member), 1, changed);
      return `makes a ${changed.type} of ${JSON.stringify(alias)}`;
    }),
  reorderFields(draft) {
    const message = pickFrom(draft, draft.model.types.messages, ({ fields }) => fields.length > 1);
    if (message === undefined) return undefined;
    message.fields.reverse();
    for (const oneof of message.oneofs) oneof.fields.reverse();
    return `reverses the fields of ${message.fullName}`;
  },
  document(draft) {
    const message = draft.random.pick(draft.model.types.messages);
    message.comment = 'Described anew.';
    for (const field of message.fields) field.deprecated = !field.deprecated;
    for (const member of draft.model.members) member.comment = 'Described anew.';
    draft.model.client = { ...draft.model.client, name: 'Described', description: 'Anew.' };
    return `describes ${message.fullName} and all calls anew, and swaps what is deprecated`;
  },
};

function addCase(
  draft: ModelDraft,
  message: MessageModel,
  oneof: { name: string; fields: string[] },
): string {
  const name = draft.identifier();
  const type = draft.fieldType();
  message.fields.push(newField(message, { name, cardinality: 'single', type, oneof: oneof.name }));
  oneof.fields.push(name);
  return `adds case ${name} to oneof ${message.fullName}.${oneof.name}`;
}
