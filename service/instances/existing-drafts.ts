import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type as Type,
  type FieldDescriptorProto,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import type { Scalar } from '../../specs/messages/message-model.ts';
import type { DraftField, DraftMessage } from '../messages/drafts/message-draft.ts';

/** Returns the drafts from which `draftFile` made a file, so that further drafts can be added. */
export function existingDrafts(file: FileDescriptorProto): DraftMessage[] {
  const comments = new Map(
    file.sourceCodeInfo?.location.map(({ path, leadingComments }) => [path.join(), leadingComments.trim()]),
  );
  return file.messageType.map((message, index) => ({
    name: message.name,
    description: comments.get(`4,${index}`) ?? '',
    fields: message.field.map((field, position) => ({
      name: field.name,
      jsonName: field.jsonName,
      description: comments.get(`4,${index},2,${position}`) ?? '',
      cardinality: cardinalityOf(field),
      type: typeOf(field),
    })),
  }));
}

function cardinalityOf({ label, proto3Optional }: FieldDescriptorProto): DraftField['cardinality'] {
  if (label === FieldDescriptorProto_Label.REPEATED) return 'repeated';
  return proto3Optional ? 'optional' : 'single';
}

function typeOf({ type, typeName }: FieldDescriptorProto): DraftField['type'] {
  if (type === Type.MESSAGE) return { message: typeName.slice(typeName.lastIndexOf('.') + 1) };
  return { scalar: Type[type].toLowerCase() as Scalar };
}
