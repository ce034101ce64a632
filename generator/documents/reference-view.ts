import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { LanguageTerms } from '../language.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownCode, markdownText } from '../text/markdown.ts';
import { describePin } from './describe-pin.ts';

/** `REFERENCE.md`: every call, message and enum with its comment. */
export function referenceView(model: SdkModel, terms: LanguageTerms): object {
  return {
    title: markdownText(model.client.name),
    semver: model.semver,
    languageName: terms.languageName,
    calls: model.members.map((member) => callView(member, terms)),
    messages: model.types.messages.map((message) => messageView(message, terms)),
    enums: model.types.enums.map((enumeration) => enumView(enumeration, terms)),
  };
}

function callView(member: SdkMember, terms: LanguageTerms): object {
  const call = terms.call(member);
  const typeOf = (fullName: string): string => markdownCode(terms.typeName(fullName));
  return {
    heading: markdownCode(call ?? member.alias),
    paragraphs: foldParagraphs(member.comment).map(markdownText),
    facts: [
      ...(call === undefined ? ['This release has no call for it yet.'] : []),
      `Alias: ${markdownCode(member.alias)}`,
      `Input: ${typeOf(member.input)}`,
      `Output: ${typeOf(member.output)}`,
      `Runs: ${describePin(member)}`,
      ...(terms.furtherCalls?.(member) ?? []).map((further) => `Also: ${markdownCode(further)}`),
    ],
  };
}

const messageViews = createMemory<MessageModel, object>();

function messageView(message: MessageModel, terms: LanguageTerms): object {
  const typeName = terms.typeName(message.fullName);
  const fields = message.fields.map((field) => terms.field(message, field));
  const words = JSON.stringify([typeName, ...fields.flatMap(({ name, type }) => [name, type])]);
  return messageViews.recall(message, words, () => ({
    heading: markdownCode(typeName),
    protoName: markdownCode(message.fullName),
    paragraphs: paragraphsOf(message),
    items: message.fields.map((field, index) => {
      const { name = '', type = '' } = fields[index] ?? {};
      const oneof = field.oneof === undefined ? '' : `, one of ${markdownCode(field.oneof)}`;
      return `${markdownCode(name)} (${markdownCode(type)}${oneof})${afterColon(field)}`;
    }),
  }));
}

function enumView(enumeration: EnumModel, terms: LanguageTerms): object {
  return {
    heading: markdownCode(terms.typeName(enumeration.fullName)),
    protoName: markdownCode(enumeration.fullName),
    paragraphs: paragraphsOf(enumeration),
    items: enumeration.values.map(
      (value) => `${markdownCode(terms.enumValue(enumeration, value))} (${value.number})${afterColon(value)}`,
    ),
  };
}

interface Documented {
  comment: string;
  deprecated: boolean;
}

function paragraphsOf({ comment, deprecated }: Documented): string[] {
  return [...(deprecated ? ['Deprecated.'] : []), ...foldParagraphs(comment).map(markdownText)];
}

function afterColon(documented: Documented): string {
  const text = paragraphsOf(documented).join(' ');
  return text === '' ? '' : `: ${text}`;
}
