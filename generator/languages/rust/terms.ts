import type { LanguageTerms } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import type { RustSdk } from './rust-sdk.ts';

/** The terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function rustTerms(sdk: RustSdk): LanguageTerms {
  const { texts } = sdk;
  return {
    languageName: 'Rust',
    fence: 'rust',
    call: (member) => `client.${callName(sdk, member)}(&input)`,
    furtherCalls: ({ alias, mode }) => {
      const flow = sdk.names.flows.get(alias);
      const upload = sdk.names.uploads.get(alias);
      const session = sdk.names.sessions.get(alias);
      if (upload !== undefined && session !== undefined)
        return [
          `client.${upload}(inputs)`,
          `client.${session.create}()`,
          `client.${session.find}(stream_id)`,
          `client.${session.open}()`,
        ];
      if (flow !== undefined && mode === 'pipeline') return [`client.${flow.warm}()`];
      return flow === undefined
        ? []
        : [`client.${flow.start}(&input)`, `client.${flow.execution}(execution_id)`, `client.${flow.warm}()`];
    },
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
