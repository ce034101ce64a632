import type { EnumModel, FieldType, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';

/** The types of a model by their full names. */
export class TypeIndex {
  readonly #messages: ReadonlyMap<string, MessageModel>;
  readonly #enums: ReadonlyMap<string, EnumModel>;

  constructor({ messages, enums }: TypeModel) {
    this.#messages = new Map(messages.map((type) => [type.fullName, type]));
    this.#enums = new Map(enums.map((type) => [type.fullName, type]));
  }

  /**
   * Returns a message by its full name.
   * @throws Error when the model has no such message.
   */
  message(fullName: string): MessageModel {
    const message = this.#messages.get(fullName);
    if (message === undefined) throw new Error(`the model lacks the message ${fullName}`);
    return message;
  }

  /**
   * Returns an enum by its full name.
   * @throws Error when the model has no such enum.
   */
  enum(fullName: string): EnumModel {
    const found = this.#enums.get(fullName);
    if (found === undefined) throw new Error(`the model lacks the enum ${fullName}`);
    return found;
  }

  isMessage(fullName: string): boolean {
    return this.#messages.has(fullName);
  }

  isEnum(fullName: string): boolean {
    return this.#enums.has(fullName);
  }

  /**
   * Returns the type of an input or output.
   * @param fullName a message of the model, or a well-known type: `google.protobuf.Struct`.
   * @throws Error when it is neither.
   */
  rootType(fullName: string): FieldType {
    if (this.isMessage(fullName)) return { kind: 'message', fullName };
    const wellKnown = wellKnownOf({ typeName: fullName });
    if (wellKnown === undefined) throw new Error(`the model lacks the message ${fullName}`);
    return { kind: 'wellKnown', wellKnown };
  }

  /** Returns the type of a symbol: an enum of the model, or the result of `rootType`. */
  symbolType(fullName: string): FieldType {
    return this.isEnum(fullName) ? { kind: 'enum', fullName } : this.rootType(fullName);
  }
}
