import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';

/** Returns the terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function csharpTerms(sdk: CsharpSdk): LanguageTerms {
  const { texts, names } = sdk;
  return {
    languageName: 'C#',
    fence: 'csharp',
    call: (member) => `client.${callName(sdk, member)}Async(input)`,
    furtherCalls: (member) => {
      const upload = names.uploads.get(member.alias);
      const session = names.sessions.get(member.alias);
      if (upload !== undefined && session !== undefined)
        return [
          `client.${upload}Async(inputs)`,
          `client.${session.create}Async()`,
          `client.${session.find}(id)`,
          `client.${session.open}Async()`,
        ];
      const name = member.type === 'flow' ? callName(sdk, member) : undefined;
      if (name !== undefined && member.mode === 'pipeline') return [`client.Warm${name}Async()`];
      return name === undefined
        ? []
        : [`client.Start${name}Async(input)`, `client.${name}Execution(id)`, `client.Warm${name}Async()`];
    },
    runCalls: { execution: 'client.Execution(id)', pauses: 'client.ListPausesAsync(filter)' },
    typeName: (fullName) =>
      texts.types.isEnum(fullName) ? texts.typeName(fullName) : texts.ofRoot(fullName).type,
    field: (message, field) => ({
      name: texts.fieldName(message.fullName, field.name),
      type: texts.ofField(field),
    }),
    enumValue: (enumeration, value) =>
      `${texts.typeName(enumeration.fullName)}.${texts.valueName(enumeration.fullName, value.name)}`,
  };
}
