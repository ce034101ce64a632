import { create } from '@bufbuild/protobuf';
import { SourceCodeInfo_LocationSchema } from '@bufbuild/protobuf/wkt';
import { commentText } from '../../specs/messages/comment-text.ts';

/** What a model says where a proto has this text behind `//`: no comment can hold more than that lets through. */
export function commentOf(text: string): string {
  return commentText(create(SourceCodeInfo_LocationSchema, { leadingComments: text }));
}
