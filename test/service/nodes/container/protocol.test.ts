import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { create, equals } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { file_node_container } from '../../../../service/nodes/container/protocol.ts';

describe('the generated messages of the container protocol', () => {
  it('match node_container.proto', async () => {
    const source = new URL('../../../../service/nodes/node_container.proto', import.meta.url);
    const registry = createRegistry(
      await compileProtos({ 'node_container.proto': await readFile(source, 'utf8') }),
    );
    const compiled = registry.getFile('node_container.proto')!.proto;
    assert.equal(compiled.messageType.length, 23);
    // Generated code has no comments, and no names that derive from others.
    const bare = create(FileDescriptorProtoSchema, structuredClone(withoutComments(compiled)));
    assert.ok(
      equals(FileDescriptorProtoSchema, bare, withoutComments(file_node_container.proto)),
      'protocol.ts is not what node_container.proto says: its first lines tell how to make it again',
    );
  });
});

type FileProto = (typeof file_node_container)['proto'];

function withoutComments(file: FileProto): FileProto {
  const bare = structuredClone(file);
  delete bare.sourceCodeInfo;
  const strip = (messages: FileProto['messageType']): void => {
    for (const message of messages) {
      for (const field of message.field) field.jsonName = '';
      strip(message.nestedType);
    }
  };
  strip(bare.messageType);
  return bare;
}
