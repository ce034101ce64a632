import type { EnumModel, FieldType, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';

/** The types of a model by their full names. */
export class TypeIndex {
  readonly #messages: ReadonlyMap<string, MessageModel>;
  readonly #enums: ReadonlyMap<string, EnumModel>;
  readonly #reached = new Map<string, readonly (MessageModel | EnumModel)[]>();

  constructor({ messages, enums }: TypeModel) {
    this.#messages = new Map(messages.map((type) => [type.fullName, type]));
    this.#enums = new Map(enums.map((type) => [type.fullName, type]));
  }

  /** @throws Error when the model has no such message. */
  message(fullName: string): MessageModel {
    const message = this.#messages.get(fullName);
    if (message === undefined) throw new Error(`the model lacks the message ${fullName}`);
    return message;
  }

  /** @throws Error when the model has no such enum. */
  enum(fullName: string): EnumModel {
    const found = this.#enums.get(fullName);
    if (found === undefined) throw new Error(`the model lacks the enum ${fullName}`);
    return found;
  }

  /**
   * A type and all that its fields lead to, each once and always in the same order; none for a well-known type. What is written
   * of a sample is written in the names of these.
   */
  reachedFrom(fullName: string): readonly (MessageModel | EnumModel)[] {
    const known = this.#reached.get(fullName);
    if (known !== undefined) return known;
    // A set that grows while it is walked: what is added is walked too.
    const names = new Set([fullName]);
    const types: (MessageModel | EnumModel)[] = [];
    for (const name of names) {
      const type = this.#messages.get(name) ?? this.#enums.get(name);
      if (type === undefined) continue;
      types.push(type);
      if ('fields' in type)
        for (const field of type.fields) if ('fullName' in field.type) names.add(field.type.fullName);
    }
    this.#reached.set(fullName, types);
    return types;
  }

  isMessage(fullName: string): boolean {
    return this.#messages.has(fullName);
  }

  isEnum(fullName: string): boolean {
    return this.#enums.has(fullName);
  }

  /**
   * The type of an input or output.
   * @param fullName a message of the model, or a well-known type: `google.protobuf.Struct`.
   * @throws Error when it is neither.
   */
  rootType(fullName: string): FieldType {
    if (this.isMessage(fullName)) return { kind: 'message', fullName };
    const wellKnown = wellKnownOf({ typeName: fullName });
    if (wellKnown === undefined) throw new Error(`the model lacks the message ${fullName}`);
    return { kind: 'wellKnown', wellKnown };
  }

  /** The type of a symbol: an enum of the model, or what `rootType` finds. */
  symbolType(fullName: string): FieldType {
    return this.isEnum(fullName) ? { kind: 'enum', fullName } : this.rootType(fullName);
  }
}
