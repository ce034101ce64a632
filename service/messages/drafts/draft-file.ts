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

/** Drafted messages as one file: its source, and what the compiler would make of it. */
export interface DraftFile {
  source: string;
  descriptor: FileDescriptorProto;
}

/**
 * Makes a proto file of drafted messages without asking the compiler: an Instance needs no process of its own. That the
 * source compiles to the same descriptor is held by a test.
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
    // Presence is a oneof of one member, which the compiler names so that it meets no field.
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
