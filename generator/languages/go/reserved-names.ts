/** Declarations of the package in addition to the types of a model. Its other names begin with a small letter. */
export const reservedForPackage: ReadonlySet<string> = new Set(['Client', 'New']);

/** Methods of every message: a field cannot have their names. */
export const reservedForFields: ReadonlySet<string> = new Set(['MarshalJSON', 'String', 'UnmarshalJSON']);

/**
 * Methods of every client, those that may come, so that their coming renames no call, and those that go vet wants to have the
 * parameters of an interface of the standard library.
 */
export const reservedForMethods: ReadonlySet<string> = new Set(
  (
    'Close Connection Execution ListPauses String Warm Format GobDecode GobEncode MarshalJSON MarshalXML Peek ReadByte ReadFrom ' +
    'ReadRune Scan Seek UnmarshalJSON UnmarshalXML UnreadByte UnreadRune WriteByte WriteTo'
  ).split(' '),
);

/** Folders that the go command does not look into, and devices of Windows. */
export const reservedForExamples: ReadonlySet<string> = new Set([
  ...['internal', 'testdata', 'vendor'],
  ...['aux', 'con', 'nul', 'prn'],
  ...Array.from({ length: 10 }, (_, index) => [`com${index}`, `lpt${index}`]).flat(),
]);
