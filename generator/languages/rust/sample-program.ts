import type { FieldModel, FieldType, Scalar, WellKnown } from '../../../specs/messages/message-model.ts';
import { bytesOf, entriesOf, givenFields, textOf } from '../../samples/sample-json.ts';
import { durationParts, epochParts, signedParts } from '../../samples/sample-times.ts';
import { floatLiteral, protoPath } from '../../samples/sample-writer.ts';
import { isWrapper, wrappedScalars } from '../../../specs/messages/wrapped-scalars.ts';
import type { JsonValue, SdkMember } from '../../model/sdk-model.ts';
import { snakeCase } from '../../names/words.ts';
import { type Chain, fitsAsArgument, fitsAsLink, printArray, printChain } from './lines.ts';
import { bytesLiteral, stringLiteral } from './literals.ts';
import { keywords } from './reserved-names.ts';
import type { TypeTexts } from './type-texts.ts';

/** Statements that create a sample value, and the imports that they need from the crate. */
interface SampleProgram {
  /** Lines within a function, each complete. */
  statements: readonly string[];
  /** The value itself. */
  value: Chain;
  /** `messages`, `types`. */
  imports: ReadonlySet<string>;
}

/** Names that the program around the statements already uses. */
const taken = [
  'input',
  'output',
  'response',
  'client',
  'json',
  'messages',
  'types',
  'error',
  'main',
  'sample',
  'inputs',
  'outputs',
  'stream',
];

const longestVariable = 20;

/** Writes the ProtoJSON samples of inputs as Rust: a message within another is created by its own statement. */
export class SamplePrograms {
  readonly #texts: TypeTexts;

  constructor(texts: TypeTexts) {
    this.#texts = texts;
  }

