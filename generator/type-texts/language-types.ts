import type { FieldType, TypeModel } from '../../specs/messages/message-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { planned } from '../names/planned.ts';
import type { PartNames } from '../names/plan-parts.ts';
import { tableText, type TypeTable } from './type-table.ts';

/** Planned names of a model's types and of their parts. */
interface DeclaredNames {
  /** By full name. */
  types: ReadonlyMap<string, string>;
  /** Fields and oneofs. */
  fields: PartNames;
  /** Enum values. */
  values: PartNames;
}

/** How a language writes the types of one model. A language adds its table and the texts of declared types. */
export abstract class LanguageTypes<Text> {
  /** The types that the model declares. */
  readonly types: TypeIndex;
  readonly #names: DeclaredNames;
  readonly #table: TypeTable<Text>;

  constructor(model: { types: TypeModel }, names: DeclaredNames, table: TypeTable<Text>) {
    this.types = new TypeIndex(model.types);
    this.#names = names;
    this.#table = table;
  }

  /** Returns the type of a message with this name. */
  protected abstract messageText(name: string, qualifier: string): Text;

  /** Returns the type of an enum with this name. */
  protected abstract enumText(name: string, qualifier: string, fullName: string): Text;

  /**
   * Returns the type of an element, map value or single value.
   * @param qualifier precedes the names of declared types: `messages::`.
   */
  of(type: FieldType, qualifier = ''): Text {
    switch (type.kind) {
      case 'message':
        return this.messageText(this.typeName(type.fullName), qualifier);
      case 'enum':
        return this.enumText(this.typeName(type.fullName), qualifier, type.fullName);
      default:
        return tableText(this.#table, type);
    }
  }

  /** Returns the name of the type of a message or enum. */
  typeName(fullName: string): string {
    return planned(this.#names.types, fullName);
  }

  /** Returns the name of a field or oneof of a message. */
  fieldName(message: string, part: string): string {
    return planned(planned(this.#names.fields, message), part);
  }

  /** Returns the name of an enum value. */
  valueName(enumName: string, value: string): string {
    return planned(planned(this.#names.values, enumName), value);
  }
}
