import { shortenDetail } from './shorten.ts';

/** A payload that does not match its message type. The caller decides what follows: an HTTP status, a failed run, or a failed frame. */
export interface MessageError {
  /**
   * `not_json`: not UTF-8 or not JSON. `invalid_json`: JSON, but not of this type. `undeclared_ordinal`: an enum field has an
   * undeclared number. `payload_mismatch`: binary input of another shape. `undecodable`: bytes from a node that are not its
   * output message.
   */
  code: 'not_json' | 'invalid_json' | 'undeclared_ordinal' | 'payload_mismatch' | 'undecodable';
  /** The complete error text. */
  message: string;
  /** With `not_json`: the error without the name of the type. */
  detail?: string;
}

/** An enum field whose number is not declared. */
export interface UndeclaredOrdinal {
  /** Full name of the message that declares the field. */
  message: string;
  /** Proto name. */
  field: string;
  ordinal: number;
  /** Full name. */
  enum: string;
}

/** `not_json`: the input is not UTF-8, or not JSON. The text is that of `invalidJson`. */
export function notJson(inputType: string, detail: string): MessageError {
  return { ...invalidJson(inputType, detail), code: 'not_json', detail: shortenDetail(detail) };
}

/** `invalid_json`: the JSON does not match the message, or takes too much memory to convert. */
export function invalidJson(inputType: string, detail: string): MessageError {
  return { code: 'invalid_json', message: `invalid JSON for ${inputType}: ${shortenDetail(detail)}` };
}

/** `undeclared_ordinal`: an enum field of JSON input has a number that its enum does not declare. */
export function undeclaredOrdinal({
  message,
  field,
  ordinal,
  enum: enumName,
}: UndeclaredOrdinal): MessageError {
  return {
    code: 'undeclared_ordinal',
    message:
      `invalid value for ${message}: field ${field} carries enum ordinal ${ordinal}, ` +
      `which names no declared value of enum ${enumName}`,
  };
}

/** `payload_mismatch`: binary input does not parse as the message, or has too many values. */
export function payloadMismatch(detail: string): MessageError {
  return {
    code: 'payload_mismatch',
    message: `payload does not match the node's current input schema: ${shortenDetail(detail)}`,
  };
}

/** The response of a node is not its declared output message. */
export function undecodableMessage(typeName: string, detail: string): MessageError {
  return { code: 'undecodable', message: `cannot read the bytes as ${typeName}: ${shortenDetail(detail)}` };
}
