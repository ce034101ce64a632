import { create } from '@bufbuild/protobuf';
import { SourceCodeInfo_LocationSchema } from '@bufbuild/protobuf/wkt';
import { commentText } from '../../specs/messages/comment-text.ts';

/** Returns the comment in a model for a proto with this text after `//`. */
export function commentOf(text: string): string {
  return commentText(create(SourceCodeInfo_LocationSchema, { leadingComments: text }));
}
