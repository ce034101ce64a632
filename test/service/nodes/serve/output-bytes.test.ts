import assert from 'node:assert/strict';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { messageType } from '../../../../service/messages/message-type.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { outputBytes } from '../../../../service/nodes/serve/output-bytes.ts';

describe('encoding the output of a handler', () => {
  it('reports the node and the missing required field', async () => {
    const protos = { 't.proto': 'syntax = "proto2"; package t; message Out { required string text = 1; }' };
    const type = messageType(createRegistry(await compileProtos(protos)), 't.Out');
    assert.equal(Buffer.from(outputBytes('Do', type, { text: 'a' })).toString(), '\n\u0001a');
    assert.throws(() => outputBytes('Do', type, {}), {
      message: 'Do returned an invalid t.Out: the required field t.Out.text is missing',
    });
  });
});
