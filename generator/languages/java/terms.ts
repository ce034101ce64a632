import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import { furtherCalls } from '../../names/further-calls.ts';
import type { JavaSdk } from './java-sdk.ts';

/** Returns the terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function javaTerms(sdk: JavaSdk): LanguageTerms {
  const { texts, names } = sdk;
  return {
    languageName: 'Java',
    fence: 'java',
    call: (member) => `client.${callName(sdk, member)}(input)`,
    furtherCalls: (member) => [
      `client.${callName(sdk, member)}Async(input)`,
      ...furtherCalls(names, member, {
        input: 'input',
        inputs: 'inputs',
        streamId: 'id',
        executionId: 'id',
      }),
    ],
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
