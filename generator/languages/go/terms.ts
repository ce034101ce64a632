import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import { furtherCalls } from '../../names/further-calls.ts';
import type { GoSdk } from './go-sdk.ts';

/** Returns the terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function goTerms(sdk: GoSdk): LanguageTerms {
  const { texts, names } = sdk;
  return {
    languageName: 'Go',
    fence: 'go',
    call: (member) => `client.${callName(sdk, member)}(ctx, input)`,
    furtherCalls: (member) =>
      furtherCalls(names, member, {
        input: 'ctx, input',
        inputs: 'ctx, inputs',
        none: 'ctx',
        streamId: 'id',
        executionId: 'id',
      }),
    runCalls: { execution: 'client.Execution(id)', pauses: 'client.ListPauses(ctx, filter)' },
    typeName: (fullName) =>
      texts.types.isEnum(fullName)
        ? texts.typeName(fullName)
        : texts.ofRoot(fullName).type.replace(/^\*/, ''),
    field: (message, field) => ({
      name: texts.fieldName(message.fullName, field.name),
      type: texts.ofField(field),
    }),
    enumValue: (enumeration, value) => texts.valueName(enumeration.fullName, value.name),
  };
}
