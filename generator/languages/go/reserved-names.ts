/** Declarations of the package in addition to the types of a model. Its other names begin with a small letter. */
export const reservedForPackage: ReadonlySet<string> = new Set(['Client', 'New']);

/** Methods of every message: a field cannot have their names. */
export const reservedForFields: ReadonlySet<string> = new Set(['MarshalJSON', 'String', 'UnmarshalJSON']);

/**
 * Methods of every client; methods that may be added later, so that adding them renames no call; and methods for which go vet
 * requires the parameters of a standard library interface.
 */
export const reservedForMethods: ReadonlySet<string> = new Set(
  (
    'Close Connection Execution ListPauses String Warm Format GobDecode GobEncode MarshalJSON MarshalXML Peek ReadByte ReadFrom ' +
    'ReadRune Scan Seek UnmarshalJSON UnmarshalXML UnreadByte UnreadRune WriteByte WriteTo'
  ).split(' '),
);

/** Folders that the go command ignores, and Windows devices. */
export const reservedForExamples: ReadonlySet<string> = new Set([
  ...['internal', 'testdata', 'vendor'],
  ...['aux', 'con', 'nul', 'prn'],
  ...Array.from({ length: 10 }, (_, index) => [`com${index}`, `lpt${index}`]).flat(),
]);
