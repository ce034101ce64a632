import type { EnumModel, EnumValueModel } from '../../../specs/messages/message-model.ts';
import type { FileView } from '../../language.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { importsOf } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { fits, newLine } from './layout.ts';
import { assignment, declaration, equality, methodHead } from './statements.ts';
import type { TypeTexts } from './type-texts.ts';

/** View of the file of an enum; every string is finished Java. */
interface EnumView {
  comment: string;
  name: string;
  table: string;
  codec: string;
  initial: string;
  constants: { comment: string; line: string }[];
  equality: string;
  ofHead: string;
  /** Constants for `switch`: one for each number. */
  known: { comment: string; name: string }[];
  unrecognizedComment: string;
}

/** Returns the file of an enum: a class around a string, so that values newer than the SDK can be represented. */
export function enumFile(sdk: JavaSdk, type: EnumModel): FileView {
  const { texts, place } = sdk;
  const view = enumView(type, texts);
  const imports = importsOf(['Codec EnumTable OptionalInt'], place.packageName);
  return {
    path: `src/main/java/${place.folder}/${view.name}.java`,
    template: 'Enum.java',
    view: { packageName: place.packageName, imports, enum: view },
  };
}

function enumView(type: EnumModel, texts: TypeTexts): EnumView {
  const { fullName, values } = type;
  const name = texts.typeName(fullName);
  return {
    comment: docComment({
      paragraphs: [
        markup(
          `The enum {@code ${fullName}}. Compare values that this release knows with {@code ==}. Another value, a name or the digits of a number, survives a round trip; compare it with {@link #equals}.`,
        ),
        ...describeSymbol(type),
      ],
    }),
    name,
    table: declaration(
      `private static final EnumTable<${name}>`,
      'TABLE',
      {
        callee: 'EnumTable.of',
        args: [
          { owner: name, method: 'new' },
          { string: fullName },
          ...values.map((value) => ({
            callee: 'EnumTable.entry',
            args: [{ string: value.name }, String(value.number)],
          })),
        ],
      },
      2,
    ),
    codec: assignment(
      `static final Codec<${name}> CODEC`,
      {
        callee: 'TABLE.codec',
        args: [{ owner: name, method: 'value' }],
      },
      2,
    ),
    initial: assignment(`static final ${name} INITIAL`, { callee: 'TABLE.get', args: ['""'] }, 2),
    constants: values.map((value) => ({
      comment: docComment(
        {
          paragraphs: [
            markup(`The value {@code ${docText(value.name)}}.`),
            ...describeSymbol({ ...value, deprecated: false }),
          ],
          tags: value.deprecated ? [['@deprecated', 'the proto marks it as such']] : [],
        },
        2,
      ),
      line: deprecatable(
        value.deprecated,
        declaration(
          `public static final ${name}`,
          texts.valueName(fullName, value.name),
          { callee: 'TABLE.get', args: [{ string: value.name }] },
          2,
        ),
      ),
    })),
    equality: equality(name, 'value.equals(that.value)', 4),
    ofHead: methodHead(`public static ${name}`, 'of', ['String value'], 2),
    known: values.filter(isFirstOfNumber).map((value) => ({
      comment: docComment({ paragraphs: [markup(`The value {@code ${docText(value.name)}}.`)] }, 4),
      name: texts.valueName(fullName, value.name),
    })),
    unrecognizedComment: docComment(
      {
        paragraphs: [markup(`A value that this release does not know; {@link ${name}#value} returns it.`)],
      },
      4,
    ),
  };
}

/** Reports whether a value is not an alias of an earlier one. */
function isFirstOfNumber(
  { number }: EnumValueModel,
  index: number,
  values: readonly EnumValueModel[],
): boolean {
  return values.findIndex((other) => other.number === number) === index;
}

/**
 * Returns a declaration with its annotation if it is deprecated. The annotation of a one-line declaration stays on the
 * same line if both fit.
 */
function deprecatable(isDeprecated: boolean, text: string): string {
  if (!isDeprecated) return text;
  const line = `@Deprecated ${text}`;
  return !text.includes('\n') && fits(line, { indent: 2, column: 2, after: 0 })
    ? line
    : `@Deprecated${newLine(2)}${text}`;
}
