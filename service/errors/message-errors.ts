/**
 * Payloads that do not fit their message type, as values with SPEC.md's texts ("Single node", "Flow run errors"). Nodes answer
 * with them, flows fail with them, frames are counted before them: so no HTTP status stands here.
 */
export interface MessageError {
  /**
   * `invalid_json`: no JSON, or not of this type. `undeclared_ordinal`: an enum field holds a number without a name.
   * `payload_mismatch`: binary input of another shape. `undecodable`: bytes of a node that are not the message they should be.
   */
  code: 'invalid_json' | 'undeclared_ordinal' | 'payload_mismatch' | 'undecodable';
  /** The finished text. */
  message: string;
}

/** An enum field that holds a number which names no declared value. */
export interface UndeclaredOrdinal {
  /** Full name of the message that declares the field. */
  message: string;
  /** Proto name. */
  field: string;
  ordinal: number;
  /** Full name. */
  enum: string;
}

/** Details may quote what the caller sent; no answer grows with it. */
const maxDetailLength = 1000;

export function invalidJson(inputType: string, detail: string): MessageError {
  return { code: 'invalid_json', message: `invalid JSON for ${inputType}: ${shorten(detail)}` };
}

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

export function payloadMismatch(detail: string): MessageError {
  return {
    code: 'payload_mismatch',
    message: `payload does not match the node's current input schema: ${shorten(detail)}`,
  };
}

/** What a node answered cannot be read as the message that it declares. */
export function undecodableMessage(typeName: string, detail: string): MessageError {
  return { code: 'undecodable', message: `cannot read the bytes as ${typeName}: ${shorten(detail)}` };
}

function shorten(detail: string): string {
  return detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength)}...`.toWellFormed() : detail;
}
