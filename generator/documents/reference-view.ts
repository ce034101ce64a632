import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { LanguageTerms } from '../language.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { markdownCode, markdownParagraphs, markdownText } from '../text/markdown.ts';
import { describePin } from './describe-pin.ts';
import { runCallLines } from './run-calls.ts';

/** Returns the view of `REFERENCE.md`: every call, message and enum with its comment. */
export function referenceView(model: SdkModel, terms: LanguageTerms): object {
  return {
    title: markdownText(model.client.name),
    semver: model.semver,
    languageName: terms.languageName,
    calls: model.members.map((member) => callView(member, terms)),
    runs: runCallLines(model, terms),
    messages: model.types.messages.map((message) => messageView(message, terms)),
    enums: model.types.enums.map((enumeration) => enumView(enumeration, terms)),
  };
}

function callView(member: SdkMember, terms: LanguageTerms): object {
  const call = terms.call(member);
  const further = terms.furtherCalls?.(member) ?? [];
  return {
    heading: markdownCode(call ?? member.alias),
    paragraphs: markdownParagraphs(member.comment),
    facts: [
      ...(call === undefined ? ['This SDK has no call for it. SDKs of other languages have one.'] : []),
      `Alias: ${markdownCode(member.alias)}`,
      `Input: ${markdownCode(terms.typeName(member.input))}`,
      `Output: ${member.mode === 'pipeline' ? 'stream of ' : ''}${markdownCode(terms.typeName(member.output))}`,
      `Runs: ${describePin(member)}`,
      ...further.map((also) => `Also: ${markdownCode(also)}`),
    ],
  };
}

function messageView(message: MessageModel, terms: LanguageTerms): object {
  return {
    heading: markdownCode(terms.typeName(message.fullName)),
    protoName: markdownCode(message.fullName),
    paragraphs: paragraphsOf(message),
    items: message.fields.map((field) => {
      const { name, type } = terms.field(message, field);
      const oneof = field.oneof === undefined ? '' : `, one of ${markdownCode(field.oneof)}`;
      return `${markdownCode(name)} (${markdownCode(type)}${oneof})${afterColon(field)}`;
    }),
  };
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
  return [...(deprecated ? ['Deprecated.'] : []), ...markdownParagraphs(comment)];
}

function afterColon(documented: Documented): string {
  const text = paragraphsOf(documented).join(' ');
  return text === '' ? '' : `: ${text}`;
}
