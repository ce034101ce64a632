import assert from 'node:assert/strict';
import { existingDrafts } from '../../../service/instances/existing-drafts.ts';
import { draftFile } from '../../../service/messages/drafts/draft-file.ts';
import { readDrafts } from '../../../service/messages/drafts/read-drafts.ts';

describe('existingDrafts', () => {
  it('returns the drafts from which the file was created', () => {
    const kinds = ['string', 'int32', 'int64', 'uint32', 'uint64', 'double', 'float', 'bool', 'bytes'];
    const { messages } = readDrafts({
      output: {
        message_name: 'Everything',
        description: 'All of it.',
        fields: {
          ...Object.fromEntries(kinds.map((kind): [string, unknown] => [`one_${kind}`, kind])),
          many: { kind: 'int64', repeated: true, description: 'Some.' },
          maybe: { kind: 'bytes', optional: true },
          parts: {
            kind: 'message',
            repeated: true,
            description: 'Its parts.',
            message: { message_name: 'Part', description: '*/ hostile \u2028', fields: { name: 'string' } },
          },
        },
      },
    });
    assert.deepEqual(existingDrafts(draftFile(messages, 'a.proto', 'acme.all').descriptor), messages);
  });
});
