import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { LanguageTerms } from '../language.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createMemory, formsInAllLanguages } from '../remember.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownCode, markdownText } from '../text/markdown.ts';
import { describePin } from './describe-pin.ts';
import { memberParagraphs } from './member-paragraphs.ts';

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

/** What is said of a call, by the words of the language. */
const callViews = createMemory<SdkMember, object>(formsInAllLanguages);

function callView(member: SdkMember, terms: LanguageTerms): object {
  const call = terms.call(member);
  const further = terms.furtherCalls?.(member) ?? [];
  const [input, output] = [terms.typeName(member.input), terms.typeName(member.output)];
  return callViews.recall(member, JSON.stringify([call, input, output, ...further]), () => ({
    heading: markdownCode(call ?? member.alias),
    paragraphs: memberParagraphs(member),
    facts: [
      ...(call === undefined ? ['This release has no call for it yet.'] : []),
      `Alias: ${markdownCode(member.alias)}`,
      `Input: ${markdownCode(input)}`,
      `Output: ${markdownCode(output)}`,
      `Runs: ${describePin(member)}`,
      ...further.map((also) => `Also: ${markdownCode(also)}`),
    ],
  }));
}

/** What is said of a message, by the words of the language. */
const messageViews = createMemory<MessageModel, object>(formsInAllLanguages);

function messageView(message: MessageModel, terms: LanguageTerms): object {
  const words = terms.declarationWords?.(message) ?? JSON.stringify(messageTerms(message, terms));
  return messageViews.recall(message, `${terms.languageName} ${words}`, () => {
    const { typeName, fields } = messageTerms(message, terms);
    return {
      heading: markdownCode(typeName),
      protoName: markdownCode(message.fullName),
      paragraphs: paragraphsOf(message),
      items: message.fields.map((field, index) => {
        const { name = '', type = '' } = fields[index] ?? {};
        const oneof = field.oneof === undefined ? '' : `, one of ${markdownCode(field.oneof)}`;
        return `${markdownCode(name)} (${markdownCode(type)}${oneof})${afterColon(field)}`;
      }),
    };
  });
}

function messageTerms(message: MessageModel, terms: LanguageTerms) {
  const fields = message.fields.map((field) => terms.field(message, field));
  return { typeName: terms.typeName(message.fullName), fields };
}

/** What is said of an enum, by the words of the language. */
const enumViews = createMemory<EnumModel, object>(formsInAllLanguages);

function enumView(enumeration: EnumModel, terms: LanguageTerms): object {
  const typeName = terms.typeName(enumeration.fullName);
  const values = enumeration.values.map((value) => terms.enumValue(enumeration, value));
  return enumViews.recall(enumeration, JSON.stringify([typeName, values]), () => ({
    heading: markdownCode(typeName),
    protoName: markdownCode(enumeration.fullName),
    paragraphs: paragraphsOf(enumeration),
    items: enumeration.values.map(
      (value, index) => `${markdownCode(values[index] ?? '')} (${value.number})${afterColon(value)}`,
    ),
  }));
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
