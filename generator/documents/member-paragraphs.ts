import { remembering } from '../../specs/remembering.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownText } from '../text/markdown.ts';

/** What was written about a member, in paragraphs of Markdown: the same in documents of every language and client. */
export const memberParagraphs = remembering((member: SdkMember): string[] =>
  foldParagraphs(member.comment).map(markdownText),
);
