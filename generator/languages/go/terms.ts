import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import type { GoSdk } from './go-sdk.ts';

/** The terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function goTerms(sdk: GoSdk): LanguageTerms {
  const { texts, names } = sdk;
  return {
    languageName: 'Go',
    fence: 'go',
    call: (member) => `client.${callName(sdk, member)}(ctx, input)`,
    furtherCalls: (member) => {
      const flow = names.flows.get(member.alias);
      const upload = names.uploads.get(member.alias);
      const session = names.sessions.get(member.alias);
      if (upload !== undefined && session !== undefined)
        return [
          `client.${upload}(ctx, inputs)`,
          `client.${session.create}(ctx)`,
          `client.${session.find}(id)`,
          `client.${session.open}(ctx)`,
        ];
      if (flow !== undefined && member.mode === 'pipeline') return [`client.${flow.warm}(ctx)`];
      return flow === undefined
        ? []
        : [`client.${flow.start}(ctx, input)`, `client.${flow.execution}(id)`, `client.${flow.warm}(ctx)`];
    },
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
