import type {
  DescEnum,
  DescEnumValue,
  DescExtension,
  DescField,
  DescFile,
  DescMessage,
  DescOneof,
} from '@bufbuild/protobuf';
import type { SourceCodeInfo_Location } from '@bufbuild/protobuf/wkt';

/** An element of a proto file that has a location. */
export type SourceElement = DescMessage | DescField | DescOneof | DescEnum | DescEnumValue | DescExtension;

/** Locations of the elements of a file in its source, with their comments. */
export interface SourceLocations {
  /** Returns the location of an element. Undefined when the file was compiled without source info. */
  find(element: SourceElement): SourceCodeInfo_Location | undefined;
}

/** Field numbers of descriptor.proto: paths in source info consist of them. */
const inFile = { message: 4, enum: 5, extension: 7 };
const inMessage = { field: 2, message: 3, enum: 4, extension: 6, oneof: 8 };
const inEnum = { value: 2 };

/** Reads the source info of a file; its elements are then found in constant time. */
export function sourceLocations(file: DescFile): SourceLocations {
  const byPath = new Map<string, SourceCodeInfo_Location>();
  for (const location of file.proto.sourceCodeInfo?.location ?? []) {
    const path = location.path.join(',');
    // The first location of a repeated path (an `extend` block) counts.
    if (!byPath.has(path)) byPath.set(path, location);
  }
  const paths = new Map<object, string>();
  return {
    find: (element) => {
      if (paths.size === 0) indexFile(file, paths);
      return byPath.get(paths.get(element.proto) ?? '-');
    },
  };
}

function indexFile(file: DescFile, paths: Map<object, string>): void {
  const { messageType, enumType, extension } = file.proto;
  messageType.forEach((message, i) => indexMessage(message, `${inFile.message},${i}`, paths));
  enumType.forEach((each, i) => indexEnum(each, `${inFile.enum},${i}`, paths));
  extension.forEach((each, i) => paths.set(each, `${inFile.extension},${i}`));
}

function indexMessage(message: DescMessage['proto'], path: string, paths: Map<object, string>): void {
  paths.set(message, path);
  message.field.forEach((each, i) => paths.set(each, `${path},${inMessage.field},${i}`));
  message.oneofDecl.forEach((each, i) => paths.set(each, `${path},${inMessage.oneof},${i}`));
  message.extension.forEach((each, i) => paths.set(each, `${path},${inMessage.extension},${i}`));
  message.enumType.forEach((each, i) => indexEnum(each, `${path},${inMessage.enum},${i}`, paths));
  message.nestedType.forEach((each, i) => indexMessage(each, `${path},${inMessage.message},${i}`, paths));
}

function indexEnum(each: DescEnum['proto'], path: string, paths: Map<object, string>): void {
  paths.set(each, path);
  each.value.forEach((value, i) => paths.set(value, `${path},${inEnum.value},${i}`));
}
