import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import { furtherCalls } from '../../names/further-calls.ts';
import type { RustSdk } from './rust-sdk.ts';

/** Returns the terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function rustTerms(sdk: RustSdk): LanguageTerms {
  const { texts } = sdk;
  return {
    languageName: 'Rust',
    fence: 'rust',
    call: (member) => `client.${callName(sdk, member)}(&input)`,
    furtherCalls: (member) =>
      furtherCalls(sdk.names, member, {
        input: '&input',
        inputs: 'inputs',
        streamId: 'stream_id',
        executionId: 'execution_id',
      }),
    runCalls: { execution: 'client.any_execution(id)', pauses: 'client.pauses().stream()' },
    typeName: (fullName) => texts.of(texts.types.symbolType(fullName)),
    field: ({ fullName }, field) => {
      if (field.oneof === undefined)
        return { name: texts.fieldName(fullName, field.name), type: texts.ofField(fullName, field) };
      const variant = `${texts.oneofName(fullName, field.oneof)}::${texts.case(fullName, field.name)}`;
      return { name: variant, type: texts.ofCase(field) };
    },
    enumValue: ({ fullName }, { name }) => `${texts.typeName(fullName)}::${texts.valueName(fullName, name)}`,
  };
}
