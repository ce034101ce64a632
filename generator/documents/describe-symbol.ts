/** The paragraph that marks a deprecation for tools. User text never has this form. */
export const deprecation = 'Deprecated: the proto marks it as such.';

/** Returns the paragraphs of the documentation of a type, field or enum value. */
export function describeSymbol({ comment, deprecated }: { comment: string; deprecated: boolean }): string[] {
  return [comment, deprecated ? deprecation : ''].filter((text) => text.trim() !== '');
}
