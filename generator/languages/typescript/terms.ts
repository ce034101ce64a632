import type { LanguageTerms } from '../../language.ts';
import { planned } from '../../names/planned.ts';
import { fieldType, oneofType } from './field-types.ts';
import { flatType } from './layout.ts';
import { propertiesOf } from './names.ts';
import { rootView } from './operation-texts.ts';
import { stringLiteral } from './string-literal.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';

/** Returns the terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function typescriptTerms({ names }: TypeScriptSdk): LanguageTerms {
  const typeOf = (fullName: string): string =>
    names.types.get(fullName) ?? flatType(rootView(fullName, names).type);
  return {
    languageName: 'TypeScript',
    fence: 'ts',
    call: ({ alias }) => {
      const name = names.functions.get(alias);
      return name === undefined ? undefined : `client.${name}(input)`;
    },
    furtherCalls: ({ alias }) => {
      const { node, warm } = names.streams.get(alias) ?? {};
      if (node !== undefined)
        return [
          `client.${node.upload}(inputs)`,
          `client.${node.create}()`,
          `client.${node.stream}(id)`,
          `client.${node.open}()`,
        ];
      if (warm !== undefined) return [`client.${warm}()`];
      const flow = names.flows.get(alias);
      return flow === undefined
        ? []
        : [`client.${flow.start}(input)`, `client.${flow.execution}(id)`, `client.${flow.warm}()`];
    },
    runCalls: { execution: 'client.execution(id)', pauses: 'client.listPauses({ statuses: ["WAITING"] })' },
    typeName: typeOf,
    field: (message, field) => ({
      name: planned(propertiesOf(names, message.fullName), field.oneof ?? field.name),
      type: flatType(
        field.oneof === undefined ? fieldType(field, names.types) : oneofType(message, [field], names.types),
      ),
    }),
    enumValue: (_, value) => stringLiteral(value.name),
  };
}
