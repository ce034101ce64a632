import type { FieldModel } from '../../../specs/messages/message-model.ts';
import type { LanguageTerms } from '../../language.ts';
import { hasPresence } from '../../model/presence.ts';
import { callName } from '../../names/call-name.ts';
import { furtherCalls } from '../../names/further-calls.ts';
import type { PythonSdk } from './python-sdk.ts';

/** Returns the terms of the shared documents (`REFERENCE.md`, `llms.txt`). */
export function pythonTerms(sdk: PythonSdk): LanguageTerms {
  const { texts } = sdk;
  return {
    languageName: 'Python',
    fence: 'python',
    call: (member) => `client.${callName(sdk, member)}(message)`,
    furtherCalls: (member) =>
      furtherCalls(sdk.names, member, {
        input: 'message',
        inputs: 'messages',
        streamId: 'stream_id',
        executionId: 'execution_id',
      }),
    runCalls: { execution: 'client.execution(execution_id)', pauses: 'client.pauses(status="WAITING")' },
    typeName: (fullName) => publicName(texts.of(texts.types.symbolType(fullName)).annotation),
    field: (message, field) => ({
      name: texts.fieldName(message.fullName, field.name),
      type: fieldType(sdk, field),
    }),
    enumValue: (enumeration, value) =>
      `${texts.typeName(enumeration.fullName)}.${texts.valueName(enumeration.fullName, value.name)}`,
  };
}

function fieldType({ texts }: PythonSdk, field: FieldModel): string {
  const type = publicName(texts.of(field.type).annotation);
  if (field.cardinality === 'repeated') return `list[${type}]`;
  if (field.cardinality === 'map') {
    const key = texts.of({ kind: 'scalar', scalar: field.mapKey ?? 'string' }).annotation;
    return `dict[${key}, ${type}]`;
  }
  if (field.type.kind === 'wellKnown' && field.type.wellKnown === 'Value') return `${type} | Unset`;
  return hasPresence(field) ? `${type} | None` : type;
}

/** Returns a type of the runtime as users import it. */
function publicName(annotation: string): string {
  return annotation.replaceAll('_json.', '');
}
