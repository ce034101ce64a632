import type { TypeTexts } from './type-texts.ts';

/** Returns the method that reads an input or output from ProtoJSON: `Text.FromJson`, `ProtoJson.Struct.ParseStrict`. */
export function readerOf(
  texts: TypeTexts,
  fullName: string,
  { within = '', strict = false }: { within?: string; strict?: boolean } = {},
): string {
  const { type, codec } = texts.ofRoot(fullName, within);
  const isMessage = texts.types.rootType(fullName).kind === 'message';
  return isMessage ? `${type}.From${strict ? 'Strict' : ''}Json` : `${codec}.Parse${strict ? 'Strict' : ''}`;
}

/** Returns an expression that prints an input or output as ProtoJSON: `output.ToJson()`. */
export function printOf(texts: TypeTexts, fullName: string, value: string): string {
  return texts.types.rootType(fullName).kind === 'message'
    ? `${value}.ToJson()`
    : `${texts.ofRoot(fullName).codec}.Format(${value})`;
}
