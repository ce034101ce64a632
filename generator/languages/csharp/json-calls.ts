import type { TypeTexts } from './type-texts.ts';

/** The method that reads an input or output from ProtoJSON: `Text.FromJson`, `ProtoJson.Struct.Parse`. */
export function readerOf(texts: TypeTexts, fullName: string, within = ''): string {
  const { type, codec } = texts.ofRoot(fullName, within);
  return texts.types.rootType(fullName).kind === 'message' ? `${type}.FromJson` : `${codec}.Parse`;
}

/** The method that does so without unknown fields: `Text.FromStrictJson`, `ProtoJson.Struct.ParseStrict`. */
export function strictReaderOf(texts: TypeTexts, fullName: string): string {
  const { type, codec } = texts.ofRoot(fullName);
  return texts.types.rootType(fullName).kind === 'message'
    ? `${type}.FromStrictJson`
    : `${codec}.ParseStrict`;
}

/** An expression that prints an input or output as ProtoJSON: `output.ToJson()`. */
export function printOf(texts: TypeTexts, fullName: string, value: string): string {
  return texts.types.rootType(fullName).kind === 'message'
    ? `${value}.ToJson()`
    : `${texts.ofRoot(fullName).codec}.Format(${value})`;
}
