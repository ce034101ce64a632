import type { MessageModel } from '../../specs/messages/message-model.ts';
import { editEnum, editField, editMember, type Edits } from './model-edit.ts';
import { newField } from './model-draft.ts';

/** Edits that remove or replace symbols. */
export const removingEdits: Edits = {
  removeField: (draft) =>
    editField(draft, (message, index) => {
      const [removed] = message.fields.splice(index, 1);
      leaveOneofs(message, removed?.name ?? '');
      return `removes field ${message.fullName}.${removed?.name}`;
    }),
  renameField: (draft) =>
    editField(draft, (message, index) => {
      const old = message.fields[index]!;
      const name = draft.identifier();
      const renamed = { ...newField(message, { ...old, name }), number: old.number };
      message.fields[index] = renamed;
      for (const oneof of message.oneofs)
        oneof.fields = oneof.fields.map((each) => (each === old.name ? name : each));
      return `renames field ${message.fullName}.${old.name} to ${name}`;
    }),
  retypeField: (draft) =>
    editField(draft, (message, index) => {
      message.fields[index]!.type = draft.fieldType();
      return `gives ${message.fullName}.${message.fields[index]!.name} another type`;
    }),
  changePresence: (draft) =>
    editField(draft, (message, index) => {
      const field = message.fields[index]!;
      if (field.oneof !== undefined || field.cardinality === 'map') return undefined;
      field.cardinality = draft.random.pick(['single', 'optional', 'repeated'] as const);
      return `makes ${message.fullName}.${field.name} ${field.cardinality}`;
    }),
  removeEnumValue: (draft) =>
    editEnum(draft, (each) => {
      if (each.values.length < 2) return undefined;
      return `removes value ${each.values.pop()?.name} of ${each.fullName}`;
    }),
  removeMember(draft) {
    const { members } = draft.model;
    if (members.length < 2) return undefined;
    return `removes call ${JSON.stringify(members.pop()?.alias)}`;
  },
  renameAlias: (draft) =>
    editMember(draft, (member) => {
      const old = member.alias;
      member.alias = draft.alias();
      return `renames call ${JSON.stringify(old)} to ${JSON.stringify(member.alias)}`;
    }),
  changeRoots: (draft) =>
    editMember(draft, (member) => {
      member.input = draft.root();
      member.output = draft.root();
      return `${JSON.stringify(member.alias)} takes ${member.input} and returns ${member.output}`;
    }),
  changeMode: (draft) =>
    editMember(draft, (member) => {
      member.mode = member.mode === 'unary' ? 'pipeline' : 'unary';
      return `makes ${JSON.stringify(member.alias)} ${member.mode}`;
    }),
};

function leaveOneofs(message: MessageModel, name: string): void {
  for (const oneof of message.oneofs) oneof.fields = oneof.fields.filter((each) => each !== name);
  message.oneofs = message.oneofs.filter(({ fields }) => fields.length > 0);
}