  /** Returns the sample of a member, which the README and the example both show. */
  of(member: SdkMember): SampleProgram {
    const writer = new SampleWriter(this.#texts);
    const value = writer.root(this.#texts.types.rootType(member.input), member.sample);
    return { statements: writer.statements, value, imports: writer.imports };
  }
}

class SampleWriter {
  readonly #texts: TypeTexts;
  readonly #variables = new Set<string>(taken);
  readonly statements: string[] = [];
  readonly imports = new Set<string>();

  constructor(texts: TypeTexts) {
    this.#texts = texts;
  }

  root(type: FieldType, value: JsonValue): Chain {
    if (type.kind === 'message') return this.#message(type.fullName, value);
    return { root: ownedList(this.#exact(type, value, 'input')), links: [] };
  }

  #message(fullName: string, value: JsonValue): Chain {
    this.imports.add('messages');
    const given = givenFields(this.#texts.types.message(fullName), value);
    const links = given.map(({ field, value: item }) => this.#link(fullName, field, item));
    return { root: `messages::${this.#texts.typeName(fullName)}::new()`, links };
  }

  /** Returns the call that sets a field. */
  #link(message: string, field: FieldModel, value: JsonValue): string {
    const name = this.#texts.fieldName(message, field.name).replace(/^r#/, '');
    const argument = this.#argument(field, value);
    const link = `with_${name}(${argument})`;
    const isCall = /[({[]/.test(argument) && !argument.startsWith('"');
    if (fitsAsLink(link) && (!isCall || fitsAsArgument(argument))) return link;
    return `with_${name}(${this.#bind(field.name, { root: argument, links: [] })})`;
  }

  #argument(field: FieldModel, value: JsonValue): string {
    if (field.cardinality === 'repeated') {
      const items = Array.isArray(value) ? value : [];
      if (field.type.kind === 'message' && items.length > 1) {
        const { fullName } = field.type;
        const made = items.map((item) => this.#message(fullName, item));
        return this.#bindTo(field.name, (variable) => printArray(variable, made));
      }
      const text = this.#texts.of(field.type);
      const each = items.map((item) =>
        text === 'String' ? stringLiteral(textOf(item)) : this.#element(field, item, ''),
      );
      return `[${each.join(', ')}]`;
    }
    if (field.cardinality === 'map') {
      const entries = entriesOf(value).map(([name, item]) => {
        const key = mapKey(field, name);
        return `(${key}, ${this.#element(field, item, `(${key}, )`)})`;
      });
      return `[${entries.join(', ')}]`;
    }
    return this.#lenient(field.type, value) ?? this.#exact(field.type, value, field.name);
  }

  /**
   * Returns an element of a list, or a variable if it would break the line of the list; `beside` is the rest of that
   * line.
   */
  #element(field: FieldModel, value: JsonValue, beside: string): string {
    const text = ownedList(this.#exact(field.type, value, field.name));
    const isCall = /^(?:messages::|types::|vec!)/.test(text);
    if (!isCall || fitsAsArgument(beside + text)) return text;
    return this.#bind(field.name, { root: text, links: [] });
  }

  /** Returns a plain string, if the setter accepts one. */
  #lenient(type: FieldType, value: JsonValue): string | undefined {
    const text = this.#texts.of(type);
    const isText = text === 'String' || (text === 'types::Value' && typeof value === 'string');
    return isText ? stringLiteral(textOf(value)) : undefined;
  }

  #exact(type: FieldType, value: JsonValue, name: string): string {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar, value);
      case 'enum': {
        this.imports.add('messages');
        const enumName = `messages::${this.#texts.typeName(type.fullName)}`;
        const declared = this.#texts.types.enum(type.fullName).values.find((item) => item.name === value);
        return declared
          ? `${enumName}::${this.#texts.valueName(type.fullName, declared.name)}`
          : `${enumName}::default()`;
      }
      case 'message': {
        const made = this.#message(type.fullName, value);
        return made.links.length === 0 ? made.root : this.#bind(name, made);
      }
      case 'wellKnown':
        return this.#wellKnown(type.wellKnown, value);
    }
  }

  #scalar(kind: Scalar, value: JsonValue): string {
    if (kind === 'string') return `${stringLiteral(textOf(value))}.to_owned()`;
    if (kind === 'bytes') {
      this.imports.add('types');
      return `types::Bytes::from_static(${bytesLiteral(bytesOf(textOf(value)))})`;
    }
    if (kind === 'bool') return value === true ? 'true' : 'false';
    if (kind === 'double' || kind === 'float')
      return Number.isFinite(Number(value)) ? floatLiteral(Number(value)) : '0.0';
    return /^-?\d+$/.test(textOf(value)) ? textOf(value) : '0';
  }

  #wellKnown(type: WellKnown, value: JsonValue): string {
    if (isWrapper(type)) return this.#scalar(wrappedScalars[type], value);
    switch (type) {
      case 'Empty':
        return this.#typed('Empty::new()');
      case 'NullValue':
        return this.#typed('NullValue');
      case 'Timestamp':
        return this.#typed(`Timestamp::new(${epochParts(textOf(value)).join(', ')})`);
      case 'Duration':
        return this.#typed(`Duration::new(${signedParts(durationParts(textOf(value))).join(', ')})`);
      case 'FieldMask': {
        const paths = textOf(value).split(',').filter(Boolean);
        const literals = paths.map((path) => stringLiteral(protoPath(path)));
        return this.#typed(`FieldMask::new([${literals.join(', ')}])`);
      }
      case 'Any':
      case 'Struct': {
        const entries = entriesOf(value).map(
          ([key, item]) => `(${stringLiteral(key)}.to_owned(), ${stringLiteral(textOf(item))}.into())`,
        );
        return this.#typed(
          entries.length === 0 ? 'Struct::new()' : `Struct::from_iter([${entries.join(', ')}])`,
        );
      }
      case 'ListValue': {
        const items = Array.isArray(value) ? value : [];
        return `[${items.map((item) => this.#value(item)).join(', ')}]`;
      }
      case 'Value':
        return this.#value(value);
    }
  }

  #value(value: JsonValue): string {
    return this.#typed(typeof value === 'string' ? `Value::from(${stringLiteral(value)})` : 'Value::Null');
  }

  #typed(text: string): string {
    this.imports.add('types');
    return `types::${text}`;
  }

  /** Assigns a value to a variable. */
  #bind(name: string, value: Chain): string {
    return this.#bindTo(name, (variable) => printChain(value, `let ${variable} = `, ';'));
  }

  /** Declares a variable with a statement. */
  #bindTo(name: string, statement: (variable: string) => string): string {
    const base = variableName(name);
    let variable = base;
    for (let number = 2; this.#variables.has(variable); number += 1) variable = `${base}_${number}`;
    this.#variables.add(variable);
    this.statements.push(statement(variable));
    return variable;
  }
}

/** Returns a list for which no setter converts an array to a `Vec`. */
function ownedList(text: string): string {
  return text.startsWith('[') ? `vec!${text}` : text;
}

/** Returns the last words of a field's name that together are short enough. */
function variableName(name: string): string {
  const words = snakeCase(name).split('_');
  while (words.length > 1 && words.join('_').length > longestVariable) words.shift();
  const text = words.join('_').slice(0, longestVariable).replace(/^\d/, 'n$&');
  return keywords.has(text) ? `${text}_value` : text;
}

function mapKey(field: FieldModel, key: string): string {
  if (field.mapKey === 'string' || field.mapKey === undefined) return `${stringLiteral(key)}.to_owned()`;
  if (field.mapKey === 'bool') return key === 'true' ? 'true' : 'false';
  return /^-?\d+$/.test(key) ? key : '0';
}
