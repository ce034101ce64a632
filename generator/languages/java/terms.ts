import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import type { JavaSdk } from './java-sdk.ts';

/** The terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function javaTerms(sdk: JavaSdk): LanguageTerms {
  const { texts, names } = sdk;
  return {
    languageName: 'Java',
    fence: 'java',
    call: (member) => `client.${callName(sdk, member)}(input)`,
    furtherCalls: (member) => {
      const name = callName(sdk, member);
      const flow = names.flows.get(member.alias);
      const upload = names.uploads.get(member.alias);
      const sessions = names.sessions.get(member.alias);
      const own = [
        `client.${name}Async(input)`,
        ...(upload === undefined ? [] : [`client.${upload}(inputs)`]),
        ...(sessions === undefined
          ? []
          : [`client.${sessions.create}()`, `client.${sessions.find}(id)`, `client.${sessions.open}()`]),
      ];
      if (flow === undefined) return own;
      if (member.mode === 'pipeline') return [...own, `client.${flow.warm}()`];
      return [...own, `client.${flow.start}(input)`, `client.${flow.execution}(id)`, `client.${flow.warm}()`];
    },
    runCalls: { execution: 'client.execution(id)', pauses: 'client.listPauses(filter)' },
    typeName: (fullName) =>
      texts.types.isEnum(fullName) ? texts.typeName(fullName) : texts.ofRoot(fullName).boxed,
    field: (message, field) => ({
      name: texts.fieldName(message.fullName, field.name),
      type: texts.ofField(field),
    }),
    enumValue: ({ fullName }, { name }) => `${texts.typeName(fullName)}.${texts.valueName(fullName, name)}`,
  };
}
