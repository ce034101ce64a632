import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { Scalar } from '../../../specs/messages/message-model.ts';
import type { DraftField, DraftMessage } from './message-draft.ts';
import { printDrafts } from './print-drafts.ts';

/** Drafted messages as one proto file: its source, and the descriptor that the compiler produces for it. */
export interface DraftFile {
  source: string;
  descriptor: FileDescriptorProto;
}

/**
 * Generates a proto file from drafted messages. Building the descriptor directly avoids a compiler process per request. A test checks
 * that the source compiles to the same descriptor.
 *
 * @param path import path of the file: `acme/invoices/messages.proto`
 * @param packageName proto package of the messages
 */
export function draftFile(messages: readonly DraftMessage[], path: string, packageName: string): DraftFile {
  const { source, locations } = printDrafts(messages, packageName);
  const descriptor = create(FileDescriptorProtoSchema, {
    name: path,
    package: packageName,
    syntax: 'proto3',
    messageType: messages.map((message) => messageDescriptor(message, packageName)),
    sourceCodeInfo: { location: locations },
  });
  return { source, descriptor };
}

const types: Readonly<Record<Scalar, FieldDescriptorProto_Type>> = {
  double: FieldDescriptorProto_Type.DOUBLE,
  float: FieldDescriptorProto_Type.FLOAT,
  int32: FieldDescriptorProto_Type.INT32,
  int64: FieldDescriptorProto_Type.INT64,
  uint32: FieldDescriptorProto_Type.UINT32,
  uint64: FieldDescriptorProto_Type.UINT64,
  bool: FieldDescriptorProto_Type.BOOL,
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
};

function messageDescriptor({ name, fields }: DraftMessage, packageName: string): DescriptorProto {
  const taken = new Set(fields.map((field) => field.name));
  const oneofs: string[] = [];
  const described = fields.map((field, position): FieldDescriptorProto => {
    const descriptor = fieldDescriptor(field, position + 1, packageName);
    if (field.cardinality !== 'optional') return descriptor;
    // Proto3 presence is a synthetic oneof. The compiler gives it a name that no field has.
    let oneof = field.name.startsWith('_') ? field.name : `_${field.name}`;
    while (taken.has(oneof)) oneof = `X${oneof}`;
    taken.add(oneof);
    descriptor.proto3Optional = true;
    descriptor.oneofIndex = oneofs.push(oneof) - 1;
    return descriptor;
  });
  return create(DescriptorProtoSchema, {
    name,
    field: described,
    oneofDecl: oneofs.map((oneof) => ({ name: oneof })),
  });
}

function fieldDescriptor(
  { name, jsonName, cardinality, type }: DraftField,
  number: number,
  packageName: string,
): FieldDescriptorProto {
  const label =
    cardinality === 'repeated' ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL;
  return create(FieldDescriptorProtoSchema, {
    name,
    jsonName,
    number,
    label,
    ...('scalar' in type
      ? { type: types[type.scalar] }
      : { type: FieldDescriptorProto_Type.MESSAGE, typeName: `.${packageName}.${type.message}` }),
  });
}
